# Writes the files of a web page as C++, for gamehub_embed_page(): cmake -DFOLDER=… -DGZIP=… -DOUT=… -DHEADER=…
# -DNAMESPACE=… -DFUNCTION=… -P embed_page.cmake. FUNCTION, which HEADER declares in gamehub::NAMESPACE, returns the
# files. Each file is stored plain and compressed, with its ETag.

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

file(GLOB files "${FOLDER}/*.html" "${FOLDER}/*.css" "${FOLDER}/*.js" "${FOLDER}/*.svg")
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
  set(path "/${name}")
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
