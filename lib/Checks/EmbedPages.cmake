# cmake -DPAGES=FOLDER -DOUTPUT=FILE -P EmbedPages.cmake
#
# Writes the pages FOLDER/MODULE/NAME.md as initialisers of {id, text}, so that `checks explain`
# and SARIF need no files beside the executable.
file(GLOB pages RELATIVE "${PAGES}" "${PAGES}/*/*.md")
list(SORT pages)
set(result "")
foreach(page IN LISTS pages)
  file(READ "${PAGES}/${page}" text)
  string(REPLACE ".md" "" id "${page}")
  string(REPLACE "/" "-" id "${id}")
  string(APPEND result "{\"${id}\", R\"cupelpage(${text})cupelpage\"},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${result}" @ONLY)
