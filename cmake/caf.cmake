# Finds CAF 0.18.7 (core only, static), or builds it, at configure time: Debian's stable releases carry 0.17.6.
# include()d, it defines the target CAF::core. As a script, `cmake -P cmake/caf.cmake`, it only fills the cache
# for a release build. The first of these is used:
#   1. an installed CAF 0.18.7 in CAF_ROOT, CMAKE_PREFIX_PATH, /usr/local or /usr; not for sanitizers, which
#      report false errors if CAF is not instrumented too;
#   2. the build in the cache: GAMEHUB_CACHE, or XDG_CACHE_HOME/gamehub, or ~/.cache/gamehub;
#   3. a build from the release tarball, which is GAMEHUB_CAF_TARBALL, or the file in the cache, or comes from
#      Debian's source package through apt, or from CAF's own site.
cmake_minimum_required(VERSION 3.25)

set(gamehub_caf_version 0.18.7)
set(gamehub_caf_sha256 d5c3abe8fd67a729aab1baeece10367637d903ba335f4c79378bcadfbcd34552)
set(gamehub_caf_url
  https://github.com/actor-framework/actor-framework/archive/refs/tags/${gamehub_caf_version}.tar.gz)

# Sets `result` to the cache folder, which exists and is writable afterwards.
function(gamehub_cache_folder result)
  set(folder "$ENV{GAMEHUB_CACHE}")
  if(folder STREQUAL "" AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
    set(folder "$ENV{XDG_CACHE_HOME}/gamehub")
  elseif(folder STREQUAL "" AND NOT "$ENV{HOME}" STREQUAL "")
    set(folder "$ENV{HOME}/.cache/gamehub")
  elseif(folder STREQUAL "")
    message(FATAL_ERROR "CAF: neither GAMEHUB_CACHE nor HOME is set: set GAMEHUB_CACHE to a folder for builds.")
  endif()
  get_filename_component(folder "${folder}" ABSOLUTE)
  execute_process(COMMAND mkdir -p "${folder}/sources" RESULT_VARIABLE failed ERROR_QUIET)
  execute_process(COMMAND test -w "${folder}/sources" RESULT_VARIABLE unwritable)
  if(failed OR unwritable)
    message(FATAL_ERROR "CAF: the cache ${folder} is not writable: set GAMEHUB_CACHE to a folder that is.")
  endif()
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(gamehub_is_caf_tarball result file)
  set(sum "")
  if(EXISTS "${file}" AND NOT IS_DIRECTORY "${file}")
    file(SHA256 "${file}" sum)
  endif()
  string(COMPARE EQUAL "${sum}" "${gamehub_caf_sha256}" genuine)
  set(${result} ${genuine} PARENT_SCOPE)
endfunction()

# Sets `result` to a tarball with the right checksum.
function(gamehub_caf_tarball result cache scratch)
  if(NOT "$ENV{GAMEHUB_CAF_TARBALL}" STREQUAL "")
    get_filename_component(given "$ENV{GAMEHUB_CAF_TARBALL}" ABSOLUTE)
    gamehub_is_caf_tarball(genuine "${given}")
    if(NOT genuine)
      message(FATAL_ERROR "CAF: GAMEHUB_CAF_TARBALL=${given} is not the ${gamehub_caf_version} release tarball "
        "(SHA256 ${gamehub_caf_sha256}).")
    endif()
    set(${result} "${given}" PARENT_SCOPE)
    return()
  endif()
  set(kept "${cache}/sources/actor-framework-${gamehub_caf_version}.tar.gz")
  set(fetched "${scratch}/caf.tar.gz")
  gamehub_is_caf_tarball(genuine "${kept}")
  if(NOT genuine)
    message(STATUS "CAF: looking for the source package of ${gamehub_caf_version} in apt's archives")
    execute_process(COMMAND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/caf_from_apt.sh" ${gamehub_caf_version} "${scratch}")
    gamehub_is_caf_tarball(genuine "${fetched}")
    if(NOT genuine)
      message(STATUS "CAF: downloading ${gamehub_caf_url}")
      file(DOWNLOAD ${gamehub_caf_url} "${fetched}" STATUS status INACTIVITY_TIMEOUT 30 TIMEOUT 300)
      gamehub_is_caf_tarball(genuine "${fetched}")
    endif()
    if(NOT genuine)
      message(FATAL_ERROR "CAF: neither apt nor CAF's site (${status}) supplied the tarball with SHA256 "
        "${gamehub_caf_sha256}: download ${gamehub_caf_url} elsewhere and store it as ${kept}, or set "
        "GAMEHUB_CAF_TARBALL to its path.")
    endif()
    file(COPY_FILE "${fetched}" "${kept}.new")
    file(RENAME "${kept}.new" "${kept}")
  endif()
  set(${result} "${kept}" PARENT_SCOPE)
endfunction()

# Builds CAF and renames the result to `prefix`, so that a prefix is always complete.
function(gamehub_build_caf prefix cache compiler flags optimization)
  # The system releases the lock when this process ends, for whatever reason.
  file(LOCK "${prefix}.lock" GUARD FUNCTION TIMEOUT 0 RESULT_VARIABLE locked)
  if(NOT locked EQUAL 0)
    message(STATUS "CAF: waiting for another build of ${prefix}")
    file(LOCK "${prefix}.lock" GUARD FUNCTION)
  endif()
  if(EXISTS "${prefix}")
    return()
  endif()
  # A fixed name, so that ccache finds the sources again after an interrupted build.
  set(scratch "${prefix}.building")
  file(REMOVE_RECURSE "${scratch}")
  file(MAKE_DIRECTORY "${scratch}")
  gamehub_caf_tarball(tarball "${cache}" "${scratch}")
  file(ARCHIVE_EXTRACT INPUT "${tarball}" DESTINATION "${scratch}")
  set(source "${scratch}/actor-framework-${gamehub_caf_version}")
  # A unity build takes less than half the time. Two sources of CAF define the same name.
  file(APPEND "${source}/libcaf_core/CMakeLists.txt"
    "\nset_source_files_properties(src/binary_serializer.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)\n")

  # One source of CAF lacks <cstdint>, which is an error for g++ 14.
  set(options "-DCMAKE_CXX_FLAGS=${flags} -include cstdint" "-DCMAKE_CXX_FLAGS_RELEASE=${optimization}"
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=20 -DBUILD_SHARED_LIBS=OFF -DCMAKE_UNITY_BUILD=ON
    "-DCMAKE_CXX_COMPILER=${compiler}" "-DCMAKE_INSTALL_PREFIX=${scratch}/prefix")
  foreach(module EXAMPLES TESTING TOOLS IO_MODULE OPENSSL_MODULE)
    list(APPEND options -DCAF_ENABLE_${module}=OFF)
  endforeach()
  find_program(ccache ccache NO_CACHE)
  if(ccache)
    list(APPEND options "-DCMAKE_CXX_COMPILER_LAUNCHER=${ccache}")
  endif()
  find_program(ninja ninja NO_CACHE)
  if(ninja)
    list(APPEND options -G Ninja)
  endif()
  set(jobs "$ENV{CMAKE_BUILD_PARALLEL_LEVEL}")
  if(NOT jobs)
    cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  endif()

  message(STATUS "CAF: building ${prefix} with ${jobs} jobs: some minutes, once")
  set(log "${prefix}.log")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${scratch}/build" ${options}
    OUTPUT_FILE "${log}" ERROR_FILE "${log}" RESULT_VARIABLE failed)
  if(NOT failed)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${scratch}/build" --target install --parallel ${jobs}
      OUTPUT_FILE "${log}" ERROR_FILE "${log}" RESULT_VARIABLE failed)
  endif()
  if(failed)
    file(STRINGS "${log}" errors REGEX "[Ee]rror" LIMIT_COUNT 5)
    list(JOIN errors "\n" errors)
    message(FATAL_ERROR "CAF: ${gamehub_caf_version} did not build with ${compiler}, see ${log}:\n${errors}")
  endif()
  file(RENAME "${scratch}/prefix" "${prefix}")
  file(REMOVE_RECURSE "${scratch}")
  file(REMOVE "${log}")
endfunction()

# Sets `result` to the prefix of a build for `variant`, release, asan or tsan, with `compiler`.
function(gamehub_cached_caf result variant compiler)
  if(variant STREQUAL "release")
    set(optimization "-O2 -DNDEBUG")
    set(flags "")
  elseif(variant STREQUAL "asan")
    # The checks of -O1 code take twice as long to compile: 378 instead of 179 CPU s. Those of undefined behaviour are for
    # our code.
    set(optimization "-O0 -g1")
    set(flags "-fsanitize=address -fno-omit-frame-pointer")
  else()
    set(optimization "-O1 -g1")
    set(flags "-fsanitize=thread -fno-omit-frame-pointer")
  endif()
  execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE name RESULT_VARIABLE failed ERROR_QUIET)
  execute_process(COMMAND "${compiler}" -dumpmachine OUTPUT_VARIABLE machine ERROR_QUIET)
  if(failed)
    message(FATAL_ERROR "CAF: '${compiler}' is no C++ compiler: run ./dev install, or set CXX.")
  endif()
  # c++ and g++ print the name by which they were called.
  string(REGEX REPLACE "^[^ ]+ " "" name "${name}")
  string(SHA256 key "${name}${machine}${flags}\n${optimization}")
  string(SUBSTRING "${key}" 0 10 key)
  gamehub_cache_folder(cache)
  # "build" tells these from the prefixes of earlier versions, which had other flags under other keys.
  set(prefix "${cache}/caf-${gamehub_caf_version}-build-${variant}-${key}")
  if(NOT EXISTS "${prefix}")
    gamehub_build_caf("${prefix}" "${cache}" "${compiler}" "${flags}" "${optimization}")
  endif()
  set(${result} "${prefix}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  if("$ENV{CXX}" STREQUAL "")
    find_program(compiler NAMES c++ g++ clang++ NO_CACHE)
  else()
    set(compiler "$ENV{CXX}")
  endif()
  gamehub_cached_caf(prefix release "${compiler}")
  message(STATUS "CAF: ${prefix}")
  return()
endif()

set(gamehub_caf_variant release)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*address")
  set(gamehub_caf_variant asan)
elseif(CMAKE_CXX_FLAGS MATCHES "-fsanitize=[a-z,]*thread")
  set(gamehub_caf_variant tsan)
endif()

# Set by an earlier configuration, maybe with other flags.
if(CAF_DIR MATCHES "/caf-[0-9.]+-build-")
  unset(CAF_DIR CACHE)
endif()
if(gamehub_caf_variant STREQUAL "release")
  find_package(CAF ${gamehub_caf_version} EXACT CONFIG QUIET COMPONENTS core)
endif()
if(NOT CAF_FOUND)
  unset(CAF_DIR CACHE)
  gamehub_cached_caf(gamehub_caf_prefix ${gamehub_caf_variant} "${CMAKE_CXX_COMPILER}")
  find_package(CAF ${gamehub_caf_version} EXACT CONFIG REQUIRED COMPONENTS core
    PATHS "${gamehub_caf_prefix}" NO_DEFAULT_PATH)
endif()
message(STATUS "CAF: ${CAF_DIR}")
