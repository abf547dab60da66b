# gamehub_add_test(NAME SOURCES … LIBS … [TIMEOUT SECONDS] [LABELS …] [WHOLE] [NO_UNITY FILE…]): a program of
# Catch2 tests. ctest runs and times each test case separately, or with WHOLE the program as one test. In a
# GAMEHUB_UNITY build up to 8 sources are compiled as one, except those in NO_UNITY, whose names others have too.
# Those without LABELS are unit tests: they have the label unit, and the target unit_tests builds them all.

option(GAMEHUB_TEST_PCH "Precompile the headers of Catch2 and the standard library for tests" ON)
# A program with a sanitizer starts and ends in 0.3 s, which is longer than most cases take.
option(GAMEHUB_TEST_WHOLE "Run each program of unit tests as one test" OFF)
add_custom_target(unit_tests)

find_package(Catch2 REQUIRED)
include(Catch)

add_library(gamehub_catch STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp)
target_link_libraries(gamehub_catch PUBLIC Catch2::Catch2)
target_include_directories(gamehub_catch PUBLIC ${PROJECT_SOURCE_DIR})
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  # Its code is not what is tested: 20 instead of 34 s.
  target_compile_options(gamehub_catch PRIVATE -fno-sanitize=undefined)
endif()
if(GAMEHUB_UNITY)
  # A local name may be that of a helper in another file of the unit. It follows the options of gamehub_flags.
  target_compile_options(gamehub_catch INTERFACE -Wno-shadow)
endif()

# A test does little work itself, and its optimisation took a third of the time of a whole build.
set(gamehub_test_options -O0)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*undefined")
  # These checks are for the code that is tested. In that of the tests they took a third of the time to compile it: 10.9
  # instead of 7.1 s for the unit of hub/core.
  list(APPEND gamehub_test_options -fno-sanitize=null,alignment,object-size,vptr)
endif()

if(GAMEHUB_TEST_PCH)
  gamehub_add_pch(gamehub_test_pch OFF "${PROJECT_SOURCE_DIR}/tests/support/catch.hpp")
  target_link_libraries(gamehub_test_pch PRIVATE Catch2::Catch2)
  target_compile_options(gamehub_test_pch PRIVATE ${gamehub_test_options} ${gamehub_pch_options})
endif()

# It links test programs in a third of the time.
find_program(GAMEHUB_LLD ld.lld)

function(gamehub_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "TIMEOUT" "SOURCES;LIBS;LABELS;NO_UNITY")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *_test.cpp)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
    add_dependencies(unit_tests ${name})
    if(GAMEHUB_TEST_WHOLE AND NOT arg_WHOLE)
      set(arg_WHOLE ON)
      # The time of a case is not enough for all cases of a program: one took 11 minutes beside three builds.
      set(arg_TIMEOUT 600)
    endif()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  # Sanitizers slow everything down.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 6")
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}")

  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} gamehub_flags gamehub_catch)
  target_compile_options(${name} PRIVATE ${gamehub_test_options})
  if(GAMEHUB_LLD)
    target_link_options(${name} PRIVATE -fuse-ld=lld)
  endif()
  gamehub_set_unity(${name} ${arg_NO_UNITY})
  if(GAMEHUB_TEST_PCH)
    # As the precompiled header, which g++ otherwise rejects.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${gamehub_pch_options})
    target_precompile_headers(${name} REUSE_FROM gamehub_test_pch)
  endif()

  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    # It starts before short tests, so that none waits for it at the end.
    set_tests_properties(${name} PROPERTIES ${properties} COST 30)
  else()
    catch_discover_tests(${name} PROPERTIES ${properties} DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
