# gamehub_flags: the warnings for the code of this project. Optimisation and sanitizers come from presets.

option(GAMEHUB_WERROR "Warnings are errors (the presets set it)" OFF)
option(GAMEHUB_UNITY "Compile several sources as one: a whole build is faster, a single edit is slower" OFF)

add_library(gamehub_flags INTERFACE)
target_compile_options(gamehub_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(GAMEHUB_WERROR)
  target_compile_options(gamehub_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False alarms of g++ 12: allocation functions that do not match, in sanitized Asio code, and uninitialized variants.
  target_compile_options(gamehub_flags INTERFACE -Wno-error=mismatched-new-delete -Wno-maybe-uninitialized)
  if(GAMEHUB_UNITY)
    # A false alarm in a unity build: it takes an included source for a header.
    target_compile_options(gamehub_flags INTERFACE -Wno-subobject-linkage)
  endif()
endif()
target_include_directories(gamehub_flags INTERFACE ${PROJECT_SOURCE_DIR})
