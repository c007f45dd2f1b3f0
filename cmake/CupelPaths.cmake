# Where Python with torch and the CUDA toolkit are. Both halves want to know: the worker to build,
# the host half to record the folders for the build tree (lib/Support/Toolchain.cpp) and to tell
# the tests what there is. Nothing here is required; who needs a thing says so.
#
#   CUPEL_PYTHON  CUPEL_TORCH_HOME  CUPEL_CUDA_HOME  CUPEL_NVCC     (cache entries, empty: not found)

# The folder of a package is asked for without importing it: torch takes seconds to import.
function(cupel_find_python_package python package result)
  execute_process(
    COMMAND "${python}" -c "import importlib.util as u; s = u.find_spec('${package}')
print(list(s.submodule_search_locations)[0] if s and s.submodule_search_locations else '')"
    OUTPUT_VARIABLE folder ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(cupel_find_python)
  find_program(system_python NAMES python3 NO_CACHE)
  foreach(candidate IN ITEMS "$ENV{CUPEL_PYTHON}" "${CMAKE_BINARY_DIR}/venv/bin/python"
                             "${PROJECT_SOURCE_DIR}/build/venv/bin/python" "${system_python}")
    if(candidate AND EXISTS "${candidate}")
      cupel_find_python_package("${candidate}" torch torch)
      if(torch AND EXISTS "${torch}/include/torch")
        set(CUPEL_PYTHON "${candidate}" CACHE FILEPATH "The Python that has torch")
        set(CUPEL_TORCH_HOME "${torch}" CACHE PATH "Folder of the torch package")
        return()
      endif()
    endif()
  endforeach()
  set(CUPEL_PYTHON "${system_python}" CACHE FILEPATH "The Python that has torch")
endfunction()

function(cupel_find_cuda)
  find_program(nvcc_on_path NAMES nvcc NO_CACHE)
  if(nvcc_on_path)
    file(REAL_PATH "${nvcc_on_path}" nvcc_on_path)
    cmake_path(GET nvcc_on_path PARENT_PATH nvcc_home)
    cmake_path(GET nvcc_home PARENT_PATH nvcc_home)
  endif()
  if(CUPEL_PYTHON)
    cupel_find_python_package("${CUPEL_PYTHON}" nvidia nvidia)
  endif()
  foreach(candidate IN ITEMS "$ENV{CUPEL_CUDA_HOME}" "$ENV{CUDA_HOME}" "${nvcc_home}"
                             /usr/local/cuda "${nvidia}/cu13")
    if(candidate AND EXISTS "${candidate}/include/cuda_runtime.h")
      set(CUPEL_CUDA_HOME "${candidate}" CACHE PATH "Folder of the CUDA toolkit")
      if(EXISTS "${candidate}/bin/nvcc")
        set(CUPEL_NVCC "${candidate}/bin/nvcc" CACHE FILEPATH "nvcc")
      endif()
      return()
    endif()
  endforeach()
endfunction()

if(NOT CUPEL_PYTHON OR NOT CUPEL_TORCH_HOME)
  if(CUPEL_PYTHON)
    cupel_find_python_package("${CUPEL_PYTHON}" torch torch)
    set(CUPEL_TORCH_HOME "${torch}" CACHE PATH "Folder of the torch package")
  else()
    cupel_find_python()
  endif()
endif()
if(NOT CUPEL_CUDA_HOME)
  cupel_find_cuda()
elseif(NOT CUPEL_NVCC AND EXISTS "${CUPEL_CUDA_HOME}/bin/nvcc") # The scripts name the folder alone.
  set(CUPEL_NVCC "${CUPEL_CUDA_HOME}/bin/nvcc" CACHE FILEPATH "nvcc")
endif()
message(STATUS "Python: ${CUPEL_PYTHON}; torch: ${CUPEL_TORCH_HOME}; CUDA: ${CUPEL_CUDA_HOME}")
