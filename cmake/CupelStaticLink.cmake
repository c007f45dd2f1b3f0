# For the archive that runs on any x86-64 Linux: everything but glibc is linked in.
#
# LLVM's exported targets name shared libraries of zlib, zstd and Z3. The first two have static ones
# in the packages that llvm-22-dev pulls in. Z3 serves Clang's static analyzer, which cupel does not
# link, so nothing of it is missed.

find_library(CUPEL_LIBZ libz.a REQUIRED)
find_library(CUPEL_LIBZSTD libzstd.a REQUIRED)

# Debian links Clang's libraries to LLVM's one shared library; these are the parts they use of it.
set(CUPEL_LLVM_PARTS
  LLVMPasses LLVMX86CodeGen LLVMCoverage LLVMFrontendOffloading LLVMHipStdPar LLVMIRPrinter LLVMIRReader
  LLVMLTO LLVMLinker LLVMBitWriter LLVMExtensions LLVMTarget LLVMCodeGen LLVMCodeGenTypes
  LLVMWindowsDriver LLVMOption LLVMFrontendDriver LLVMFrontendHLSL LLVMFrontendOpenMP LLVMProfileData
  LLVMObject LLVMMCParser LLVMMC LLVMBitReader LLVMBitstreamReader LLVMCore LLVMBinaryFormat
  LLVMTargetParser LLVMSupport LLVMDemangle)

function(cupel_link_statically target)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  if(NOT libraries)
    return()
  endif()
  list(TRANSFORM libraries REPLACE "^ZLIB::ZLIB$" "${CUPEL_LIBZ}")
  list(TRANSFORM libraries REPLACE "^zstd::libzstd_shared$" "${CUPEL_LIBZSTD}")
  list(TRANSFORM libraries REPLACE "^LLVM$" "${CUPEL_LLVM_PARTS}")
  list(FILTER libraries EXCLUDE REGEX "libz3\\.so|libxml2|LibXml2::")
  set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
endfunction()

foreach(target IN LISTS LLVM_AVAILABLE_LIBS CLANG_EXPORTED_TARGETS)
  if(TARGET ${target})
    cupel_link_statically(${target})
  endif()
endforeach()

# Of Clang's 200 MB most is never called: the driver's other targets, the static analyzer.
add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,-O1)
