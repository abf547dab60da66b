# Writes OUTPUT, a C++ source with the text of each template in FOLDER and the layout of the tree.
file(GLOB names RELATIVE ${FOLDER} ${FOLDER}/*.in)
list(SORT names)

set(entries)
macro(add_template name file)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"template(${text})template\"},\n")
endmacro()

foreach(name IN LISTS names)
  string(REGEX REPLACE "\\.in$" "" shown ${name})
  add_template(${shown} ${FOLDER}/${name})
endforeach()
add_template(clang-format ${LAYOUT})
add_template(gamehub_engine.py ${SDK}/python/gamehub_engine.py)
add_template(gamehub_engine.mjs ${SDK}/javascript/gamehub_engine.mjs)
foreach(name IN ITEMS Cargo.toml src/json.rs src/lib.rs src/matches.rs src/serve.rs src/state.rs src/wire.rs)
  add_template(gamehub-engine/${name} ${SDK}/rust/${name})
endforeach()

file(WRITE ${OUTPUT} "#include \"tools/engine/templates.hpp\"

namespace gamehub::tools::engine {

std::span<const template_file> templates() {
  static constexpr template_file all[] = {
${entries}  };
  return all;
}

}  // namespace gamehub::tools::engine
")
