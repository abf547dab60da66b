#include "hub/app/plugins/watch.hpp"

#include <csignal>
#include <utility>
#include <variant>

#include "hub/app/log.hpp"

namespace gamehub::app::plugins {

namespace {

void log_plugin(const plugin& p) {
  const auto file = p.file.string();
  if (p.engine)
    log::info("plugin loaded",
              {{"file", file}, {"engine", p.engine->id()}, {"version", p.engine->version_text()}});
  else
    log::warning("plugin refused", {{"file", file}, {"why", p.why}});
}

}  // namespace

watch::watch(plugin_set& from, offer& to, metrics::exposition& exposition,
             boost::asio::io_context& control)
    : offer_(to), exposition_(exposition), folder_(from.watched()), signals_(control) {
  if (folder_ == nullptr) return;
  signals_.add(SIGHUP);
  scan_.emplace(*folder_, control, [this](plugin_scan::result r) { take(std::move(r)); });
  for (const auto& p : from.plugins()) log_plugin(p);
  update_metrics();
}

void watch::begin() {
  if (scan_) wait();
}

void watch::stop() {
  stopped_ = true;
  signals_.cancel();
}

void watch::wait() {
  signals_.async_wait([this](auto failed, int) {
    if (failed || stopped_) return;
    scan_->begin();
    wait();
  });
}

void watch::take(plugin_scan::result found) {
  if (stopped_) return;
  if (found.failure) log::warning("the folder of plugins can't be read", {{"why", *found.failure}});
  for (auto& p : found.fresh) take(p);
  update_metrics();
  log::info("looked at the plugins again", {{"loaded", folder_->loaded()},
                                            {"refused", folder_->refused()},
                                            {"looked_at", found.fresh.size()}});
}

void watch::take(plugin& p) {
  if (p.engine) {
    const auto kinds = offer_.catalog.kinds();
    auto taken = add_engine(offer_, *p.engine);
    if (auto* why = std::get_if<std::string>(&taken)) {
      folder_->refuse(p.file, *why);
      p = {p.file, {}, std::move(*why)};
    } else if (offer_.catalog.kinds() > kinds) {
      exposition_.add_engine(std::string{p.engine->id()});
    }
  }
  log_plugin(p);
}

void watch::update_metrics() { exposition_.mark_plugins(folder_->loaded(), folder_->refused()); }

}  // namespace gamehub::app::plugins
