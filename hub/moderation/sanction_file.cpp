#include "hub/moderation/sanction_file.hpp"

#include "hub/base/usage_error.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gamehub::moderation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
  throw base::usage_error{"the file of sanctions " + file.string() + " can't be read (" + why +
                          "): mend it, take it away, or give another --moderation-file"};
}

sanction read(const json& from) {
  const auto what = kind_of(from.at("kind").get<std::string>());
  if (!what) throw std::invalid_argument{"there is no such kind as " + from.at("kind").dump()};
  sanction out{*what, from.at("whom"), from.value("reason", ""), from.value("since", "")};
  if (!has_normal_target(out)) throw std::invalid_argument{out.target + " is no network"};
  return out;
}

// Replaces the file atomically, also in case of a power failure. Returns why it can't.
std::optional<std::string> replace(const fs::path& file, const std::string& text) {
  auto beside = file;
  beside += ".new";
  const auto out = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) return std::strerror(errno);
  const auto written = ::write(out, text.data(), text.size());
  const bool good = written == static_cast<ssize_t>(text.size()) && fsync(out) == 0;
  std::string why = std::strerror(errno);
  close(out);
  std::error_code failed;
  if (good) {
    fs::rename(beside, file, failed);
    if (!failed) return std::nullopt;
    why = failed.message();
  }
  fs::remove(beside, failed);
  return why;
}

class sanction_file final : public sanction_table {
 public:
  explicit sanction_file(fs::path file) : file_(std::move(file)) {
    std::error_code ignored;
    if (!file_.empty() && fs::exists(file_, ignored)) list_.all = read_sanctions(file_);
  }

  sanction_list read() override { return list_; }

  write_result write(const sanction_change&, const sanction_list& after) override {
    if (after.generation != list_.generation + 1) return {write_result::outcome::outdated, {}};
    list_ = after;
    if (file_.empty()) return {};
    const auto why = replace(file_, to_json(list_.all) + '\n');
    if (!why) return {};
    return {write_result::outcome::not_kept, file_.string() + " can't be written (" + *why + ")"};
  }

 private:
  const fs::path file_;
  sanction_list list_;
};

}  // namespace

std::unique_ptr<sanction_table> make_sanction_file(fs::path file) {
  return std::make_unique<sanction_file>(std::move(file));
}

std::vector<sanction> read_sanctions(const fs::path& file) {
  std::ifstream in{file};
  if (!in) fail(file, std::strerror(errno));
  std::vector<sanction> out;
  try {
    const auto all = json::parse(in);
    for (const auto& each : all.at("sanctions")) out.push_back(read(each));
  } catch (const std::exception& e) {
    fail(file, e.what());
  }
  return out;
}

}  // namespace gamehub::moderation
