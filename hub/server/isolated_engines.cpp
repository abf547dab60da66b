#include "hub/server/isolated_engines.hpp"

#include "engines/host/loader.hpp"
#include "engines/process/engine_files.hpp"
#include "engines/process/process_engine.hpp"
#include "engines/process/program.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::server {

namespace {

using engines::host::engine_failure;
using found = std::variant<engines::host::engine, std::string>;

// Otherwise programs that the settings allow would be refused.
static_assert(config::programs_max <= limits::all_engine_processes_max);
static_assert(engines::process::processes_max == limits::engine_processes_max);

// The processes that a .engine file asks for; 0: none, or it is no such file.
std::size_t processes_of_file(const std::string& what) {
  const auto start = engines::process::start_of(what);
  const auto* program = std::get_if<engines::process::program_start>(&start);
  return program == nullptr ? 0 : program->processes;
}

}  // namespace

std::unique_ptr<process_supervisor> isolated_engines::start(const std::string& what) {
  auto limits = limits_;
  limits.exec = engines::process::is_program(what);
  limits.readable = engines::process::readable_files(what);
  return std::make_unique<process_supervisor>(
      supervisor_settings{program_, what, call_, limits, &places_});
}

found isolated_engines::add(const std::string& what, std::unique_ptr<process_supervisor> first,
                            std::size_t processes, hosts_of hosts) {
  std::vector<std::unique_ptr<process_supervisor>> all;
  all.push_back(std::move(first));
  while (all.size() < processes) {
    all.push_back(start(what));
    if (all.back()->described() != all.front()->described())
      return "its processes have different descriptions";
  }
  std::vector<engines::process::engine_process> channels;
  for (std::size_t i = 0; i < all.size(); ++i)
    channels.push_back({all[i].get(), hosts.first + i % hosts.count});
  const std::lock_guard lock{mutex_};
  auto made = engines::process::make_process_engine(all.front()->described(), channels);
  if (const auto* rules = std::get_if<engines::host::engine>(&made))
    for (std::size_t i = 0; i < all.size(); ++i) {
      all_.push_back({std::move(all[i]), rules->host()->processes()[i]});
      forward_end(all_.back());
    }
  return made;
}

std::size_t isolated_engines::hosts(bool with_files) {
  hosts_fixed_ = true;
  return (ids_.size() + programs_.size()) * processes_ + (with_files ? file_hosts_ : 0);
}

std::optional<isolated_engines::hosts_of> isolated_engines::hosts_of_id(std::string_view id) const {
  const auto at = std::find(ids_.begin(), ids_.end(), id);
  if (at == ids_.end()) return std::nullopt;
  return hosts_of{static_cast<std::size_t>(at - ids_.begin()) * processes_, processes_};
}

isolated_engines::hosts_of isolated_engines::hosts_of_program(const std::string& what,
                                                              std::size_t processes) {
  const auto at = std::find(programs_.begin(), programs_.end(), what);
  const auto before = ids_.size() + static_cast<std::size_t>(at - programs_.begin());
  if (at != programs_.end()) return {before * processes_, processes_};
  if (!hosts_fixed_) file_hosts_ = std::max(file_hosts_, processes);
  return {before * processes_, file_hosts_};
}

engines::host::registry isolated_engines::among(const engines::host::registry& built_in) {
  engines::host::registry out;
  for (const auto& rules : built_in.all()) {
    const auto hosts = hosts_of_id(rules.id());
    if (!hosts) {
      out.add(rules);
      continue;
    }
    const std::string id{rules.id()};
    found made = std::string{};
    try {
      made = add(id, start(id), processes_, *hosts);
    } catch (const engine_failure& e) {
      made = e.what();
    }
    if (const auto* wrong = std::get_if<std::string>(&made))
      throw base::usage_error{"--isolate: engine " + id + " can't be run in a separate process: " +
                              *wrong + "; leave it out, or give it more by --isolate-memory-mib."};
    out.add(std::get<engines::host::engine>(made));
  }
  return out;
}

found isolated_engines::open(const std::filesystem::path& plugin) {
  const auto what = engines::process::text_of(plugin);
  const bool program = engines::process::is_program(what);
  if (ids_.empty() && !program) return engines::host::load(plugin);
  try {
    auto supervisor = start(what);
    const auto& id = supervisor->described().id;
    if (auto wrong = engines::process::id_fault(what, id); !wrong.empty()) return wrong;
    auto processes = program ? processes_of_file(what) : 0;
    if (processes == 0) processes = processes_;
    auto hosts = hosts_of_id(id);
    if (!hosts) hosts = program ? hosts_of_program(what, processes) : hosts_of_id(all_plugins);
    if (hosts) return add(what, std::move(supervisor), processes, *hosts);
  } catch (const engine_failure& e) {
    return "it can't be run in a separate process: " + std::string{e.what()};
  }
  return engines::host::load(plugin);
}

void isolated_engines::at_end(
    std::function<void(const std::string&, const engines::host::host&)> what) {
  const std::lock_guard lock{mutex_};
  at_end_ = std::move(what);
  for (auto& each : all_) forward_end(each);
}

void isolated_engines::forward_end(isolated& of) {
  if (!at_end_) return of.supervisor->at_end({});
  of.supervisor->at_end([notify = at_end_, host = of.rules.host(),
                         engine = of.supervisor->described().id] { notify(engine, *host); });
}

void isolated_engines::stop_unused(
    std::chrono::steady_clock::time_point now,
    const std::function<bool(const engines::host::engine&)>& is_old) {
  const std::lock_guard lock{mutex_};
  for (auto& each : all_) {
    const auto life = each.supervisor->life();
    if (each.rules.host()->matches() > 0 || std::exchange(each.life, life) != life) each.used = now;
    if (now - each.used >= limits::engine_unused_max && !each.supervisor->is_stopped() &&
        is_old(each.rules))
      each.supervisor->stop_unused();
  }
}

std::vector<metrics::engine_numbers::isolated_engine> isolated_engines::numbers() const {
  const std::lock_guard lock{mutex_};
  std::vector<metrics::engine_numbers::isolated_engine> out;
  for (const auto& each : all_) {
    const auto& id = each.supervisor->described().id;
    const bool up = each.supervisor->life() != 0 || each.supervisor->is_stopped();
    // Processes and versions of one engine count as one, which is up while all of them are.
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const auto& e) { return e.engine == id; });
    if (known == out.end()) {
      out.push_back({id, up, each.supervisor->restarts()});
    } else {
      known->up = known->up && up;
      known->restarts += each.supervisor->restarts();
    }
  }
  return out;
}

const engines::host::registry& checked(const engines::host::registry& known,
                                       const config::settings& s) {
  for (const auto& id : s.isolate) {
    if (id == all_plugins || known.find(id)) continue;
    std::string all;
    for (const auto& e : known.all())
      if (all.find(e.id()) == all.npos) all += (all.empty() ? "" : ", ") + std::string{e.id()};
    throw base::usage_error{"--isolate: there is no engine \"" + id + "\"; give one of " + all +
                            "."};
  }
  return known;
}

}  // namespace gamehub::server
