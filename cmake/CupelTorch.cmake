# LibTorch out of Python's torch package, for the worker.
#
# The libraries are named here one by one instead of through find_package(Torch): that enables CUDA
# as a language, so it needs nvcc, and it links libtorch_cuda, whose loading with cuBLAS and cuDNN
# behind it takes most of a second. The worker loads it when a run asks for the GPU
# (lib/Worker/Device.cpp).

if(NOT CUPEL_TORCH_HOME OR NOT EXISTS "${CUPEL_TORCH_HOME}/lib/libtorch_cpu.so")
  message(FATAL_ERROR
    "cupel's worker half needs LibTorch: a Python with the package torch (2.11.0 is what cupel is "
    "tested with). Run utils/setup.sh, or configure with -DCUPEL_PYTHON=<python that has torch>, or "
    "with -DCUPEL_ENABLE_WORKER=OFF to build the host half alone.")
endif()
if(NOT EXISTS "${CUPEL_TORCH_HOME}/lib/libc10_cuda.so")
  message(FATAL_ERROR
    "The torch in ${CUPEL_TORCH_HOME} was built without CUDA; the worker needs the one with CUDA, "
    "which also runs on machines that have no GPU (pip install torch==2.11.0).")
endif()
if(NOT CUPEL_CUDA_HOME OR NOT EXISTS "${CUPEL_CUDA_HOME}/include/cuda_runtime_api.h")
  message(FATAL_ERROR
    "cupel's worker half needs CUDA's headers (cuda_runtime_api.h). Run utils/setup.sh, or configure "
    "with -DCUPEL_CUDA_HOME=<folder of the toolkit>.")
endif()

# torch's packages lie beside it: .../site-packages/nvidia/cu13/lib.
cmake_path(GET CUPEL_TORCH_HOME PARENT_PATH CUPEL_SITE_PACKAGES)
find_library(CUPEL_CUDART NAMES libcudart.so.13 libcudart.so.12 cudart
             HINTS "${CUPEL_SITE_PACKAGES}/nvidia/cu13/lib" "${CUPEL_SITE_PACKAGES}/nvidia/cuda_runtime/lib"
                   "${CUPEL_CUDA_HOME}/lib64" "${CUPEL_CUDA_HOME}/lib")
if(NOT CUPEL_CUDART)
  message(FATAL_ERROR "cupel's worker half needs libcudart.so (package nvidia-cuda-runtime of torch).")
endif()

find_path(CUPEL_NLOHMANN_INCLUDE_DIR nlohmann/json.hpp
          HINTS "${CMAKE_BINARY_DIR}/host/share/cupel/worker-include"
                "${PROJECT_SOURCE_DIR}/build/host/share/cupel/worker-include"
          DOC "Folder of nlohmann/json.hpp")
if(NOT CUPEL_NLOHMANN_INCLUDE_DIR)
  message(FATAL_ERROR
    "cupel's worker half needs nlohmann/json.hpp (package nlohmann-json3-dev), or "
    "-DCUPEL_NLOHMANN_INCLUDE_DIR=<folder that has nlohmann/json.hpp>.")
endif()

add_library(CupelTorch INTERFACE)
target_include_directories(CupelTorch SYSTEM INTERFACE
  "${CUPEL_TORCH_HOME}/include" "${CUPEL_TORCH_HOME}/include/torch/csrc/api/include"
  "${CUPEL_CUDA_HOME}/include" "${CUPEL_NLOHMANN_INCLUDE_DIR}")
target_compile_definitions(CupelTorch INTERFACE AT_PER_OPERATOR_HEADERS)
target_link_libraries(CupelTorch INTERFACE
  "${CUPEL_TORCH_HOME}/lib/libtorch_cpu.so" "${CUPEL_TORCH_HOME}/lib/libc10_cuda.so"
  "${CUPEL_TORCH_HOME}/lib/libc10.so" "${CUPEL_CUDART}" ${CMAKE_DL_LIBS} rt)
message(STATUS "LibTorch in ${CUPEL_TORCH_HOME}, ${CUPEL_CUDART}")

# Toolkits keep CUPTI in a folder of its own, or among the other headers.
if(CUPEL_ENABLE_CUPTI)
  find_path(CUPEL_CUPTI_INCLUDE_DIR cupti_range_profiler.h
            HINTS "${CUPEL_CUDA_HOME}/include" "${CUPEL_CUDA_HOME}/extras/CUPTI/include"
                  "${CUPEL_SITE_PACKAGES}/nvidia/cu13/include"
            DOC "Folder of CUPTI's headers")
  if(NOT CUPEL_CUPTI_INCLUDE_DIR)
    message(FATAL_ERROR
      "CUPEL_ENABLE_CUPTI needs CUPTI's headers (cupti_range_profiler.h, CUDA 12.6 or later) in "
      "${CUPEL_CUDA_HOME}. Run utils/setup.sh, or configure with "
      "-DCUPEL_CUPTI_INCLUDE_DIR=<their folder> or -DCUPEL_ENABLE_CUPTI=OFF.")
  endif()
  target_include_directories(CupelTorch SYSTEM INTERFACE "${CUPEL_CUPTI_INCLUDE_DIR}")
endif()
