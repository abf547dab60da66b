#include "actors/runtime/actor_base.hpp"

#include <caf/exit_reason.hpp>
#include <caf/sec.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_message_view.hpp>

namespace gamehub::actors::runtime {

loop_actor::loop_actor(caf::actor_config& config)
    : caf::local_actor(config), loop_(static_cast<loop*>(config.host)) {}

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

caf::resumable::resume_result loop_actor::resume(caf::execution_unit* where,
                                                 std::size_t messages_max) {
  context(where);
  for (std::size_t handled = 0; !quitting_ && !getf(is_terminated_flag);) {
    const auto next = take();
    if (!next) {
      if (inbox_.try_block()) return awaiting_message;
      continue;
    }
    run_handler([&] { handle(next->payload); });
    if (!quitting_ && ++handled == messages_max) return resume_later;
  }
  end();
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

void loop_actor::end() {
  if (getf(is_cleaned_up_flag)) return;
  try {
    on_exit();
  } catch (...) {
    loop_->report_fault(name());
  }
  cleanup(std::move(why_), context());
}

bool loop_actor::cleanup(caf::error&& why, caf::execution_unit* where) {
  if (!inbox_.closed()) inbox_.close();
  while (take()) {
  }
  return caf::local_actor::cleanup(std::move(why), where);
}

}  // namespace gamehub::actors::runtime
