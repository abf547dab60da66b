#include "tests/support/test_hub.hpp"

#include "engines/host/registry.hpp"
#include "hub/core/limits.hpp"
#include "hub/plugins/engine_traits.hpp"

#include <caf/actor_registry.hpp>
#include <caf/actor_system.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace gamehub::tests {

bool test_client::submit(intent what) {
  if (!handle_) return false;
  ++pending_replies;
  open_tickets_.insert(next_ticket_ + 1);
  loop_.call([&] {
    handle_->submit(
        {{id_, trace_id{next_ticket_ + 1}, loop_.clock(), ++next_ticket_}, std::move(what)});
  });
  return true;
}

void test_client::deliver(const event& e) {
  if (e.answers.ticket != 0) {
    if (e.answers.from == id_ && open_tickets_.erase(e.answers.ticket) == 1)
      --pending_replies;
    else
      ++unexpected_replies;
  }
  events.push_back(e);
}

actors::table::engine_directory make_directory(const test_hub_options& o) {
  actors::table::engine_directory c;
  const auto registry = engines::host::registry::built_in();
  for (const auto& e : registry.all())
    if (e.id() != o.without_engine) c.add(e, plugins::traits_of(e));
  for (const auto& e : o.more_engines) c.add(e, plugins::traits_of(e));
  c.wires.push_back({"cells", view_form::cells, o.grace, o.unsupported_reason, o.opponent});
  c.wires.push_back({"documents", view_form::document, o.grace, nullptr, o.opponent});
  for (auto& w : c.wires) w.crossing = o.crossing;
  return c;
}

test_hub::test_hub(test_hub_options o) : directory_(make_directory(o)) {
  if (o.log == nullptr) memory_ = journal::make_memory_journal(1'024);
  auto& log = o.log == nullptr ? *memory_ : *o.log;
  runtime_ = std::make_unique<actors::system::runtime>(
      directory_, log, o.settings,
      [seed = o.seed]() mutable { return std::make_unique<base::seeded_entropy>(seed++); });
  for (int i = 0; i < o.loops + o.engine_loops; ++i) {
    cells_.push_back(
        std::make_unique<metrics::cells>(limits::engines_max, directory_.wires.size()));
    loops_.push_back(
        std::make_unique<actors::runtime::loop_manual>(runtime_->system(), i, *cells_.back()));
    if (i < o.loops)
      runtime_->add_loop(*loops_.back());
    else
      runtime_->add_engine_loop(*loops_.back());
  }
  runtime_->use_search_executor(searches_);
  runtime_->expect_players(o.may_arrive);
  runtime_->start();
  if (o.log != nullptr && o.log->stores_away() &&
      (o.settings.sleep_after.count() > 0 || o.log->shares_sleepers()))
    wakers_ = static_cast<std::size_t>(o.loops);
  settle();
}

test_hub::~test_hub() {
  for (auto& c : clients_) c->disconnect();
  settle();
  // No player waits for its client any more.
  if (!runtime_->draining()) runtime_->begin_drain([] {});
  settle();
  runtime_->end_games(end_reason::drained);
  settle();
  runtime_->stop_actors();
  settle();
  clients_.clear();
  if (runtime_->system().registry().running() != 0) {
    // CAF would wait for the actor without limit.
    std::fputs("test_hub: an actor does not end\n", stderr);
    std::abort();
  }
}

std::shared_ptr<test_client> test_hub::connect(std::size_t wire, std::size_t loop,
                                               address_account_ref of) {
  auto c = std::make_shared<test_client>(attachment_ids_.next(), *loops_[loop], std::move(of));
  auto why = close_reason::failed;
  c->attach(runtime_->acceptor_for(wire, loop).accept(c, why));
  if (!c->connected()) c->closed = why;
  clients_.push_back(c);
  return c;
}

bool test_hub::step(std::size_t loop) { return loops_[loop]->step(); }

void test_hub::settle() {
  for (bool busy = true; busy;) {
    busy = false;
    for (auto& l : loops_)
      if (l->step()) busy = true;
    if (!searches_.paused && searches_.run_next()) busy = true;
    for (auto& c : clients_)
      if (c->closed && c->connected()) c->disconnect(), busy = true;
  }
}

void test_hub::advance(std::chrono::milliseconds time) {
  using namespace std::chrono_literals;
  settle();
  while (time > 0ms) {
    const auto part = std::min<std::chrono::milliseconds>(time, 1s);
    time -= part;
    for (auto& l : loops_) l->set_clock(l->clock() + part);
    settle();
  }
}

void test_hub::pass(std::chrono::milliseconds time) {
  for (auto& l : loops_) l->set_clock(l->clock() + time);
}

std::uint16_t test_hub::add_engine(const engines::host::engine& e) {
  return directory_.add(e, plugins::traits_of(e)).value();
}

std::size_t test_hub::actors_running() const {
  return runtime_->system().registry().running() - 1 - directory_.wires.size() - wakers_;
}

base::instant test_hub::now() const { return loops_.front()->clock(); }

std::int64_t test_hub::games_started() const {
  std::int64_t sum = 0;
  for (const auto& c : cells_)
    for (const auto& e : c->engines) sum += e.games_started.value();
  return sum;
}

std::int64_t test_hub::games_finished() const {
  std::int64_t sum = 0;
  for (const auto& c : cells_)
    for (const auto& e : c->engines)
      for (const auto& by_result : e.games_finished)
        for (const auto& n : by_result) sum += n.value();
  return sum;
}

std::int64_t test_hub::sessions_open() const {
  std::int64_t sum = 0;
  for (const auto& c : cells_)
    for (const auto& w : c->wires) sum += w.sessions_open.value();
  return sum;
}

intent seek_once(std::string engine) {
  seek s;
  s.engines = {std::move(engine)};
  s.seat_at_once = true;
  return s;
}

intent seek_engine(std::string engine, std::optional<seat_index> seat) {
  seek s;
  s.engines = {std::move(engine)};
  s.seat_at_once = true;
  s.seat = seat;
  s.against_engine = true;
  return s;
}

intent seek_again(std::vector<std::string> engines, std::uint32_t games_max) {
  seek s;
  s.engines = std::move(engines);
  s.games_max = games_max;
  s.again = true;
  return s;
}

intent play_cell(std::int64_t cell, game_id game) {
  return play{game, {move::form::cell, cell, {}}};
}

intent play_document(std::string document, game_id game) {
  return play{game, {move::form::document, 0, std::move(document)}};
}

}  // namespace gamehub::tests
