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
  if("CupelClang" IN_LIST arg_DEPENDS)
    cupel_precompile_clang(${name})
  endif()
endfunction()

# cupel_embed_pages(OUTPUT ROOT PAGE...): the file OUTPUT of this build folder, to be included where the
# text of documentation pages is part of the program.
function(cupel_embed_pages output root)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${output}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/EmbedPages.cmake")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DPAGES=${ARGN}" "-DROOT=${root}" "-DOUTPUT=${output}" -P "${script}"
    DEPENDS ${ARGN} "${script}"
    VERBATIM)
endfunction()

# Clang's headers take most of the time of each of the many small sources that use them: 7.2 s of CPU
# for a check of 60 lines, 2.9 s with them precompiled. Once for all libraries, since the file has
# 330 MB. Off by default, so that a source that lacks an include is noticed.
function(cupel_precompile_clang name)
  if(NOT CUPEL_PRECOMPILE_HEADERS)
    return()
  endif()
  get_property(first GLOBAL PROPERTY CUPEL_PRECOMPILED_BY)
  if(first)
    target_precompile_headers(${name} REUSE_FROM ${first})
  else()
    target_precompile_headers(${name} PRIVATE
      <clang/AST/ASTContext.h> <clang/AST/DeclCXX.h> <clang/AST/ExprCXX.h>
      <clang/Basic/SourceManager.h> <llvm/Support/JSON.h>)
    set_property(GLOBAL PROPERTY CUPEL_PRECOMPILED_BY ${name})
  endif()
endfunction()
