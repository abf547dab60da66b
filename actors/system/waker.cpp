#include "actors/system/waker.hpp"

#include "hub/core/limits.hpp"

#include <tuple>
#include <utility>
#include <variant>

namespace gamehub::actors::system {

using actors::runtime::wake_request;

bool waker::receive(caf::message& what) {
  return dispatch(what, std::tuple{[this](const wake_request& m) {
                    waits_.push_back(m);
                    next();
                  }});
}

void waker::next() {
  while (at_once_ < limits::wakes_at_once && !waits_.empty()) {
    ++at_once_;
    defer(waits_.front(), &waker::read);
    waits_.pop_front();
  }
}

// The handle keeps the actor until the step has run.
void waker::defer(wake_request what, void (waker::*step)(const wake_request&)) {
  owning_loop().defer_part([this, keep = self(), what, step] {
    if (!ended_) (this->*step)(what);
  });
}

void waker::read(const wake_request& what) {
  if (!setup_.log->bring_back(what.id))
    return answer({actors::runtime::game_woken::how::unreadable, what.id, {}});
  // An engine that has not played the game in this process may crash it: the next start then knows.
  if (!what.proven &&
      setup_.log->announce_move(what.id, owning_loop()) == journal::journal::announced::pending)
    return owning_loop().at_next_commit(what.id, [this, keep = self(), what] {
      if (!ended_) defer(what, &waker::replay);
    });
  replay(what);
}

void waker::replay(const wake_request& what) {
  actors::runtime::game_woken out{actors::runtime::game_woken::how::unreadable, what.id, {}};
  try {
    out = restore(what);
  } catch (...) {
    owning_loop().report_fault("the replay of a game that was asleep");
  }
  answer(std::move(out));
}

actors::runtime::game_woken waker::restore(const wake_request& what) {
  using how = actors::runtime::game_woken::how;
  const auto log = setup_.log->find(what.id);
  if (!log) return {how::unreadable, what.id, {}};
  auto restored = restore_game(*setup_.places, what.engine, log->header, log->records,
                               {.proven = what.proven, .slept_until = what.due});
  if (const auto* fault = std::get_if<table::replay_fault>(&restored))
    return put_aside(what, *fault);
  if (!what.proven) setup_.log->move_survived(what.id);
  return {how::awake, what.id, std::move(std::get<actors::runtime::game_actor>(restored))};
}

actors::runtime::game_woken waker::put_aside(const wake_request& what,
                                             const table::replay_fault& fault) {
  if (fault.failure)
    owning_loop().report(setup_.places->directory.engines[what.engine].rules, what.id,
                         *fault.failure);
  const auto why = sentence_of(fault);
  setup_.log->quarantine(what.id, why);
  if (setup_.on_quarantined) setup_.on_quarantined(what.id, why);
  return {actors::runtime::game_woken::how::quarantined, what.id, {}};
}

void waker::answer(actors::runtime::game_woken what) {
  send(setup_.lobby, std::move(what));
  --at_once_;
  next();
}

}  // namespace gamehub::actors::system
