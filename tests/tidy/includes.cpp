// The layer table applied to one file: its #include lines and its namespaces.
#include "tests/tidy/layers.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

namespace gamehub::tests::tidy {
namespace {

// The header that the line includes with its first delimiter, < or ", or nothing.
std::string_view included_by(std::string_view line) {
  const auto hash = line.find_first_not_of(' ');
  if (hash == line.npos || line[hash] != '#') return {};
  const auto word = line.find_first_not_of(' ', hash + 1);
  if (word == line.npos || !line.substr(word).starts_with("include")) return {};
  const auto open = line.find_first_of("<\"", word);
  if (open == line.npos) return {};
  return line.substr(open, line.find_first_of(">\"", open + 1) - open);
}

struct opened_namespace {
  std::string name;  // in full, as gamehub::actors::lobby
  std::size_t line = 0;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The name after the word `namespace` at the start of the text if a '{' follows it: not of an
// alias, of a using-directive or of an unnamed namespace.
std::string_view name_opened(std::string_view text) {
  constexpr std::string_view word = "namespace ";
  if (!text.starts_with(word)) return {};
  text.remove_prefix(word.size());
  const auto end = static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return !is_name(c) && c != ':'; }) -
      text.begin());
  const auto next = text.find_first_not_of(" \n", end);
  return next != text.npos && text[next] == '{' ? text.substr(0, end) : std::string_view{};
}

// All named namespaces that the code opens, with the names of those around them.
std::vector<opened_namespace> namespaces_in(std::string_view code) {
  std::vector<opened_namespace> found;
  std::vector<std::string> open;  // the namespace inside each brace
  std::string next;               // the name for the next brace
  std::size_t line = 1;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const auto outer = open.empty() ? std::string{} : open.back();
    const auto name = at == 0 || !is_name(code[at - 1]) ? name_opened(code.substr(at)) : "";
    if (!name.empty()) {
      next = (outer.empty() ? "" : outer + "::") + std::string{name};
      found.push_back({next, line});
    } else if (code[at] == '{') {
      open.push_back(next.empty() ? outer : std::exchange(next, {}));
    } else if (code[at] == '}' && !open.empty()) {
      open.pop_back();
    }
    if (code[at] == '\n') ++line;
  }
  return found;
}

bool is_in(std::string_view name, const std::string& outer) {
  return name == outer || name.starts_with(outer + "::");
}

// Whether a namespace that a file of this folder opens is the folder's or a part of it. hub/core
// has gamehub itself, so that there the owner decides.
bool is_own(std::string_view name, std::string_view folder, const std::string& owner) {
  if (!is_in(name, namespace_of(folder))) return false;
  return layer_of_folder(owner) == layer_of_folder(folder) ||
         (folder != "hub/core" && !has_own_row(owner));
}

// The limits of a protocol are in its folder, and in the namespace of all limits.
bool is_limits(std::string_view name, std::string_view path) {
  return name == "gamehub::limits" && path.ends_with("_limits.hpp");
}

// Whether the code declares anything; a file of includes and macros needs no namespace.
bool has_declarations(std::string_view code) {
  auto continues = false;
  for (const auto line : lines_of(code)) {
    const auto first = line.find_first_not_of(' ');
    if (first != line.npos && line[first] != '#' && !continues) return true;
    continues = line.ends_with('\\');
  }
  return false;
}

// Templates and examples of the SDK show the code of people who have a namespace of theirs.
bool has_namespace_rule(std::string_view path) {
  return path.find('/') != path.npos && !path.starts_with("tests/") && !is_unit_test(path) &&
         !path.starts_with("engines/sdk/") && !path.ends_with(".h");
}

}  // namespace

std::vector<violation> check_includes(const source_file& file) {
  const auto* row = layer_of(file.path);
  if (row == nullptr)
    return {{file.path, 1, "is in no layer: move it, or add a row in tests/tidy/layers.cpp"}};
  std::vector<violation> found;
  std::size_t number = 0;
  for (const auto line : lines_of(file.text)) {
    ++number;
    const auto marked = included_by(line);
    if (marked.empty()) continue;
    const auto header = marked.substr(1);
    const auto message = "may not include " + std::string{header};
    if (marked[0] == '"') {
      if (!may_include(*row, file.path, header))
        found.push_back({file.path, number, message + ": " + std::string{row->why}});
      continue;
    }
    const auto& owner = library_of_header(header);
    if (may_use_library(*row, file.path, owner)) continue;
    const auto advice = names_library(*row, owner)
                            ? "which only .cpp files of this folder may include"
                            : "which belongs to " + std::string{owner.advice};
    found.push_back(
        {file.path, number, message + ", " + advice + " (here: " + std::string{row->why} + ")"});
  }
  return found;
}

std::vector<violation> check_namespaces(const source_file& file) {
  const auto* row = layer_of(file.path);
  if (row == nullptr || !has_namespace_rule(file.path)) return {};
  std::vector<violation> found;
  const auto folder = folder_of(file.path);
  const auto own = namespace_of(folder);
  const auto code = code_of(file.text);
  auto opens_own = false;
  for (const auto& [name, line] : namespaces_in(code)) {
    // Every namespace of ours is in gamehub, which is hub/core's: the table tells whose it is.
    if (is_in(name, "gamehub")) {
      const auto owner = folder_of_namespace(name);
      if (is_own(name, folder, owner) || is_limits(name, file.path))
        opens_own = true;
      else if (!may_use_folder(*row, folder, owner))
        found.push_back({file.path, line,
                         "may not declare anything in " + name + ", the namespace of " + owner +
                             ": " + std::string{row->why}});
    } else {
      const auto* library = library_of_namespace(name);
      if (library == nullptr || !names_library(*row, *library))
        found.push_back(
            {file.path, line,
             "may not declare anything in " + name +
                 (library == nullptr ? ": the namespaces of the hub are in gamehub"
                                     : ", which belongs to " + std::string{library->advice})});
    }
  }
  if (!opens_own && !file.path.ends_with("/main.cpp") && has_declarations(code))
    found.push_back({file.path, 1, "is not in namespace " + own + ", the one of its folder"});
  return found;
}

std::vector<use> include_graph(const std::vector<source_file>& files) {
  std::set<std::pair<std::string, std::string>> known;
  std::vector<use> found;
  for (const auto& file : files) {
    if (!is_source(file.path) || is_unit_test(file.path) || file.path.starts_with("tests/"))
      continue;
    std::size_t number = 0;
    for (const auto line : lines_of(file.text)) {
      ++number;
      const auto marked = included_by(line);
      if (!marked.starts_with('"')) continue;
      std::pair edge{std::string{folder_of(file.path)}, std::string{folder_of(marked.substr(1))}};
      if (edge.first != edge.second && known.insert(edge).second)
        found.push_back({edge.first, edge.second, file.path, number});
    }
  }
  return found;
}

}  // namespace gamehub::tests::tidy
