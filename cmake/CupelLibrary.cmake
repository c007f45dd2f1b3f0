# cupel_add_library(NAME sources... DEPENDS libraries...)
#
# One small static library of the host half, linked to the cupel libraries and the parts of LLVM
# and Clang that it names. utils/check-layering.py reads DEPENDS, so that what a library may use
# is written down in one place.
function(cupel_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS} CupelLLVMHeaders)
endfunction()
