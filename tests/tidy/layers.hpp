// The layer table: which folder may use which folders and libraries, and which namespace a folder
// has. includes.cpp applies it to #include lines and namespaces, links.cpp to CMake's link graph.
// Pure functions over constants; callable from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gamehub::tests::tidy {

// One row of the table.
struct layer {
  std::string_view files;              // pattern of the files of this row
  std::vector<std::string_view> uses;  // patterns of our headers; "./" is the row's own folder
  std::vector<std::string_view> libraries;
  std::vector<std::string_view> libraries_in_cpp;  // not in headers
  std::string_view why;
};

// A library that is not ours. `name` is the word that the table uses.
struct library {
  std::string_view name;
  std::string_view advice;  // where the library belongs, and what to use instead of it
};

// The first row whose pattern matches the file; null without a match.
const layer* layer_of(std::string_view file);

// The row of the libraries that a folder builds. Null without a match.
const layer* layer_of_folder(std::string_view folder);

// Whether a row is for this folder alone, as "engines/host/**" is and "engines/*/**" is not.
bool has_own_row(std::string_view folder);

// Whether the row lets this file include that header of ours.
bool may_include(const layer&, std::string_view file, std::string_view header);

// Whether the row lets a file of this folder include any header of that folder.
bool may_use_folder(const layer&, std::string_view folder, std::string_view used);

// Whether the row lets this file include a header of the library.
bool may_use_library(const layer&, std::string_view file, const library&);

// Whether the row names the library at all, be it for sources alone.
bool names_library(const layer&, const library&);

// Whether the row of the folder, or a row for files of it, names the library: one library compiles
// them all, so that it links what any of them uses.
bool folder_names_library(std::string_view folder, const library&);

// The library of an `#include <header>`, of a foreign namespace, and of a CMake target. The last
// two return null for what they do not know.
const library& library_of_header(std::string_view header);
const library* library_of_namespace(std::string_view name);
const library* library_of_target(std::string_view target);

// The folder of a file, without a '/' at its end: "hub/core" of "hub/core/ids.hpp".
std::string_view folder_of(std::string_view file);

// The namespace that the files of a folder are in: "gamehub::actors::lobby" of "actors/lobby".
std::string namespace_of(std::string_view folder);

// The folder that owns a namespace of ours: "actors/lobby" of "gamehub::actors::lobby::detail".
std::string folder_of_namespace(std::string_view name);

bool is_unit_test(std::string_view file);

}  // namespace gamehub::tests::tidy
