#include "actors/runtime/actor_base.hpp"

#include "hub/base/require.hpp"

#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_message_view.hpp>

namespace gamehub::actors::runtime {

loop_actor::loop_actor(caf::actor_config& config)
    : caf::abstract_actor(config), loop_(static_cast<loop*>(config.host)) {}

loop_actor::~loop_actor() {
  while (take()) {
  }
}

bool loop_actor::enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) {
  switch (inbox_.push_front(std::move(what))) {
    case caf::intrusive::inbox_result::success: return true;
    case caf::intrusive::inbox_result::queue_closed: return false;
    case caf::intrusive::inbox_result::unblocked_reader: break;
  }
  schedule();
  return true;
}

void loop_actor::send_move(const game_actor& to, play_request&& what) {
  actor_of(to)->enqueue(loop_->moves().make(std::move(what)), nullptr);
}

void loop_actor::schedule() {
  intrusive_ptr_add_ref_impl();
  loop_->exec_later(this);
}

void loop_actor::launch(caf::execution_unit*, bool lazy, bool hide) {
  if (!hide) register_at_system();
  if (lazy && inbox_.try_block()) return;
  schedule();
}

// The inbox is a stack, newest first. Reverses the messages that it takes from there.
caf::mailbox_element_ptr loop_actor::take() {
  if (waiting_ == nullptr && !inbox_.closed() && !inbox_.blocked()) {
    for (auto* newest = inbox_.take_head(); newest != nullptr;) {
      auto* older = static_cast<caf::mailbox_element*>(newest->next);
      newest->next = waiting_;
      waiting_ = newest;
      newest = older;
    }
  }
  auto* oldest = waiting_;
  if (oldest != nullptr) waiting_ = static_cast<caf::mailbox_element*>(oldest->next);
  return caf::mailbox_element_ptr{oldest};
}

caf::resumable::resume_result loop_actor::resume(caf::execution_unit*, std::size_t messages_max) {
  for (std::size_t handled = 0; !quitting_ && !getf(is_terminated_flag);) {
    auto next = take();
    if (!next) {
      if (inbox_.try_block()) return awaiting_message;
      continue;
    }
    run_handler([&] { handle(next->payload); });
    loop_->moves().keep(std::move(next));
    if (!quitting_ && ++handled == messages_max) return resume_later;
  }
  end(std::move(why_));
  return done;
}

void loop_actor::handle(caf::message& what) {
  // The messages of the interface first, because system messages are rare.
  if (receive(what)) return;
  if (auto down = caf::make_typed_message_view<caf::down_msg>(what))
    on_down(caf::get<0>(down));
  else if (auto exit = caf::make_typed_message_view<caf::exit_msg>(what))
    quit(caf::get<0>(exit).reason);
}

// on_exit() notifies the players or clients of the actor.
void loop_actor::end_by_fault() {
  loop_->report_fault(name());
  quit(caf::sec::runtime_error);
}

void loop_actor::quit(caf::error why) {
  quitting_ = true;
  why_ = std::move(why);
}

void loop_actor::end(caf::error why) {
  if (getf(is_cleaned_up_flag)) return;
  try {
    on_exit();
  } catch (...) {
    loop_->report_fault(name());
  }
  if (!inbox_.closed()) inbox_.close();
  while (take()) {
  }
  unregister_from_system();
  caf::attachable_ptr attached;
  caf::actor_addr monitor;
  exclusive_critical_section([&] {
    why_ = std::move(why);
    setf(is_terminated_flag | is_cleaned_up_flag);
    attached = std::move(attached_);
    monitor = std::move(monitor_);
  });
  if (monitor) notify(monitor);
  for (auto* each = attached.get(); each != nullptr; each = each->next.get())
    each->actor_exited(why_, loop_);
}

void loop_actor::attach(caf::attachable_ptr what) {
  const bool ended = exclusive_critical_section([&] {
    if (getf(is_terminated_flag)) return true;
    what->next = std::move(attached_);
    attached_ = std::move(what);
    return false;
  });
  if (ended) what->actor_exited(why_, nullptr);
}

void loop_actor::monitor(loop_actor& whom) {
  const bool ended = whom.exclusive_critical_section([&] {
    if (whom.getf(is_terminated_flag)) return true;
    GAMEHUB_REQUIRE(!whom.monitor_);
    whom.monitor_ = address();
    return false;
  });
  if (ended) whom.notify(address());
}

void loop_actor::notify(const caf::actor_addr& monitor) const {
  const auto to = caf::actor_cast<caf::strong_actor_ptr>(monitor);
  if (!to) return;
  caf::down_msg down{address(), why_};
  auto& who = static_cast<loop_actor&>(*to->get());
  if (who.try_call_directly([&] { who.on_down(down); })) return;
  who.eq_impl(caf::make_message_id(), nullptr, nullptr, std::move(down));
}

}  // namespace gamehub::actors::runtime
