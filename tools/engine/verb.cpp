#include "hub/app/new_engine/verb.hpp"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <system_error>

#include "hub/app/setting_sources.hpp"

namespace gamehub::app {
namespace {

namespace fs = std::filesystem;

// A folder that is removed with all that is in it unless it got its final name.
class temporary_folder {
 public:
  explicit temporary_folder(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
    path_ += ".part";
    std::error_code error;
    // It may be left over from a program that was killed.
    fs::remove_all(path_, error);
    if (!fs::create_directory(path_, error)) fail(error);
  }
  ~temporary_folder() {
    std::error_code ignored;
    if (!complete_) fs::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  void write(const project_file& file) const {
    std::ofstream out{path_ / file.name, std::ios::binary};
    out << file.text;
    out.close();
    if (!out) fail(std::make_error_code(std::errc::io_error));
  }
  void finish() {
    std::error_code error;
    fs::rename(path_, wanted_, error);
    if (error) fail(error);
    complete_ = true;
  }

 private:
  [[noreturn]] void fail(const std::error_code& why) const {
    throw usage_error{shown(wanted_.string()) + " can't be made (" + why.message() +
                           "): give a folder for which there is leave and room with --into"};
  }

  const fs::path wanted_;
  fs::path path_;
  bool complete_ = false;
};

}  // namespace

void make_project(const new_engine_request& r) {
  std::error_code ignored;
  if (!fs::is_directory(r.into, ignored))
    throw usage_error{"--into is " + shown(r.into.string()) +
                           ", which is no folder: make it first, or give another"};
  const auto wanted = (r.into / r.id).lexically_normal();
  if (fs::exists(fs::symlink_status(wanted, ignored)))
    throw usage_error{shown(wanted.string()) +
                           " is there already and stays as it is: give the engine another name, or "
                           "another folder with --into"};
  temporary_folder folder{wanted};
  for (const auto& file : project_of(r)) folder.write(file);
  folder.finish();
}

sdk_place find_sdk(const fs::path& program, const std::string& path_variable) {
  std::error_code ignored;
  const auto bin = program.parent_path();
  const auto prefix = bin.parent_path();
  if (!fs::exists(prefix / "share/cmake/gamehub-engine", ignored)) return {};
  // CMake looks beside the folders of PATH.
  sdk_place out{prefix, false};
  std::size_t begin = 0;
  while (begin <= path_variable.size()) {
    const auto end = std::min(path_variable.find(':', begin), path_variable.size());
    const fs::path folder{path_variable.substr(begin, end - begin)};
    if (!folder.empty() && fs::equivalent(folder, bin, ignored)) out.found_by_cmake = true;
    begin = end + 1;
  }
  return out;
}

int carry_out(const new_engine_request& r) {
  make_project(r);
  std::error_code ignored;
  const char* path = std::getenv("PATH");
  const auto sdk = find_sdk(fs::read_symlink("/proc/self/exe", ignored), path ? path : "");
  std::cout << next_steps(r, sdk) << std::flush;
  if (std::cout) return EXIT_SUCCESS;
  std::cerr << "gamehub: standard output can't be written.\n";
  return EXIT_FAILURE;
}

}  // namespace gamehub::app
