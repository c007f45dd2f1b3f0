# cmake -DPAGES=FILE;... -DOUTPUT=FILE -P EmbedReasonPages.cmake
#
# Writes each page as an initialiser, so that `explain` needs no files beside the executable.
set(result "")
foreach(page IN LISTS PAGES)
  file(READ "${page}" text)
  string(APPEND result "R\"cupelpage(${text})cupelpage\",\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${result}" @ONLY)
