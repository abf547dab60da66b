#include "hub/moderation/sanction_store.hpp"

#include "hub/base/address.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace gamehub::moderation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using kind = sanction::kind;

constexpr unsigned ipv4_prefix = 96;

std::optional<kind> kind_of(std::string_view word) {
  for (const auto each : {kind::banned_name, kind::banned_address, kind::muted_name})
    if (to_string(each) == word) return each;
  return std::nullopt;
}

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
  throw base::usage_error{"the file of sanctions " + file.string() + " can't be read (" + why +
                          "): mend it, take it away, or give another --moderation-file"};
}

sanction read(const json& from) {
  const auto what = kind_of(from.at("kind").get<std::string>());
  if (!what) throw std::invalid_argument{"there is no such kind as " + from.at("kind").dump()};
  sanction out{*what, from.at("whom"), from.value("reason", ""), from.value("since", "")};
  if (*what == kind::banned_address && network_text(out.target) != out.target)
    throw std::invalid_argument{out.target + " is no network"};
  return out;
}

std::vector<sanction> load(const fs::path& file) {
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) return {};
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

[[noreturn]] void fail_write(const fs::path& file, const std::string& why) {
  throw not_stored{"this holds until the hub stops, but " + file.string() + " can't be written (" +
                   why + "): repeat the command when it can"};
}

// Replaces the file atomically, also in case of a power failure.
void write(const fs::path& file, const std::string& text) {
  auto beside = file;
  beside += ".new";
  const auto out = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (out < 0) fail_write(file, std::strerror(errno));
  const auto written = ::write(out, text.data(), text.size());
  const bool good = written == static_cast<ssize_t>(text.size()) && fsync(out) == 0;
  std::string why = std::strerror(errno);
  close(out);
  std::error_code failed;
  if (good) {
    fs::rename(beside, file, failed);
    if (!failed) return;
    why = failed.message();
  }
  fs::remove(beside, failed);
  fail_write(file, why);
}

bool same(const sanction& s, kind what, std::string_view target) {
  return s.what == what && s.target == target;
}

}  // namespace

sanction_store::sanction_store(fs::path file, ban_list& bans)
    : file_(std::move(file)), bans_(bans), all_(load(file_)) {
  apply();
}

void sanction_store::add(sanction s) {
  auto all = all_;
  std::erase_if(all, [&](const sanction& each) { return same(each, s.what, s.target); });
  if (all.size() >= limits::sanctions_max)
    throw std::runtime_error{"there are " + std::to_string(all.size()) +
                             " sanctions already: lift some"};
  all.push_back(std::move(s));
  store(std::move(all));
}

bool sanction_store::remove(kind what, std::string_view target) {
  auto all = all_;
  if (std::erase_if(all, [&](const sanction& each) { return same(each, what, target); }) == 0)
    return false;
  store(std::move(all));
  return true;
}

void sanction_store::store(std::vector<sanction> all) {
  all_ = std::move(all);
  apply();
  if (!file_.empty()) write(file_, to_json(all_) + '\n');
}

void sanction_store::apply() {
  moderation_list list;
  for (const auto& each : all_) {
    switch (each.what) {
      case kind::banned_name: list.banned_names.insert(each.target); break;
      case kind::muted_name: list.muted_names.insert(each.target); break;
      case kind::banned_address:
        list.banned_addresses.push_back(*base::read_network(each.target));
        break;
    }
  }
  bans_.set(std::move(list));
}

std::string to_json(const std::vector<sanction>& all) {
  auto list = json::array();
  for (const auto& each : all)
    list.push_back({{"kind", to_string(each.what)},
                    {"whom", each.target},
                    {"reason", each.reason},
                    {"since", each.since}});
  return json{{"sanctions", list}}.dump();
}

std::string network_text(std::string_view text) {
  const auto found = base::read_network(text);
  if (!found) return {};
  auto out = base::to_text(found->address);
  if (found->bits < 128)
    out += '/' + std::to_string(found->bits - (base::is_ipv4(found->address) ? ipv4_prefix : 0));
  return out;
}

std::string_view to_string(kind k) {
  switch (k) {
    case kind::banned_name: return "banned-name";
    case kind::banned_address: return "banned-address";
    case kind::muted_name: return "muted-name";
  }
  return {};
}

}  // namespace gamehub::moderation
