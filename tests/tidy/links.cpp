// The layer table applied to CMake's link graph. A library is named after its folder: hub/base
// builds gamehub_hub_base, and gamehub_hub_base_os if it needs a second one.
#include "tests/tidy/layers.hpp"
#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace gamehub::tests::tidy {
namespace {

constexpr std::string_view prefix = "gamehub_";

// Targets of the build itself, which every library may link.
constexpr std::string_view free_targets[] = {"gamehub_flags", "gamehub_pch"};

// The library of hub/base that has the log: the other one is linked by codecs and fuzz targets.
constexpr std::string_view base_library = "gamehub_hub_base";
constexpr std::string_view base_os_library = "gamehub_hub_base_os";

constexpr std::string_view keywords[] = {"PUBLIC",   "PRIVATE", "INTERFACE", "SOURCES",
                                         "NO_UNITY", "NO_PCH",  "PCH"};

struct word {
  std::string text;
  std::size_t line = 0;
};

struct command {
  std::string name;
  std::vector<word> arguments;
};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// The commands of a CMakeLists.txt, without comments and quotes.
std::vector<command> commands_of(std::string_view text) {
  std::vector<command> found;
  std::size_t line = 1;
  std::size_t depth = 0;
  word current;
  auto quoted = false;
  std::string last;  // the word before a '('
  const auto end_word = [&] {
    if (current.text.empty()) return;
    if (depth > 0) found.back().arguments.push_back(current);
    last = std::exchange(current.text, {});
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = text[at];
    if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (!quoted && (c == '(' || c == ')' || is_space(c))) {
      end_word();
      if (c == '(' && ++depth == 1) found.push_back({last, {}});
      if (c == ')' && depth > 0) --depth;
    } else {
      if (current.text.empty()) current.line = line;
      current.text += c;
    }
    if (c == '\n') ++line;
  }
  return found;
}

// One library, with what one command says it links.
struct linked {
  std::string path;
  word name;
  std::vector<word> sources;
  std::vector<word> links;
};

template <typename Range>
bool contains(const Range& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

linked read_links(const std::string& path, const command& from) {
  linked found{path, from.arguments[0], {}, {}};
  auto in_links = from.name == "target_link_libraries";
  for (const auto& each : from.arguments) {
    if (&each == &from.arguments[0]) continue;
    if (contains(keywords, each.text))
      in_links = each.text == "PUBLIC" || each.text == "PRIVATE" || each.text == "INTERFACE";
    else
      (in_links ? found.links : found.sources).push_back(each);
  }
  return found;
}

std::vector<linked> links_in(const std::vector<source_file>& files) {
  std::vector<linked> found;
  for (const auto& file : files) {
    if (!file.path.ends_with("CMakeLists.txt") || file.path.starts_with("tests/")) continue;
    for (const auto& each : commands_of(file.text))
      if ((each.name == "gamehub_add_library" || each.name == "target_link_libraries") &&
          !each.arguments.empty() && each.arguments[0].text.starts_with(prefix))
        found.push_back(read_links(file.path, each));
  }
  return found;
}

std::set<std::string> folders_of(const std::vector<source_file>& files) {
  std::set<std::string> folders;
  for (const auto& file : files)
    if (is_source(file.path)) folders.insert(std::string{folder_of(file.path)});
  return folders;
}

// The folder that the library is named after, the longest one that fits, or nothing. The name
// counts up to a variable, as in gamehub_gateways_${protocol}.
std::string folder_of_library(std::string_view name, const std::set<std::string>& folders) {
  const auto part = name.substr(0, name.find("${")).substr(prefix.size());
  std::string best;
  for (const auto& folder : folders) {
    auto wanted = folder;
    std::replace(wanted.begin(), wanted.end(), '/', '_');
    if ((part == wanted || part.starts_with(wanted + "_")) && folder.size() > best.size())
      best = folder;
  }
  return best;
}

bool is_free(std::string_view target) {
  return target.find("$<") != target.npos ||
         (target.starts_with("${") && library_of_target(target) == nullptr) ||
         std::any_of(std::begin(free_targets), std::end(free_targets),
                     [&](std::string_view each) { return target.starts_with(each); });
}

// What is wrong with one link of a library of this folder, or nothing.
std::string fault_of_link(std::string_view library_name, const std::string& folder,
                          std::string_view target, const std::set<std::string>& folders) {
  const auto* row = layer_of_folder(folder);
  if (is_free(target) || row == nullptr) return {};
  const auto links = std::string{library_name} + " may not link " + std::string{target};
  if (const auto* library = library_of_target(target)) {
    if (!folder_names_library(folder, *library))
      return links + ", which belongs to " + std::string{library->advice} +
             " (here: " + std::string{row->why} + ")";
    if (library_name == base_library && library->name == "spdlog")
      return links + ": codecs link this library; the log is in " + std::string{base_os_library};
    return {};
  }
  if (!target.starts_with(prefix))
    return links + ", which no row knows: add the target to tests/tidy/layers.cpp";
  const auto used = folder_of_library(target, folders);
  if (used.empty()) return links + ", which is named after no folder";
  if (library_name == base_library && target == base_os_library)
    return links + ": codecs link this library, and need no operating system";
  if (used == folder || may_use_folder(*row, folder, used)) return {};
  return links + ", the library of " + used + ": " + std::string{row->why};
}

}  // namespace

std::vector<violation> check_links(const std::vector<source_file>& files) {
  const auto folders = folders_of(files);
  std::vector<violation> found;
  for (const auto& [path, name, sources, links] : links_in(files)) {
    const auto folder = folder_of_library(name.text, folders);
    if (folder.empty() && library_of_target(name.text) != nullptr) continue;
    if (folder.empty()) {
      found.push_back({path, name.line,
                       name.text + " is named after no folder: hub/base builds gamehub_hub_base"});
      continue;
    }
    for (const auto& source : sources) {
      const auto compiled = std::string{folder_of(path)} + "/" + source.text;
      if (source.text.find('$') == std::string::npos && !compiled.starts_with(folder + "/"))
        found.push_back({path, source.line,
                         name.text + " compiles " + source.text + ", which is not in " + folder});
    }
    for (const auto& link : links)
      if (auto fault = fault_of_link(name.text, folder, link.text, folders); !fault.empty())
        found.push_back({path, link.line, std::move(fault)});
  }
  return found;
}

std::vector<use> link_graph(const std::vector<source_file>& files) {
  const auto folders = folders_of(files);
  std::vector<use> found;
  for (const auto& [path, name, sources, links] : links_in(files)) {
    const auto from = folder_of_library(name.text, folders);
    for (const auto& link : links) {
      if (is_free(link.text) || library_of_target(link.text) != nullptr ||
          !link.text.starts_with(prefix))
        continue;
      auto to = folder_of_library(link.text, folders);
      if (!from.empty() && !to.empty() && from != to)
        found.push_back({from, std::move(to), path, link.line});
    }
  }
  return found;
}

}  // namespace gamehub::tests::tidy
