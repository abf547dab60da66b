#include "hub/server/cluster_journal.hpp"

#include "hub/base/usage_error.hpp"

#include <future>
#include <utility>

namespace gamehub::server {

namespace {

journal::postgres::postgres_settings settings_of(const config::settings& s) {
  journal::postgres::postgres_settings out;
  out.target = s.cluster;
  out.address = s.listen;
  out.build = GAMEHUB_VERSION;
  out.needs_standby = s.durability == gamehub::durability::machine;
  return out;
}

}  // namespace

cluster_journal::cluster_journal(journal::postgres::postgres_settings settings)
    : settings_(std::move(settings)),
      game_ids_(journal::id_block_size, [this] { claim(journal::id_kind::games, game_ids_); }),
      player_ids_(journal::id_block_size,
                  [this] { claim(journal::id_kind::players, player_ids_); }) {}

cluster_journal::cluster_journal(const config::settings& s, journal::retention_settings retention,
                                 std::function<void(std::string_view)> log_trouble)
    : cluster_journal(settings_of(s)) {
  auto store = std::make_unique<journal::postgres::postgres_log>(settings_);
  const auto* const opened = store.get();
  try {
    log_ = std::make_unique<journal::log_writer>(std::move(store), std::move(retention),
                                                 journal::writer_tuning{}, std::move(log_trouble));
  } catch (const journal::unusable_log& unusable) {
    throw base::usage_error{unusable.what()};
  } catch (const journal::postgres::error& e) {
    throw base::usage_error{std::string{"the cluster's database can't be used ("} + e.what() +
                            "): start the hub when it can"};
  }
  self_ = opened->self();
  place_ = opened->place();
  cluster_id_ = opened->cluster();
  claim_first();
}

void cluster_journal::await_ids() {
  std::promise<void> claimed;
  log_->on_store([&](journal::log_store&) { claimed.set_value(); });
  claimed.get_future().wait();
  if (claim_first())
    throw base::usage_error{
        "the cluster's database gives no numbers for games: start the hub when it can be written"};
}

cluster_journal::cluster_journal(std::unique_ptr<journal::shared_log> store,
                                 const journal::writer_tuning& tuning)
    : cluster_journal(journal::postgres::postgres_settings{}) {
  const auto* const opened = store.get();
  log_ = std::make_unique<journal::log_writer>(std::move(store), journal::retention_settings{},
                                               tuning, nullptr);
  self_ = opened->self();
  claim_first();
}

bool cluster_journal::publish_link(const std::string& address) {
  std::promise<bool> published;
  log_->on_store([&](journal::log_store& store) {
    published.set_value(
        dynamic_cast<journal::postgres::postgres_log&>(store).publish_link(address));
  });
  return published.get_future().get();
}

// Returns true if ids are missing.
bool cluster_journal::claim_first() {
  const auto games = game_ids_.is_short(), players = player_ids_.is_short();
  return games || players;
}

// The next block is there before this one is used up, unless the database is away.
void cluster_journal::claim(journal::id_kind kind, id_pool& into) {
  log_->on_store([&into, kind](journal::log_store& store) {
    const auto block = dynamic_cast<journal::shared_log&>(store).claim_ids(kind);
    block ? into.add(*block) : into.claim_failed();
  });
}

journal::key_changer cluster_journal::key_changer() {
  return [this](journal::key_change what, auto done) {
    const auto frees = what.what == journal::key_change::kind::free;
    auto change = [this, what = std::move(what), done = std::move(done)](auto& store) {
      const auto begun = std::chrono::steady_clock::now();
      auto owned = dynamic_cast<journal::shared_log&>(store).change_keys(what);
      ++changes_;
      if (!owned) ++changes_failed_;
      changing_ = changing_.load() + (std::chrono::steady_clock::now() - begun);
      done(std::move(owned));
    };
    if (!frees) return log_->on_store(std::move(change));
    // What is appended until now is committed between the two: that the players have left.
    log_->on_store([this, change = std::move(change)](auto&) { log_->on_store(change); });
  };
}

void check_cluster(const config::settings& s) {
  try {
    journal::postgres::check_log(settings_of(s));
  } catch (const journal::unusable_log& unusable) {
    throw base::usage_error{unusable.what()};
  }
}

}  // namespace gamehub::server
