#include "tests/tidy/rules.hpp"

#include "tests/tidy/layers.hpp"
#include "tests/tidy/text.hpp"

#include <algorithm>
#include <cctype>

namespace gamehub::tests::tidy {
namespace {

constexpr std::size_t lines_max = 800;
constexpr std::size_t test_lines_max = 1000;
constexpr std::size_t function_lines_max = 60;
constexpr std::size_t leading_comment_lines_max = 8;

bool is_header(std::string_view path) { return path.ends_with(".hpp") || path.ends_with(".h"); }
bool is_test(std::string_view path) { return is_unit_test(path) || glob("tests/**", path); }
bool is_bench(std::string_view path) { return glob("tests/bench/**", path); }

// The programs, whose verbs print their results.
bool prints(std::string_view path) {
  return glob("hub/server/**", path) || glob("hub/admin/**", path) || glob("tools/**", path) ||
         path == "hub/config/program.cpp" || is_bench(path);
}

bool anywhere(std::string_view) { return true; }
bool in_tests(std::string_view path) { return is_test(path) && !is_bench(path); }
bool outside_the_programs(std::string_view path) { return !prints(path); }

// A word that certain files may not have. The literals are cut where this file, which is checked
// like any other, would break the rule.
struct ban {
  std::string_view word;
  bool (*where)(std::string_view path);
  std::string_view instead;
};

constexpr ban in_any_text[] = {
    {"TO"
     "DO",
     anywhere, "do it now, or open an issue and leave the code whole"},
    {"FIX"
     "ME",
     anywhere, "fix it now, or open an issue and leave the code whole"},
};

constexpr ban in_code[] = {
    {"std::cout", outside_the_programs, "return the text, or take a std::ostream&"},
    {"sleep_for", in_tests, "drive the manual loop, or wait for the event itself with a deadline"},
    {"sleep_until", in_tests,
     "drive the manual loop, or wait for the event itself with a deadline"},
    {"usleep", in_tests, "drive the manual loop, or wait for the event itself with a deadline"},
    {"nanosleep", in_tests, "drive the manual loop, or wait for the event itself with a deadline"},
};

// The last word of a type's name says what the type is: for these the project has a better one.
struct replacement {
  std::string_view part;
  std::string_view instead;
};

constexpr replacement in_type_names[] = {
    {"user", "player (who plays) or client (a connection's far end)"},
    {"room", "table (seats and one match)"},
    {"manager", "a noun for what it does"},
    {"helper", "a noun for what it does"},
    {"util", "a noun for what it does"},
    {"utils", "a noun for what it does"},
    {"impl", "a concrete name in an anonymous namespace"},
};

class report {
 public:
  explicit report(const std::string& path) : path_(path) {}

  void add(std::size_t line, std::string what) { found_.push_back({path_, line, std::move(what)}); }
  std::vector<violation> take() { return std::move(found_); }

