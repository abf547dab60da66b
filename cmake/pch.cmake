# gamehub_use_pch(TARGET): with GAMEHUB_PCH, the target's sources are compiled with a precompiled header of the
# standard library, which is made once. JSON, CLI11, Asio and Beast are not in it: every source would pay for
# their templates again (the sources of settings took 106 instead of 66 CPU s).

option(GAMEHUB_PCH "Precompile the standard library's headers" OFF)

# g++ accepts a precompiled header only with the same code generation flags as the source. Set `PIC` OFF for programs.
function(gamehub_add_pch name pic)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${name}.cpp" CONTENT "")
  add_library(${name} OBJECT "${PROJECT_BINARY_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE gamehub_flags)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ${pic} UNITY_BUILD OFF)
  target_precompile_headers(${name} PRIVATE <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable>
    <cstdint> <cstring> <deque> <filesystem> <fstream> <functional> <iostream> <map> <memory> <mutex> <numeric>
    <optional> <random> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map>
    <unordered_set> <utility> <variant> <vector> ${ARGN})
endfunction()

# ccache needs this to see what is in a precompiled header of g++, and CCACHE_SLOPPINESS=pch_defines,time_macros,
# which the preset sets. Without that variable ccache compiles these sources each time.
if(GAMEHUB_CCACHE)
  set(gamehub_pch_options $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

if(GAMEHUB_PCH)
  gamehub_add_pch(gamehub_pch ON)
endif()

function(gamehub_use_pch target)
  if(GAMEHUB_PCH)
    target_compile_options(${target} PRIVATE ${gamehub_pch_options})
    target_precompile_headers(${target} REUSE_FROM gamehub_pch)
  endif()
endfunction()
