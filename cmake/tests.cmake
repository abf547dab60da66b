# gamehub_add_test(NAME SOURCES … LIBS … [TIMEOUT SECONDS] [LABELS …] [WHOLE]): one program of
# Catch2 tests, each case of which ctest runs and times by itself; with WHOLE the program is one test.

find_package(Catch2 REQUIRED)

add_library(gamehub_catch STATIC ${PROJECT_SOURCE_DIR}/tests/support/catch_main.cpp)
target_link_libraries(gamehub_catch PUBLIC Catch2::Catch2)
target_include_directories(gamehub_catch PUBLIC ${PROJECT_SOURCE_DIR})

include(Catch)

function(gamehub_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WHOLE" "TIMEOUT" "SOURCES;LIBS;LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  # Sanitizers slow everything down.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 6")
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} gamehub_flags gamehub_catch)
  # What a test itself does is little, and to optimise it took a third of the time of a whole build.
  target_compile_options(${name} PRIVATE -O0)
  if(arg_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    if(arg_LABELS)
      set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}")
    endif()
  else()
    set(properties TIMEOUT ${arg_TIMEOUT})
    if(arg_LABELS)
      list(APPEND properties LABELS "${arg_LABELS}")
    endif()
    catch_discover_tests(${name} PROPERTIES ${properties} DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
