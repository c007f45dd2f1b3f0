# LLVM and Clang 22. LLVM's version file refuses find_package(LLVM 22) because 22.1 is another
# "major.minor", so the major version is compared here.

find_package(LLVM CONFIG QUIET
             HINTS /usr/lib/llvm-22/lib/cmake/llvm ENV LLVM_DIR)
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR
    "cupel's host half needs LLVM 22 (package llvm-22-dev); found: ${LLVM_VERSION}. "
    "Run utils/setup.sh, or configure with -DCUPEL_ENABLE_LINT=OFF to build the worker alone.")
endif()
find_package(Clang CONFIG QUIET HINTS "${LLVM_DIR}/../clang" /usr/lib/llvm-22/lib/cmake/clang)
if(NOT Clang_FOUND)
  message(FATAL_ERROR
    "cupel's host half needs Clang's libraries (package libclang-22-dev). "
    "Run utils/setup.sh, or configure with -DCUPEL_ENABLE_LINT=OFF to build the worker alone.")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

# What every library of the host half compiles against.
add_library(CupelLLVMHeaders INTERFACE)
target_include_directories(CupelLLVMHeaders SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
target_compile_definitions(CupelLLVMHeaders INTERFACE ${LLVM_DEFINITIONS_LIST})

# CupelLLVM: Support, Option and Object; CupelClang: the front end and code generation for x86-64. Dynamic by default, since a static
# link of Clang takes minutes under the sanitizers; the packaged host half is static.
add_library(CupelLLVM INTERFACE)
add_library(CupelClang INTERFACE)
target_link_libraries(CupelLLVM INTERFACE CupelLLVMHeaders)
target_link_libraries(CupelClang INTERFACE CupelLLVM)
if(CUPEL_STATIC_LLVM)
  include(CupelStaticLink)
  target_link_libraries(CupelLLVM INTERFACE LLVMOption LLVMObject LLVMDemangle LLVMSupport LLVMTargetParser)
  target_link_libraries(CupelClang INTERFACE
    clangAnalysisFlowSensitive clangAnalysis clangASTMatchers clangCodeGen clangFrontend clangSerialization
    clangDriver clangParse clangSema clangEdit clangAST clangLex clangBasic
    LLVMX86CodeGen LLVMX86AsmParser LLVMX86Desc LLVMX86Info LLVMPasses)
else()
  target_link_libraries(CupelLLVM INTERFACE LLVM)
  target_link_libraries(CupelClang INTERFACE clang-cpp)
endif()
