# What `cmake --install` lays out, and the archive of the host half.
#
#   bin/cupel, bin/cupel-worker
#   lib/clang/22/include           Clang's own headers: the parser's version of stddef.h and kin
#   share/cupel/shadow, python     the folder share/ of the source tree
#   share/cupel/problems, schema, docs/checks, examples
#   share/cupel/worker-include     nlohmann/json.hpp, so that the worker can be built where the archive
#                                  is unpacked
#
# cupel finds all of it relative to its own path (lib/Support/Toolchain.cpp).

set(CUPEL_SHARE "${CMAKE_INSTALL_DATADIR}/cupel")

if(CUPEL_ENABLE_LINT)
  install(TARGETS cupel RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT host)

  file(REAL_PATH "${LLVM_INSTALL_PREFIX}/lib/clang/22/include" clang_headers)
  if(NOT EXISTS "${clang_headers}/stddef.h")
    message(FATAL_ERROR "Clang's own headers are not in ${clang_headers} (package "
                        "libclang-common-22-dev, which libclang-22-dev brings). Run utils/setup.sh.")
  endif()
  # Headers that are included for other processors and languages would be four fifths of it.
  install(DIRECTORY "${clang_headers}/" DESTINATION lib/clang/22/include COMPONENT host
          PATTERN "arm*" EXCLUDE PATTERN "riscv*" EXCLUDE PATTERN "sifive*" EXCLUDE
          PATTERN "hlsl*" EXCLUDE PATTERN "opencl*" EXCLUDE
          PATTERN "altivec.h" EXCLUDE PATTERN "vecintrin.h" EXCLUDE PATTERN "wasm*" EXCLUDE
          PATTERN "hexagon*" EXCLUDE PATTERN "hvx*" EXCLUDE PATTERN "msa.h" EXCLUDE
          PATTERN "ppc_wrappers" EXCLUDE PATTERN "openmp_wrappers" EXCLUDE
          PATTERN "llvm_*_wrappers" EXCLUDE PATTERN "zos_wrappers" EXCLUDE
          PATTERN "fuzzer" EXCLUDE PATTERN "profile" EXCLUDE PATTERN "orc" EXCLUDE)

  install(DIRECTORY "${PROJECT_SOURCE_DIR}/share/" DESTINATION "${CUPEL_SHARE}" COMPONENT host
          PATTERN "__pycache__" EXCLUDE)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/problems" "${PROJECT_SOURCE_DIR}/docs/schema"
          DESTINATION "${CUPEL_SHARE}" COMPONENT host)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/checks"
          DESTINATION "${CUPEL_SHARE}/docs" COMPONENT host)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/examples"
          DESTINATION "${CUPEL_SHARE}" COMPONENT host)

  find_path(CUPEL_JSON_HEADERS nlohmann/json.hpp DOC "Folder of nlohmann/json.hpp, for the archive")
  if(CUPEL_JSON_HEADERS)
    install(DIRECTORY "${CUPEL_JSON_HEADERS}/nlohmann" DESTINATION "${CUPEL_SHARE}/worker-include"
            COMPONENT host)
    install(FILES /usr/share/doc/nlohmann-json3-dev/copyright OPTIONAL
            DESTINATION "${CUPEL_SHARE}/worker-include/nlohmann" RENAME LICENSE COMPONENT host)
  endif()
endif()

# `cpack --preset archive`, or `cpack` in the build folder.
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" platform)
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME cupel)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_FILE_NAME "cupel-${PROJECT_VERSION}-host-${platform}")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_SOURCE_DIR}/dist")
set(CPACK_STRIP_FILES ON)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_COMPONENTS_ALL host)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR}" cupel host /)
include(CPack)
