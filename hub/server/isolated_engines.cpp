#include "hub/app/isolation/isolated_engines.hpp"

#include <algorithm>
#include <utility>

#include "engines/loader.hpp"

namespace gamehub::app::process {

namespace {

using engines::engine_failure;
using found = std::variant<engines::engine, std::string>;

}  // namespace

std::unique_ptr<process_supervisor> isolated_engines::start(const std::string& what) const {
  return std::make_unique<process_supervisor>(supervisor_settings{this_program, what, call_, limits_});
}

found isolated_engines::take(std::unique_ptr<process_supervisor> kept, std::size_t number) {
  auto made = make_process_engine(kept->described(), *kept, number);
  if (const auto* rules = std::get_if<engines::engine>(&made)) {
    const std::lock_guard lock{mutex_};
    all_.push_back({std::move(kept), rules->host()});
    forward_end(all_.back());
  }
  return made;
}

std::optional<std::size_t> isolated_engines::number_of(std::string_view id) const {
  const auto at = std::find(ids_.begin(), ids_.end(), id);
  if (at == ids_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - ids_.begin());
}

engines::registry isolated_engines::among(const engines::registry& built_in) {
  engines::registry out;
  for (const auto& rules : built_in.all()) {
    const auto number = number_of(rules.id());
    if (!number) {
      out.add(rules);
      continue;
    }
    const std::string id{rules.id()};
    found made = std::string{};
    try {
      made = take(start(id), *number);
    } catch (const engine_failure& e) {
      made = e.what();
    }
    if (const auto* wrong = std::get_if<std::string>(&made))
      throw usage_error{"--isolate: engine " + id + " can't be run in a process of its own: " +
                             *wrong + "; leave it out, or give it more by --isolate-memory-mib."};
    out.add(std::get<engines::engine>(made));
  }
  return out;
}

found isolated_engines::open(const std::filesystem::path& plugin) {
  if (ids_.empty()) return engines::load(plugin);
  try {
    auto kept = start(std::filesystem::absolute(plugin).string());
    auto number = number_of(kept->described().id);
    if (!number) number = number_of(all_plugins);
    if (number) return take(std::move(kept), *number);
  } catch (const engine_failure& e) {
    return "it can't be run in a process of its own: " + std::string{e.what()};
  }
  return engines::load(plugin);
}

void isolated_engines::at_end(std::function<void(const engines::host&)> what) {
  const std::lock_guard lock{mutex_};
  at_end_ = std::move(what);
  for (auto& each : all_) forward_end(each);
}

void isolated_engines::forward_end(isolated& of) {
  if (!at_end_) return of.kept->at_end({});
  of.kept->at_end([tell = at_end_, host = of.host] { tell(*host); });
}

std::vector<metrics::engine_numbers::isolated_engine> isolated_engines::numbers() const {
  const std::lock_guard lock{mutex_};
  std::vector<metrics::engine_numbers::isolated_engine> out;
  for (const auto& each : all_) {
    const auto& id = each.kept->described().id;
    const bool up = each.kept->life() != 0;
    // Versions of one engine count as one, which is up while all of them are.
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const auto& e) { return e.engine == id; });
    if (known == out.end()) {
      out.push_back({id, up, each.kept->restarts()});
    } else {
      known->up = known->up && up;
      known->restarts += each.kept->restarts();
    }
  }
  return out;
}

const engines::registry& checked(const engines::registry& known, const settings& s) {
  for (const auto& id : s.isolate) {
    if (id == all_plugins || known.find(id)) continue;
    std::string all;
    for (const auto& e : known.all())
      if (all.find(e.id()) == all.npos) all += (all.empty() ? "" : ", ") + std::string{e.id()};
    throw usage_error{"--isolate: there is no engine \"" + id + "\"; choose of " + all + "."};
  }
  return known;
}

}  // namespace gamehub::app::isolation
