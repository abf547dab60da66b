#include "tools/engine/verb.hpp"

#include "engines/check/check.hpp"
#include "engines/check/report_text.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "hub/config/setting_sources.hpp"
#include "tools/engine/check_arguments.hpp"

#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

namespace gamehub::tools::engine {
namespace {

namespace fs = std::filesystem;

// A temporary folder. The destructor removes it unless finish() gave it its final name.
class temporary_folder {
 public:
  explicit temporary_folder(const fs::path& wanted) : wanted_(wanted), path_(wanted) {
    path_ += ".part";
    std::error_code error;
    // A killed program may have left it.
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
    throw base::usage_error{config::shown(wanted_.string()) + " can't be created (" +
                            why.message() +
                            "): give a folder with space and write permission with --into"};
  }

  const fs::path wanted_;
  fs::path path_;
  bool complete_ = false;
};

}  // namespace

void make_project(const new_engine_request& r) {
  std::error_code ignored;
  if (!fs::is_directory(r.into, ignored))
    throw base::usage_error{"--into is " + config::shown(r.into.string()) +
                            ", which is not a folder: create it, or give another one"};
  const auto wanted = (r.into / r.id).lexically_normal();
  if (fs::exists(fs::symlink_status(wanted, ignored)))
    throw base::usage_error{config::shown(wanted.string()) +
                            " already exists and is not changed: give the engine another name, or "
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
  // CMake searches the prefixes of the folders in PATH.
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

namespace {

int run_new(const new_engine_request& r) {
  make_project(r);
  std::error_code ignored;
  const char* path = std::getenv("PATH");
  const auto sdk = find_sdk(fs::read_symlink("/proc/self/exe", ignored), path ? path : "");
  return config::print(next_steps(r, sdk));
}

int run_check(const engines::check::check_request& r) {
  const auto found = engines::check::check(r);
  if (!found.unusable.empty()) throw base::usage_error{found.unusable};
  const auto text = r.json ? engines::check::in_json(found, r) : engines::check::in_words(found, r);
  if (config::print(text) != EXIT_SUCCESS) return EXIT_FAILURE;
  return found.kept() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int run(int argc, const char* const* argv) {
  const std::string_view what = argc > 2 ? argv[2] : "";
  // The child process of a check.
  if (argc == 4 && what == engines::check::probe_verb) return engines::check::probe(argv[3]);
  if (what == "new") return config::run_request(parse_new_engine(argc, argv), run_new);
  if (what == "check" || what.starts_with('-'))
    return config::run_request(parse_check(argc, argv), run_check);
  throw base::usage_error{
      "engine: missing subcommand (new or check). Example: gamehub engine new hexapawn"};
}

}  // namespace gamehub::tools::engine
