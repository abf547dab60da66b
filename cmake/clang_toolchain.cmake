# clang under the name that this system has for it: the fuzz targets need libFuzzer.
find_program(GAMEHUB_CLANG NAMES clang-14 clang NO_CACHE)
find_program(GAMEHUB_CLANGXX NAMES clang++-14 clang++ NO_CACHE)
if(NOT GAMEHUB_CLANG OR NOT GAMEHUB_CLANGXX)
  message(FATAL_ERROR "There is no clang++: run ./dev install, or install clang-14 (or clang).")
endif()
set(CMAKE_C_COMPILER "${GAMEHUB_CLANG}")
set(CMAKE_CXX_COMPILER "${GAMEHUB_CLANGXX}")