 private:
  const std::string& path_;
  std::vector<violation> found_;
};

template <std::size_t n>
void check_bans(const ban (&bans)[n], std::string_view path, std::string_view line,
                std::size_t number, report& out) {
  for (const auto& each : bans)
    if (each.where(path) && has_word(line, each.word))
      out.add(number, "has " + std::string{each.word} + ": " + std::string{each.instead});
}

// The identifier at the start of the text after blanks.
std::string_view next_identifier(std::string_view text) {
  const auto begin = std::find_if(text.begin(), text.end(), [](char c) { return c != ' '; });
  const auto end = std::find_if(begin, text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_';
  });
  return text.substr(static_cast<std::size_t>(begin - text.begin()),
                     static_cast<std::size_t>(end - begin));
}

// The names of the types that the line declares.
std::vector<std::string_view> declared_types(std::string_view line) {
  std::vector<std::string_view> names;
  for (const std::string_view key :
       {"class ", "struct ", "enum ", "union ", "using ", "concept "}) {
    for (auto at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
      const auto is_alias_or_type = key != "using " || line.find('=', at) != line.npos;
      const auto starts = at == 0 || line[at - 1] == ' ' || line[at - 1] == '<';
      if (starts && is_alias_or_type)
        names.push_back(next_identifier(line.substr(at + key.size())));
    }
  }
  return names;
}

bool has_last_word(std::string_view line, std::string_view word) {
  return line.ends_with(word) && line.size() > word.size() &&
         line[line.size() - word.size() - 1] == ' ';
}

void check_type_names(std::string_view line, std::size_t number, report& out) {
  for (const auto name : declared_types(line)) {
    // A nested `struct impl` is how C++ hides members; a type `x_impl` says nothing.
    if (name == "impl") continue;
    for (const auto& each : in_type_names)
      if (name == each.part || name.ends_with("_" + std::string{each.part}))
        out.add(number, "names a type " + std::string{name} + ": instead of '" +
                            std::string{each.part} + "' say " + std::string{each.instead});
  }
}

void check_using_namespace(std::string_view path, std::string_view line, std::size_t number,
                           report& out) {
  if (line.find("using namespace ") == line.npos) return;
  if (path.ends_with(".cpp") && line.find("literals;") != line.npos) return;
  // A test reads best in the words of what it tests.
  if (path.ends_with("_test.cpp") && line.find("using namespace gamehub") != line.npos) return;
  out.add(
      number,
      "has a using namespace: name what is used, or make an alias of the namespace in the .cpp");
}

void check_blanks(std::string_view path, std::string_view line, std::size_t number, report& out) {
  if (is_source(path) && line.find('\t') != line.npos)
    out.add(number, "has a tab: indent with spaces (./dev format)");
  if (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0)
    out.add(number, "ends in blanks: remove them");
}

// A host that serves packages, by the shape of its name: none is named here either.
bool names_package_host(std::string_view line) {
  for (const std::string_view front :
       {"deb.", "ftp.", "snapshot.", "registry.", "proxy.", "pypi."}) {
    const auto at = line.find(front);
    if (at == line.npos ||
        (at > 0 && next_identifier(line.substr(at - 1)).size() > front.size() - 1))
      continue;
    const auto name = next_identifier(line.substr(at + front.size()));
    const auto end = line.substr(at + front.size() + name.size());
    if (!name.empty() && name != "example" && (end.starts_with(".org") || end.starts_with(".com")))
      return true;
  }
  return false;
}

// A path that is right on one machine only.
bool names_workplace(std::string_view line) {
  constexpr std::string_view folder =
      "/wor"
      "k/";
  for (auto at = line.find(folder); at != line.npos; at = line.find(folder, at + 1)) {
    const auto before = at == 0 ? ' ' : line[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 &&
        std::string_view{"_-.}>"}.find(before) == std::string_view::npos)
      return true;
  }
  return false;
}

void check_places_named(std::string_view line, std::size_t number, report& out) {
  if (names_package_host(line))
    out.add(number, "names a host of packages: name the package, its client knows the host");
  if (names_workplace(line))
    out.add(number, "names a folder of one machine: say it from the root of the checkout");
}

// The lines of the comment that the file begins with.
std::size_t leading_comment_lines(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return 0;
  std::size_t count = 0;
  if (lines[0].starts_with("/*")) {
    while (count < lines.size() && lines[count].find("*/") == std::string_view::npos) ++count;
    return count + 1;
  }
  while (count < lines.size() && lines[count].starts_with("//")) ++count;
  return count;
}

void check_header(const std::vector<std::string_view>& lines, report& out) {
  const auto comment = leading_comment_lines(lines);
  if (comment == 0)
    out.add(1, "begins without a comment: say what it is, who owns it and which threads call it");
  if (comment > leading_comment_lines_max)
    out.add(1, "begins with a comment over 8 lines: make two headers if it has two subjects");
  if (std::find(lines.begin(), lines.end(), "#pragma once") == lines.end())
    out.add(1, "lacks #pragma once: write it under the leading comment");
}

void check_length(std::string_view path, std::size_t count, report& out) {
  const auto most = is_test(path) ? test_lines_max : lines_max;
  if (count > most)
    out.add(most + 1,
            "is over " + std::to_string(most) + " lines: split it where it has two subjects");
}

// Whether a body begins at the '{' that ends this line: after parameters, qualifiers or a list of
// initialisers, not after the name of a type or of a namespace.
bool begins_function(std::string_view line) {
  if (!line.ends_with(" {")) return false;
  const auto head = line.substr(0, line.size() - 2);
  if (head.empty() || !declared_types(head).empty()) return false;
  return head.ends_with(')') || head.ends_with('}') || has_last_word(head, "const") ||
         has_last_word(head, "noexcept") || has_last_word(head, "override");
}

// Counts from the line of the opening brace to that of the closing one.
void check_functions(std::string_view code, report& out) {
  std::size_t begin = 0;  // the line where the outermost open function begins, from 1
  std::size_t depth = 0;  // of the braces in that function
  std::size_t number = 0;
  for (const auto line : lines_of(code)) {
    ++number;
    if (begin == 0 && begins_function(line)) {
      begin = number;
      depth = 1;
      continue;
    }
    if (begin == 0) continue;
    depth += static_cast<std::size_t>(std::count(line.begin(), line.end(), '{'));
    const auto closed = static_cast<std::size_t>(std::count(line.begin(), line.end(), '}'));
    if (closed < depth) {
      depth -= closed;
      continue;
    }
    if (number - begin + 1 > function_lines_max)
      out.add(begin, "begins a function of " + std::to_string(number - begin + 1) +
                         " lines, over " + std::to_string(function_lines_max) +
                         ": give its parts names");
    begin = 0;
  }
}

// `x_y_test.cpp` tests x_y or, as one of several, x.
bool has_unit(const std::vector<std::string>& paths, std::string_view test) {
  const auto stem = test.substr(0, test.size() - std::string_view{"_test.cpp"}.size());
  return std::any_of(paths.begin(), paths.end(), [&](std::string_view path) {
    if (!is_source(path) || path.ends_with("_test.cpp") || folder_of(path) != folder_of(test))
      return false;
    const auto unit = path.substr(0, path.rfind('.'));
    return stem == unit || stem.starts_with(std::string{unit} + "_");
  });
}

}  // namespace

