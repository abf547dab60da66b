# Writes the files of a web page as C++, for gamehub_embed_page(): cmake -DFOLDER=… -DGZIP=… -DOUT=… -DHEADER=…
# -DNAMESPACE=… -DFUNCTION=… -P embed_page.cmake. FUNCTION, which HEADER declares in gamehub::NAMESPACE, returns the
# files. Each file is stored plain and compressed, with its ETag.
#
# With -DBUNDLES=main.js,worker.js the page is bundled first: each of these modules becomes one file with all that it
# imports, the style sheets that index.html names as page.css become one, and all files but index.html lie in a folder
# v/VERSION, where VERSION is a digest of them, so that a browser can keep them for ever. In index.html '@/' stands for
# that folder.

cmake_minimum_required(VERSION 3.25)

function(append_bytes name file)
  file(READ "${file}" hex HEX)
  string(REPEAT "." 40 line)
  string(REGEX REPLACE "(${line})" "\\1\n    " lines "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${lines}")
  set(text "${text}constexpr char ${name}[] = {\n    ${bytes}};\n" PARENT_SCOPE)
endfunction()

set(type_of_html "text/html; charset=utf-8")
set(type_of_css "text/css; charset=utf-8")
set(type_of_js "text/javascript; charset=utf-8")
set(type_of_svg "image/svg+xml")

set(type_of_webmanifest "application/manifest+json")

# Appends a module to the global property `bundle`, after the modules that it imports. A module becomes a function that
# returns its exports; so an import must be "import {a, b} from" or "import * as a from" on one line, an export a
# declaration at the start of a line, and no import may lead back.
function(append_module name)
  get_property(seen GLOBAL PROPERTY bundled)
  if(name IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY bundled "${name}")
  file(READ "${FOLDER}/${name}.js" module)
  string(REGEX MATCHALL "from \"\\./[a-z_]+\\.js\"" imports "${module}")
  foreach(import IN LISTS imports)
    string(REGEX REPLACE ".*/([a-z_]+)\\.js.*" "\\1" import "${import}")
    append_module("${import}")
  endforeach()
  string(REGEX MATCHALL "\nexport (async )?(const|function\\*?|class) [A-Za-z]+" exports "\n${module}")
  list(TRANSFORM exports REPLACE ".* " "")
  list(JOIN exports ", " exports)
  set(module "\n${module}")
  string(REGEX REPLACE "\nimport [*] as ([A-Za-z]+) from \"\\./([a-z_]+)\\.js\"" "\nconst \\1 = in_\\2" module "${module}")
  string(REGEX REPLACE "\nimport ({[^}]*}) from \"\\./([a-z_]+)\\.js\"" "\nconst \\1 = in_\\2" module "${module}")
  string(REGEX REPLACE "\nexport " "\n" module "${module}")
  # Lines that are comments only; not one that goes on with code.
  string(REGEX REPLACE "(\n *(//[^\n]*|/\\*\\*[^\n]*\\*/|/\\*\\*|\\* [^\n]*|\\*/))+\n" "\n" module "${module}")
  set_property(GLOBAL APPEND_STRING PROPERTY bundle "const in_${name} = (() => {${module}return {${exports}};\n})();\n")
endfunction()

function(bundle_page)
  set(into "${OUT}.bundle")
  file(REMOVE_RECURSE "${into}")
  file(MAKE_DIRECTORY "${into}")
  string(REPLACE "," ";" roots "${BUNDLES}")
  foreach(root IN LISTS roots)
    set_property(GLOBAL PROPERTY bundled "")
    set_property(GLOBAL PROPERTY bundle "")
    string(REGEX REPLACE "\\.js$" "" name "${root}")
    append_module("${name}")
    get_property(text GLOBAL PROPERTY bundle)
    file(WRITE "${into}/${root}" "${text}")
  endforeach()
  set(styles "")
  foreach(sheet base lobby game board)
    file(READ "${FOLDER}/${sheet}.css" text)
    string(APPEND styles "${text}")
  endforeach()
  file(WRITE "${into}/page.css" "${styles}")
  file(GLOB others "${FOLDER}/*.svg" "${FOLDER}/*.webmanifest")
  file(COPY ${others} DESTINATION "${into}")
  file(GLOB parts "${into}/*")
  list(SORT parts)
  set(digests "")
  foreach(part IN LISTS parts)
    file(SHA256 "${part}" digest)
    string(APPEND digests "${digest}")
  endforeach()
  string(SHA256 version "${digests}")
  string(SUBSTRING "${version}" 0 12 version)
  file(READ "${FOLDER}/index.html" front)
  string(REPLACE "\"@/" "\"v/${version}/" front "${front}")
  file(WRITE "${into}/index.html" "${front}")
  set(version "${version}" PARENT_SCOPE)
endfunction()

set(prefix "/")
if(BUNDLES)
  bundle_page()
  set(FOLDER "${OUT}.bundle")
  set(prefix "/v/${version}/")
endif()
file(GLOB files "${FOLDER}/*.html" "${FOLDER}/*.css" "${FOLDER}/*.js" "${FOLDER}/*.svg" "${FOLDER}/*.webmanifest")
list(SORT files)
set(text "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  get_filename_component(ending "${file}" LAST_EXT)
  string(SUBSTRING "${ending}" 1 -1 ending)
  if(NOT DEFINED type_of_${ending})
    message(FATAL_ERROR "${name}: embed_page.cmake has no content type for this extension")
  endif()
  execute_process(COMMAND "${GZIP}" -9 -n -c "${file}" OUTPUT_FILE "${OUT}.gz" COMMAND_ERROR_IS_FATAL ANY)
  append_bytes(plain_${number} "${file}")
  append_bytes(gzipped_${number} "${OUT}.gz")
  file(SHA256 "${file}" digest)
  string(SUBSTRING "${digest}" 0 16 digest)
  # A weak ETag, because the plain and the compressed file share it.
  set(path "${prefix}${name}")
  if(name STREQUAL "index.html")
    set(path "/")
  endif()
  string(APPEND rows
    "    {\"${path}\", \"${type_of_${ending}}\", \"W/\\\"${digest}\\\"\",\n"
    "     {plain_${number}, sizeof plain_${number}}, {gzipped_${number}, sizeof gzipped_${number}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(REMOVE "${OUT}.gz")
file(WRITE "${OUT}" "// Written by embed_page.cmake.\n#include \"${HEADER}\"\n\n"
  "namespace gamehub::${NAMESPACE} {\nnamespace {\n\n${text}\n"
  "constexpr base::static_file files[] = {\n${rows}};\n\n"
  "}  // namespace\n\nstd::span<const base::static_file> ${FUNCTION}() { return files; }\n\n"
  "}  // namespace gamehub::${NAMESPACE}\n")
