#include "engines/process/engine_files.hpp"

#include "engines/process/program.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <variant>

namespace gamehub::engines::process {

namespace {

namespace fs = std::filesystem;

// The dynamic linker's, for the libraries of a plugin.
constexpr const char* library_files[] = {"/lib",       "/lib64",         "/usr/lib",
                                         "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"};

// What programs and their runtimes read: nothing of it is a secret, or about other processes.
constexpr const char* program_files[] = {"/usr",
                                         "/bin",
                                         "/lib",
                                         "/lib32",
                                         "/lib64",
                                         "/etc/ld.so.cache",
                                         "/etc/localtime",
                                         "/etc/ssl/openssl.cnf",
                                         "/proc/meminfo",
                                         "/proc/cpuinfo",
                                         "/sys/devices/system/cpu"};

// The files of the process, by which a runtime finds its stack and its bounds.
constexpr const char* process_files[] = {"maps", "stat", "statm", "status", "cgroup"};

// The folder of a file and, if a link names it, that of the linked file. Never the root folder,
// which has all files.
void add_folder_of(const fs::path& file, std::vector<std::string>& to) {
  std::error_code unknown;
  for (const auto& each : {file, fs::canonical(file, unknown)}) {
    if (each.empty()) continue;
    const auto folder = each.parent_path();
    auto found = (folder == folder.root_path() ? each : folder).string();
    if (std::find(to.begin(), to.end(), found) == to.end()) to.push_back(std::move(found));
  }
}

// Where execvp() finds it; empty: nowhere.
fs::path found_in(const std::string& search, const std::string& name, const fs::path& from) {
  if (name.find('/') != name.npos) return from / name;
  for (std::size_t begin = 0; begin <= search.size();) {
    const auto end = std::min(search.find(':', begin), search.size());
    auto file = from / search.substr(begin, end - begin) / name;
    std::error_code unknown;
    if (fs::is_regular_file(file, unknown) && access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return {};
}

void add_libraries_beside(std::vector<std::string>& folders) {
  const auto count = folders.size();
  for (std::size_t i = 0; i < count; ++i) {
    const fs::path folder = folders[i];
    if (folder.filename() != "bin") continue;
    for (const auto* name : {"lib", "lib64", "pyvenv.cfg"})
      folders.push_back((folder.parent_path() / name).string());
  }
}

}  // namespace

std::vector<std::string> files_of_program(const std::vector<std::string>& words,
                                          const fs::path& from, const std::string& search) {
  std::vector<std::string> out;
  if (words.empty()) return out;
  if (const auto program = found_in(search, words.front(), from); !program.empty())
    add_folder_of(program, out);
  add_libraries_beside(out);
  // Of a script also the files beside it.
  bool has_script = false;
  for (auto word = std::next(words.begin()); word != words.end(); ++word) {
    const auto named = (from / *word).lexically_normal();
    std::error_code unknown;
    const bool is_file = !word->empty() && fs::is_regular_file(named, unknown);
    if (is_file && !has_script)
      add_folder_of(named, out);
    else if (is_file ||
             (!word->empty() && named.has_relative_path() && fs::is_directory(named, unknown)))
      out.push_back(named.string());
    has_script = has_script || is_file;
  }
  return out;
}

std::vector<std::string> readable_files(const std::string& what) {
  std::vector<std::string> out;
  std::error_code unknown;
  if (!is_program(what)) {
    // The id of an engine in this program needs no files.
    if (what.find_first_of("/.") == what.npos && !fs::exists(what, unknown)) return out;
    add_folder_of(fs::absolute(what, unknown), out);
    out.insert(out.end(), std::begin(library_files), std::end(library_files));
    return out;
  }
  const auto start = start_of(what);
  // Without one the process says what is wrong.
  if (const auto* found = std::get_if<program_start>(&start)) {
    const auto from = found->folder.empty() ? fs::current_path(unknown) : found->folder;
    out = files_of_program(found->words, from, search_path());
  }
  // The process reads the file again.
  if (id_in(what).empty() && what.ends_with(program_extension))
    add_folder_of(fs::absolute(what, unknown), out);
  out.insert(out.end(), std::begin(program_files), std::end(program_files));
  for (const auto* name : process_files) out.push_back(std::string{"/proc/self/"} + name);
  return out;
}

}  // namespace gamehub::engines::process