std::vector<violation> check(const source_file& file) {
  report out{file.path};
  const auto lines = lines_of(file.text);
  for (std::size_t at = 0; at < lines.size(); ++at) {
    check_bans(in_any_text, file.path, lines[at], at + 1, out);
    check_blanks(file.path, lines[at], at + 1, out);
    check_places_named(lines[at], at + 1, out);
  }
  if (!is_source(file.path)) return out.take();

  const auto code = code_of(file.text);
  const auto code_lines = lines_of(code);
  for (std::size_t at = 0; at < code_lines.size(); ++at) {
    check_bans(in_code, file.path, code_lines[at], at + 1, out);
    check_using_namespace(file.path, code_lines[at], at + 1, out);
    check_type_names(code_lines[at], at + 1, out);
  }
  if (is_header(file.path)) check_header(lines, out);
  check_length(file.path, lines.size(), out);
  if (!is_test(file.path)) check_functions(code, out);
  auto found = out.take();
  for (auto& each : check_includes(file)) found.push_back(std::move(each));
  for (auto& each : check_namespaces(file)) found.push_back(std::move(each));
  return found;
}

std::vector<violation> check_places(const std::vector<std::string>& paths) {
  std::vector<violation> found;
  for (const auto& path : paths)
    if (path.ends_with("_test.cpp") && !glob("tests/**", path) && !has_unit(paths, path))
      found.push_back(
          {path, 1,
           "lies beside no unit that it tests: name it after the unit (x_test.cpp beside "
           "x.cpp), or move it to tests/ if it spans several"});
  return found;
}

}  // namespace gamehub::tests::tidy
