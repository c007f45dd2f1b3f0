# cmake "-DPAGES=FILE;..." -DROOT=FOLDER -DOUTPUT=FILE -P EmbedPages.cmake
#
# Writes the pages as initialisers of {id, text}, so that what shows them (`checks explain`, `explain`,
# SARIF) needs no files beside the executable. ROOT/MODULE/NAME.md has the id MODULE-NAME.
set(result "")
foreach(page IN LISTS PAGES)
  file(READ "${page}" text)
  file(RELATIVE_PATH id "${ROOT}" "${page}")
  string(REPLACE ".md" "" id "${id}")
  string(REPLACE "/" "-" id "${id}")
  string(APPEND result "{\"${id}\", R\"cupelpage(${text})cupelpage\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${result}" @ONLY)
