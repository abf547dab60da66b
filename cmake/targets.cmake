# gamehub_add_library(NAME [SOURCES …] [PUBLIC LIBRARY…] [PRIVATE LIBRARY…] [NO_UNITY FILE…] [NO_PCH]): a static
# library with this project's warnings, whose headers are included by their path from the top. With GAMEHUB_UNITY
# up to 8 sources are compiled as one, except those in NO_UNITY.

# gamehub_set_unity(TARGET [FILE…]): the FILEs are compiled separately.
function(gamehub_set_unity target)
  if(GAMEHUB_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    if(ARGN)
      set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endif()
endfunction()

function(gamehub_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PCH" "" "SOURCES;PUBLIC;PRIVATE;NO_UNITY")
  if(NOT arg_SOURCES)
    file(GLOB arg_SOURCES CONFIGURE_DEPENDS *.cpp)
    list(FILTER arg_SOURCES EXCLUDE REGEX "(_test|/main)\\.cpp$")
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} gamehub_flags)
  gamehub_set_unity(${name} ${arg_NO_UNITY})
  if(NOT arg_NO_PCH)
    gamehub_use_pch(${name})
  endif()
endfunction()

# gamehub_pack_relocations(TARGET): a program with relative relocations of a tenth of the bytes, where the linker and glibc
# (2.36) have them.
include(CheckLinkerFlag)
function(gamehub_pack_relocations target)
  check_linker_flag(CXX LINKER:-z,pack-relative-relocs GAMEHUB_PACKS_RELOCATIONS)
  if(GAMEHUB_PACKS_RELOCATIONS)
    target_link_options(${target} PRIVATE LINKER:-z,pack-relative-relocs)
  endif()
endfunction()

# gamehub_embed_page(VARIABLE HEADER NAMESPACE FUNCTION [BUNDLE...]): compiles the files of the folder page/ into the
# program. Sets VARIABLE to the source with the FUNCTION that returns them; the HEADER declares it in gamehub::NAMESPACE.
# Each BUNDLE is a module that becomes one file with all that it imports (embed_page.cmake).
set(GAMEHUB_EMBED_PAGE "${CMAKE_CURRENT_LIST_DIR}/embed_page.cmake")
function(gamehub_embed_page variable header namespace function)
  find_program(GAMEHUB_GZIP gzip REQUIRED)
  set(folder "${CMAKE_CURRENT_SOURCE_DIR}/page")
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp")
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.html" "${folder}/*.css" "${folder}/*.js" "${folder}/*.svg"
    "${folder}/*.webmanifest")
  list(JOIN ARGN "," bundles)
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${folder}" "-DGZIP=${GAMEHUB_GZIP}" "-DOUT=${out}" "-DHEADER=${header}"
      "-DNAMESPACE=${namespace}" "-DFUNCTION=${function}" "-DBUNDLES=${bundles}" -P "${GAMEHUB_EMBED_PAGE}"
    DEPENDS "${GAMEHUB_EMBED_PAGE}" ${files} VERBATIM)
  set(${variable} "${out}" PARENT_SCOPE)
endfunction()
