#include "hub/server/journal_wait.hpp"

#include "hub/admin/admin.hpp"
#include "hub/base/log.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "metrics/metrics.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>

namespace gamehub::server {
namespace {

namespace asio = boost::asio;

// The kernel does not say when a lock is free. A look is two system calls.
constexpr std::chrono::milliseconds look_every{100};

// The journal's file, then that of the arena, which the same hub releases.
std::string why_locked(const config::settings& s) {
  for (const auto& file : {s.journal_file, s.arena_file}) {
    const auto why = file.empty() ? std::string{} : journal::why_locked(file);
    if (!why.empty()) return file.string() + ' ' + why;
  }
  return {};
}

class journal_wait {
 public:
  journal_wait(const config::settings& s, const std::string& token, const std::string& why)
      : settings_(s),
        why_("waiting for the journal: " + why),
        exposition_({.engines = {},
                     .wires = {},
                     .protocol_errors = {},
                     .version = GAMEHUB_VERSION,
                     .caf_version = CAF_VERSION_TEXT}),
        signals_(io_, SIGTERM, SIGINT),
        timer_(io_),
        until_(std::chrono::steady_clock::now() + s.journal_wait) {
    try {
      start_admin(token);
    } catch (const base::usage_error&) {
      // Both on one machine, and with the same settings: the user's mistake.
      throw base::usage_error{"the journal " + why +
                              ": stop that one, or give --journal and the ports other values"};
    }
    base::log::warning("the hub waits for its journal, which another hub has",
                       {{"why", why},
                        {"seconds_max", s.journal_wait.count()},
                        {"admin", admin_ ? admin_->port() : 0}});
  }
  ~journal_wait() {
    if (admin_) admin_->stop();
  }
  journal_wait(const journal_wait&) = delete;
  journal_wait& operator=(const journal_wait&) = delete;

  // Returns false if a signal ended it.
  bool run() {
    signals_.async_wait([this](auto failed, int) {
      if (failed) return;
      signalled_ = true;
      io_.stop();
    });
    look_later();
    io_.run();
    if (signalled_) base::log::info("the hub ends: a signal came while it waited for its journal");
    return !signalled_;
  }

 private:
  void start_admin(const std::string& token) {
    if (!settings_.admin_port) return;
    admin::admin_sources sources;
    sources.metrics = [this] { return exposition_.text(); };
    sources.healthy = [] { return admin::health{}; };
    sources.unready = sources.starting = [this] { return std::optional{why_}; };
    sources.hosts = settings_.admin_hosts;
    sources.token = token;
    admin_ = std::make_unique<admin::admin>(settings_.admin_listen, *settings_.admin_port,
                                            std::move(sources));
  }

  void look_later() {
    timer_.expires_after(look_every);
    timer_.async_wait([this](auto failed) {
      if (failed) return;
      const bool over = std::chrono::steady_clock::now() >= until_;
      if (over || why_locked(settings_).empty()) return io_.stop();
      look_later();
    });
  }

  const config::settings& settings_;
  const std::string why_;
  metrics::exposition exposition_;
  asio::io_context io_;
  asio::signal_set signals_;
  asio::steady_timer timer_;
  const std::chrono::steady_clock::time_point until_;
  bool signalled_ = false;
  std::unique_ptr<admin::admin> admin_;
};

}  // namespace

bool wait_for_journal(const config::settings& s, const std::string& token) {
  if (s.journal_in == config::journal_kind::memory || s.journal_wait.count() == 0) return true;
  const auto why = why_locked(s);
  return why.empty() || journal_wait{s, token, why}.run();
}

}  // namespace gamehub::server
