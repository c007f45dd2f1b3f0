# Flags that every target of cupel shares.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -fvisibility-inlines-hidden)

if(CUPEL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(CUPEL_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CUPEL_SANITIZE)
    message(FATAL_ERROR
      "CUPEL_FUZZ needs Clang (-DCMAKE_CXX_COMPILER=clang++-22, packages clang-22 and "
      "libclang-rt-22-dev) and -DCUPEL_SANITIZE=ON; 'cmake --preset fuzz' sets both.")
  endif()
  # The distribution's LLVM is built without RTTI, so its classes have no type to compare; it is not
  # instrumented either: coverage and errors are those of cupel's own code.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize=vptr,function)
  add_link_options(-fno-sanitize=vptr,function)
endif()

find_program(CUPEL_CCACHE ccache)
if(CUPEL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CUPEL_CCACHE}")
  # ccache's manual, section "Precompiled headers": it refuses them otherwise.
  if(CUPEL_PRECOMPILE_HEADERS)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros "${CUPEL_CCACHE}")
  endif()
endif()
