# How kernels as the rewriter leaves them are compiled by hand, for the run-time's tests and its
# benchmark: by Clang, with AddressSanitizer's instrumentation whose calls the run-time answers.
set(CUPEL_EMULATE_COMPILE "${LLVM_TOOLS_BINARY_DIR}/clang++" -x c++ -std=c++20 -O1 -g1 -fPIC
    -fno-omit-frame-pointer -fdeclspec -ffp-contract=off -pthread -fsanitize=address,alignment
    -mllvm -asan-instrumentation-with-call-threshold=0
    -mllvm -asan-memory-access-callback-prefix=__cupel_ -mllvm -asan-stack=0 -mllvm -asan-initialization-order=0
    -mllvm -asan-guard-against-version-mismatch=0 -mllvm -asan-opt-same-temp=0
    -mllvm -asan-instrument-atomics=0 -mllvm -asan-opt-globals=0
    -fcheck-new -fconvergent-functions -mllvm -enable-tail-merge=false -fno-optimize-sibling-calls
    -D__CUDA_NO_HALF_OPERATORS__ -D__CUDA_NO_HALF_CONVERSIONS__ -D__CUDA_NO_BFLOAT16_CONVERSIONS__
    -D__CUDA_NO_HALF2_OPERATORS__
    "-I${PROJECT_SOURCE_DIR}/share/emulate" "-I${PROJECT_SOURCE_DIR}/lib/Emulate/Runtime"
    -isystem "${CUPEL_CUDA_HOME}/include" -isystem "${CUPEL_CUDA_HOME}/include/cccl")
