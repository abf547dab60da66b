#include "hub/server/plugin_reloader.hpp"

#include "engines/process/program.hpp"
#include "hub/base/log.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace gamehub::server {

namespace {

void log_plugin(const plugins::plugin& p) {
  const auto file = p.file.string();
  if (p.engine)
    base::log::info(
        "plugin loaded",
        {{"file", file}, {"engine", p.engine->id()}, {"version", p.engine->version_text()}});
  else
    base::log::warning("plugin refused", {{"file", file}, {"why", p.why}});
}

}  // namespace

plugin_reloader::plugin_reloader(plugins::plugin_set& from, engine_catalog& to,
                                 metrics::exposition& exposition, boost::asio::io_context& control)
    : engines_(to), exposition_(exposition), folder_(from.watched()) {
  if (folder_ == nullptr) return;
  signal_.emplace(control);
  scan_.emplace(*folder_, control, [this](plugin_scan::result r) { on_scanned(std::move(r)); });
}

void plugin_reloader::report() {
  if (folder_ == nullptr) return;
  for (const auto& p : folder_->all()) log_plugin(p);
  update_metrics();
}

std::vector<admin::plugin_state> plugin_reloader::states() const {
  const std::lock_guard lock{mutex_};
  return states_;
}

std::string plugin_reloader::what_of(const journal::game_header& game) const {
  const std::lock_guard lock{mutex_};
  const auto at = std::find_if(states_.begin(), states_.end(), [&](const auto& p) {
    return p.engine == game.engine && p.version == game.engine_version;
  });
  return at == states_.end() ? game.engine : engines::process::text_of(at->file);
}

void plugin_reloader::begin() {
  if (scan_) wait();
}

void plugin_reloader::stop() {
  stopped_ = true;
  if (signal_) signal_->cancel();
}

void plugin_reloader::wait() {
  signal_->async_wait([this] {
    if (stopped_) return;
    scan_->begin();
    wait();
  });
}

void plugin_reloader::on_scanned(plugin_scan::result found) {
  if (stopped_) return;
  if (found.failure)
    base::log::warning("the folder of plugins can't be read", {{"why", *found.failure}});
  for (auto& p : found.fresh) add(p);
  update_metrics();
  base::log::info("the folder of plugins was scanned", {{"loaded", folder_->loaded()},
                                                        {"refused", folder_->refused()},
                                                        {"looked_at", found.fresh.size()}});
}

void plugin_reloader::add(plugins::plugin& p) {
  if (p.engine) {
    const auto kinds = engines_.catalog.kinds();
    auto added = add_engine(engines_, *p.engine, p.examples);
    if (auto* why = std::get_if<std::string>(&added)) {
      folder_->refuse(p.file, *why);
      p = {p.file, {}, std::move(*why)};
    } else if (engines_.catalog.kinds() > kinds) {
      exposition_.add_engine(std::string{p.engine->id()});
    }
  }
  log_plugin(p);
}

void plugin_reloader::update_metrics() {
  exposition_.mark_plugins(folder_->loaded(), folder_->refused());
  std::vector<admin::plugin_state> now;
  for (const auto& p : folder_->all()) {
    auto& each = now.emplace_back();
    each.file = p.file.string();
    if (p.engine)
      each.engine = p.engine->id(), each.version = p.engine->version_text();
    else
      each.why = p.why;
  }
  const std::lock_guard lock{mutex_};
  states_ = std::move(now);
}

}  // namespace gamehub::server
