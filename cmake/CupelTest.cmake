# cupel_add_unittest(NAME sources... LIBS libraries...)
#
# One GoogleTest program, registered with CTest as a whole: one process for each test case would
# cost more than the tests themselves.
find_package(GTest REQUIRED)

# utils/test.sh shows the tests of both builds in one list.
set(CUPEL_TEST_PREFIX "")
set(CUPEL_TEST_ENVIRONMENT "")
if(CUPEL_SANITIZE)
  set(CUPEL_TEST_PREFIX "asan-")
  # LLVM's headers poison memory by hand where the code that includes them is instrumented, but its
  # library is not and unpoisons nothing, so those reports would be false.
  set(CUPEL_TEST_ENVIRONMENT "ASAN_OPTIONS=allow_user_poisoning=0:detect_leaks=0"
                             "UBSAN_OPTIONS=print_stacktrace=1")
endif()

function(cupel_add_unittest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  add_test(NAME ${CUPEL_TEST_PREFIX}${name} COMMAND ${name})
  set_tests_properties(${CUPEL_TEST_PREFIX}${name} PROPERTIES
    TIMEOUT 600 ENVIRONMENT "${CUPEL_TEST_ENVIRONMENT}")
endfunction()
