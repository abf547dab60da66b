# gamehub_add_engine(NAME SOURCES FILE… [LANGUAGE C] [WARNINGS]): the target NAME builds the plugin
# NAME.so, which exports only its entry function. The default of LANGUAGE is CXX. WARNINGS enables
# -Wall -Wextra -Wpedantic, which the headers pass.
function(gamehub_add_engine name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WARNINGS" "LANGUAGE" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "gamehub_add_engine(${name} …) takes SOURCES FILE… [LANGUAGE C] [WARNINGS]"
      ": give the engine's sources after SOURCES")
  endif()
  add_library(${name} MODULE ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX .so VISIBILITY_INLINES_HIDDEN ON
    C_VISIBILITY_PRESET hidden C_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden CXX_EXTENSIONS OFF)
  if(NOT arg_LANGUAGE OR arg_LANGUAGE STREQUAL CXX)
    target_compile_features(${name} PRIVATE cxx_std_20)
  elseif(arg_LANGUAGE STREQUAL C)
    target_compile_features(${name} PRIVATE c_std_99)
  else()
    message(FATAL_ERROR "gamehub_add_engine(${name} … LANGUAGE ${arg_LANGUAGE}): give C or CXX")
  endif()
  target_link_libraries(${name} PRIVATE gamehub::engine)
  if(arg_WARNINGS)
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic)
  endif()
endfunction()

# gamehub_check_engine(NAME [ARGUMENT…]): adds a test that runs `gamehub-tools engine check` on the
# plugin of the target NAME. GAMEHUB_PROGRAM may also be gamehub, which starts gamehub-tools.
function(gamehub_check_engine name)
  if(NOT GAMEHUB_PROGRAM)
    message(WARNING "ctest does not check ${name}, because gamehub-tools was not found: put it in "
      "PATH, or give -DGAMEHUB_PROGRAM=FILE")
    return()
  endif()
  add_test(NAME ${name}_check
    COMMAND ${GAMEHUB_PROGRAM} engine check $<TARGET_FILE:${name}> ${ARGN})
endfunction()

# gamehub_test_rules(NAME SOURCES FILE…): adds a test, the program NAME_rules of these sources in C++
# and of those of the target NAME. "engines/testing.hpp" has what its main() needs.
function(gamehub_test_rules name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "gamehub_test_rules(${name} …) takes SOURCES FILE…: give the test's sources "
      "after SOURCES")
  endif()
  get_target_property(rules ${name} SOURCES)
  add_executable(${name}_rules ${arg_SOURCES} ${rules})
  target_compile_features(${name}_rules PRIVATE cxx_std_20)
  target_link_libraries(${name}_rules PRIVATE gamehub::engine)
  add_test(NAME ${name}_rules COMMAND ${name}_rules)
endfunction()
