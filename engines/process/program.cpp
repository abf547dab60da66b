#include "engines/process/program.hpp"

#include "hub/base/child_process.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::engines::process {

namespace {

constexpr std::size_t file_bytes_max = 64 * 1024;

constexpr std::string_view blanks = " \t\r";

int refuse(const std::string& why) {
  std::cerr << why << std::endl;
  return exit_code_not_started;
}

static_assert(processes_max < 10, "a digit has every number of processes");

bool is_number_of_processes(std::string_view text) {
  return text.size() == 1 && text >= "1" && text <= std::to_string(processes_max);
}

// The descriptors and the environment of the program.
int execute(std::vector<std::string> words) {
  if (dup2(base::child_channel, STDIN_FILENO) < 0 || dup2(base::child_channel, STDOUT_FILENO) < 0)
    return refuse("the channel can't be its standard input and output");
  close(base::child_channel);
  auto search = "PATH=" + search_path();
  std::string language = "LANG=C.UTF-8";
  // Python writes no files into a folder of plugins.
  std::string no_cache = "PYTHONDONTWRITEBYTECODE=1";
  char* environment[] = {search.data(), language.data(), no_cache.data(), nullptr};
  std::vector<char*> arguments;
  for (auto& each : words) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), environment);
  return refuse(words[0] + " can't be started (" + std::generic_category().message(errno) + ")");
}

}  // namespace

std::string_view id_in(std::string_view what) {
  const auto equals = what.find('=');
  const auto id = what.substr(0, equals == what.npos ? 0 : equals);
  return std::all_of(id.begin(), id.end(), base::is_id_character) ? id : std::string_view{};
}

std::string text_of(const std::filesystem::path& plugin) {
  return id_in(plugin.string()).empty() ? std::filesystem::absolute(plugin).string()
                                        : plugin.string();
}

std::string id_fault(std::string_view what, std::string_view id) {
  const auto wanted = id_in(what);
  if (wanted.empty() || wanted == id) return {};
  return "its engine has the id " + std::string{id} + ", not " + std::string{wanted};
}

bool is_program(std::string_view what) {
  if (!id_in(what).empty() || what.ends_with(program_extension)) return true;
  if (what.ends_with(".so")) return false;
  std::error_code unknown;
  return what.find(' ') != what.npos && !std::filesystem::exists(std::string{what}, unknown);
}

std::variant<std::vector<std::string>, std::string> words_of(std::string_view command) {
  std::vector<std::string> out;
  char quote = 0;
  bool inside = false;
  for (const char c : command) {
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      if (!inside) out.emplace_back();
      inside = true;
    } else if (quote == 0 && blanks.find(c) != blanks.npos) {
      inside = false;
    } else {
      if (!inside) out.emplace_back();
      inside = true;
      out.back() += c;
    }
  }
  if (quote != 0) return "its command has a quote without an end";
  if (out.empty()) return "it has no command: write a line such as command = python3 mygame.py";
  return out;
}

engine_file read_engine_file(std::string_view text) {
  engine_file out;
  for (std::size_t begin = 0, number = 1; begin <= text.size(); ++number) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const auto line = base::trimmed(text.substr(begin, end - begin), blanks);
    begin = end + 1;
    if (line.empty() || line.front() == '#') continue;
    const auto equals = line.find('=');
    const auto name = base::trimmed(line.substr(0, equals), blanks);
    const auto value = equals == line.npos ? "" : base::trimmed(line.substr(equals + 1), blanks);
    if (name == "command" && equals != line.npos && out.command.empty()) {
      out.command = value;
    } else if (name == "processes" && out.processes == 0 && is_number_of_processes(value)) {
      out.processes = static_cast<std::size_t>(value.front() - '0');
    } else {
      out.wrong = "line " + std::to_string(number) +
                  " is no setting of such a file: write command = python3 mygame.py once, and, if "
                  "it is to have more than one process, processes = 1 to " +
                  std::to_string(processes_max);
      return out;
    }
  }
  const auto words = words_of(out.command);
  if (const auto* wrong = std::get_if<std::string>(&words)) out.wrong = *wrong;
  return out;
}

std::string search_path() {
  const char* const path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

std::variant<program_start, std::string> start_of(const std::string& what) {
  engine_file found{what.substr(id_in(what).empty() ? 0 : id_in(what).size() + 1), 0, {}};
  program_start out;
  if (id_in(what).empty() && what.ends_with(program_extension)) {
    std::ifstream in{what, std::ios::binary};
    if (!in) return "the file can't be read";
    std::string text(file_bytes_max + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > file_bytes_max)
      return "the file is longer than " + std::to_string(file_bytes_max) + " bytes";
    found = read_engine_file(text);
    std::error_code error;
    out.folder = std::filesystem::absolute(what, error).parent_path();
    if (error) return "its folder can't be entered (" + error.message() + ")";
  }
  if (!found.wrong.empty()) return found.wrong;
  auto words = words_of(found.command);
  if (auto* wrong = std::get_if<std::string>(&words)) return std::move(*wrong);
  out.words = std::get<std::vector<std::string>>(std::move(words));
  out.processes = found.processes;
  return out;
}

int become_program(const std::string& what) {
  // The service manager signals all processes; the hub ends this one by its channel.
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  auto start = start_of(what);
  if (const auto* wrong = std::get_if<std::string>(&start)) return refuse(*wrong);
  auto& found = std::get<program_start>(start);
  std::error_code error;
  if (!found.folder.empty()) std::filesystem::current_path(found.folder, error);
  if (error) return refuse("its folder can't be entered (" + error.message() + ")");
  return execute(std::move(found.words));
}

}  // namespace gamehub::engines::process
