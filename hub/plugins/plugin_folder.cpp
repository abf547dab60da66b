#include "hub/plugins/plugin_folder.hpp"

#include "engines/process/program.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <atomic>
#include <sys/stat.h>
#include <thread>
#include <utility>
#include <variant>

namespace gamehub::plugins {

namespace {

namespace fs = std::filesystem;
using engines::process::program_extension;

// Removes the file name with which the loader's sentences begin.
std::string without_file(std::string sentence, const fs::path& file) {
  const auto head = file.string() + ": ";
  return sentence.starts_with(head) ? sentence.substr(head.size()) : sentence;
}

// Calls `each` with the numbers below `count` on a few threads: a probe mostly waits.
template <class Each>
void in_parallel(std::size_t count, Each each) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (auto i = next++; i < count; i = next++) each(i);
  };
  std::vector<std::jthread> threads;
  for (std::size_t t = 1; t < std::min(count, limits::plugin_trials_at_once); ++t)
    threads.emplace_back(work);
  work();
}

}  // namespace

std::string refusal_of(const plugin& p) {
  return "plugin refused: " + p.file.string() + ": " + p.why + '.';
}

folder::folder(fs::path where, probe p, opener open, std::vector<std::string> programs)
    : where_(std::move(where)),
      probe_(std::move(p)),
      open_(std::move(open)),
      programs_(std::move(programs)) {}

std::optional<folder::identity> folder::identity_of(const fs::path& file) {
  if (!engines::process::id_in(file.string()).empty()) return identity{};
  struct stat s {};
  if (stat(file.c_str(), &s) != 0 || !S_ISREG(s.st_mode)) return std::nullopt;
  constexpr std::int64_t second = 1'000'000'000;
  return identity{s.st_dev, s.st_ino, static_cast<std::uint64_t>(s.st_size),
                  s.st_mtim.tv_sec * second + s.st_mtim.tv_nsec};
}

std::vector<folder::found> folder::list_files() const {
  std::vector<found> out;
  for (const auto& each : programs_) out.push_back({each, {}});
  if (where_.empty()) return out;
  for (const auto& entry : fs::directory_iterator{where_}) {
    if (entry.path().extension() != ".so" && entry.path().extension() != program_extension)
      continue;
    if (const auto is = identity_of(entry.path())) out.push_back({entry.path(), *is});
  }
  std::sort(out.begin(), out.end(), [](const found& a, const found& b) { return a.file < b.file; });
  return out;
}

// Returns the reasons that need no probe.
std::optional<std::string> folder::refuse_reason(const found& f) const {
  if (const auto at = code_loaded_.find(f.file); at != code_loaded_.end() && at->second != f.is)
    return "it was changed after it was loaded, and loaded code stays: give each release a file "
           "name of its own";
  if (code_loaded_.contains(f.file) || f.is == identity{}) return std::nullopt;
  for (const auto& [file, is] : code_loaded_)
    if (is == f.is) return "it is loaded already, as " + file.filename().string();
  return std::nullopt;
}

std::vector<plugin> folder::scan() {
  auto files = list_files();
  std::erase_if(files, [&](const found& f) {
    const auto at = code_loaded_.find(f.file);
    return loaded_.contains(f.file) && at != code_loaded_.end() && at->second == f.is;
  });
  std::vector<probed> results(files.size());
  in_parallel(files.size(), [&](std::size_t i) {
    results[i] = refuse_reason(files[i]);
    if (!results[i].refusal) results[i] = probe_(files[i].file);
  });
  refused_.clear();
  std::vector<plugin> fresh;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto p = load(files[i], results[i]);
    (p.engine ? loaded_ : refused_).insert_or_assign(p.file, p);
    fresh.push_back(std::move(p));
  }
  return fresh;
}

plugin folder::load(const found& f, const probed& result) {
  plugin out{f.file, {}, {}};
  if (result.refusal) out.why = without_file(*result.refusal, f.file);
  // A probe takes time; the file may have been replaced meanwhile.
  else if (identity_of(f.file) != f.is)
    out.why = "it was changed while it was looked at: look again when it is whole";
  // Two new names of one file.
  else if (const auto twin = refuse_reason(f))
    out.why = *twin;
  if (!out.why.empty()) return out;
  code_loaded_.insert_or_assign(f.file, f.is);
  auto loaded = open_(f.file);
  if (auto* wrong = std::get_if<std::string>(&loaded))
    out.why = without_file(std::move(*wrong), f.file);
  else
    out.engine = std::get<engines::host::engine>(loaded), out.examples = result.examples;
  return out;
}

void folder::refuse(const fs::path& file, std::string why) {
  loaded_.erase(file);
  refused_.insert_or_assign(file, plugin{file, {}, std::move(why)});
}

std::vector<plugin> folder::all() const {
  std::vector<plugin> out;
  for (const auto* of : {&loaded_, &refused_})
    for (const auto& [file, p] : *of) out.push_back(p);
  std::stable_sort(out.begin(), out.end(),
                   [](const plugin& a, const plugin& b) { return a.file < b.file; });
  return out;
}

}  // namespace gamehub::plugins
