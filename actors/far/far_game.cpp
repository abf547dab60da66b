#include "actors/far/far_game.hpp"

#include "actors/far/ignore.hpp"

#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace gamehub::actors::far {

namespace messages = gamehub::far;

far_game::far_game(caf::actor_config& config, switchboard& board, runtime::session_actor session,
                   const messages::seated& by, member_id host)
    : typed_loop_actor(config), board_(board), session_(std::move(session)), seat_(by, host) {}

bool far_game::receive(caf::message& what) {
  const auto id = seat_.at().game;
  return dispatch(
      what,
      std::tuple{[&](runtime::play_request& m) {
                   request(m.receipt, play{id, std::move(m.what)});
                 },
                 [this](arrived& m) { on_arrived(m); },
                 [&](runtime::chat_request& m) {
                   request(m.receipt, chat{id, std::move(m.text)});
                 },
                 [this](const runtime::offer_request& m) { request(m.receipt, m.what); },
                 [&](const runtime::claim_request& m) { request(m.receipt, claim{id}); },
                 [this](const runtime::leave_request& m) { on_leave(m); },
                 [this](runtime::rename_seat& m) {
                   update([&](output& out) { seat_.on_rename(std::move(m.name), out); });
                 },
                 [this](const runtime::resend_request& m) {
                   update([&](output& out) { seat_.on_resend(m.form, m.features, m.client, out); });
                 },
                 [this](const runtime::seat_presence& m) {
                   update([&](output& out) { seat_.on_presence(m.kept_until, out); });
                 },
                 [this](const host_lost& m) {
                   if (m.host == seat_.host()) wait_for_host();
                 },
                 [this](const host_is& m) { follow(m.host); },
                 [this](const take_turn&) { on_turn(); },
                 [this](const runtime::timer_up& m) { on_timeout(m.number); },
                 // Sessions send none of these, and nothing else has the handle.
                 ignore<runtime::begin_game>{}, ignore<runtime::watch_request>{},
                 ignore<runtime::snapshot_request>{}, ignore<runtime::clock_request>{},
                 ignore<runtime::end_request>{}, ignore<runtime::reserve_seat>{},
                 ignore<runtime::suspend_game>{}, ignore<runtime::log_committed>{},
                 ignore<runtime::search_result>{}});
}

template <class Change>
void far_game::update(Change change) {
  if (ended_) return;
  output out;
  change(out);
  for (auto& e : out.deliver)
    if (session_) send(session_, std::move(e));
  if (out.lost && session_) send(session_, runtime::game_suspended{seat_.at().game});
  for (auto& m : out.send)
    unsent_.send(std::move(m), [this](const messages::message& each) { return try_send(each); });
  if (!unsent_.empty()) arm(send_timer_, send_again_after, send_timer);
  ended_ = out.ended;
  if (ended_ && (unsent_.empty() || out.lost)) this->quit();
}

void far_game::request(const receipt& answers, messages::game_intent what) {
  update([&](output& out) { seat_.on_request(answers, std::move(what), out); });
}

void far_game::on_leave(const runtime::leave_request& m) {
  if (m.receipt.ticket != 0) return request(m.receipt, leave{seat_.at().game, false, m.why});
  update([&](output& out) { seat_.on_leave(m.why, out); });
}

void far_game::on_arrived(arrived& m) {
  if (m.from != seat_.host()) return board_.stray();
  update([&](output& out) {
    std::visit(
        [&](auto& what) {
          using what_type = std::decay_t<decltype(what)>;
          if constexpr (std::is_same_v<what_type, messages::told>)
            seat_.on_told(std::move(what.what), out);
          else if constexpr (std::is_same_v<what_type, messages::gap>)
            seat_.on_gap(out);
          else if constexpr (std::is_same_v<what_type, messages::taken>)
            on_taken(what, out);
          else if constexpr (std::is_same_v<what_type, messages::suspended>)
            seat_.abandon(refusal::game_over, out);
          else if constexpr (std::is_same_v<what_type, messages::moved>)
            follow(what.to);
        },
        m.what);
  });
}

void far_game::on_taken(const messages::taken& t, output& out) {
  const bool here = seat_.on_taken(t, out);
  board_.turn_done(seat_.at());
  owning_loop().timers().cancel(std::exchange(ask_timer_, {}));
  if (!here) return arm(ask_timer_, ask_again_after, ask_timer);
  owning_loop().timers().cancel(std::exchange(patience_timer_, {}));
}

// What was not sent is not carried out: it is said to the next host.
void far_game::wait_for_host() {
  seat_.on_host_lost();
  unsent_.clear();
  if (ended_) return this->quit();
  if (!patience_timer_) arm(patience_timer_, board_.options().patience, patience_timer);
}

void far_game::follow(member_id host) {
  wait_for_host();
  next_host_ = host;
  board_.set_host(seat_.at(), host);
  ask();
}

void far_game::on_turn() {
  update([this](output& out) { seat_.take_at(next_host_, out); });
  arm(ask_timer_, answer_max, ask_timer);
}

void far_game::ask() { board_.ask_turn(next_host_, seat_.at(), seat_.is_urgent()); }

void far_game::on_timeout(std::uint64_t number) {
  if (number == ask_timer) {
    ask_timer_ = {};
    if (!seat_.is_connected()) ask();
  } else if (number == patience_timer) {
    patience_timer_ = {};
    update([this](output& out) { seat_.abandon(refusal::game_over, out); });
  } else {
    send_timer_ = {};
    const auto sends = [this](const messages::message& each) { return try_send(each); };
    if (!unsent_.flush(sends)) return arm(send_timer_, send_again_after, send_timer);
    if (ended_) this->quit();
  }
}

void far_game::arm(base::timers::token& timer, std::chrono::milliseconds after,
                   std::uint64_t number) {
  if (timer) return;
  timer = arm_timer(owning_loop().now() + after, number);
}

void far_game::on_exit() {
  for (auto* each : {&send_timer_, &ask_timer_, &patience_timer_})
    owning_loop().timers().cancel(std::exchange(*each, {}));
  board_.remove_game(seat_.at(), self());
  session_ = nullptr;
}

}  // namespace gamehub::actors::far
