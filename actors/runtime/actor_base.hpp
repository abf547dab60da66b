// The base class of every actor of the hub: a typed actor that always runs on one loop. The loop is
// the host of its actor_config. Any thread may send a message; the loop's thread handles it.
//
// The class derives from CAF's abstract_actor and has a mailbox of one word. CAF's event-based
// actor adds behaviors, links, requests, streams, timeouts and four queues; the hub needs none of
// them, and they cost 1.0 kB per actor. Only this header connects actors to the scheduling and
// sending of CAF.
#pragma once

#include "actors/runtime/loop.hpp"
#include "actors/runtime/messages.hpp"

#include <caf/abstract_actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/attachable.hpp>
#include <caf/error.hpp>
#include <caf/exit_reason.hpp>
#include <caf/intrusive/lifo_inbox.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/resumable.hpp>
#include <caf/send.hpp>
#include <caf/type_id.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gamehub::actors::runtime {

// The part that does not depend on the message types of the actor.
class loop_actor : public caf::abstract_actor, public resumable_task {
 public:
  explicit loop_actor(caf::actor_config& config);
  ~loop_actor() override;

  // The kind of the actor, for the log.
  virtual const char* name() const = 0;

  // Adds a message and schedules the actor if it is idle. Any thread.
  bool enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) override;
  // Called once, by spawn_on().
  void launch(caf::execution_unit*, bool lazy, bool hide);
  void setup_metrics() {}  // CAF requires it

  // Handles at most `messages_max` messages. The loop's thread.
  resume_result resume(caf::execution_unit*, std::size_t messages_max) override;

  // Calls the function when the actor has ended. Any thread.
  void attach(caf::attachable_ptr) override;

  // Handle the message at once, as if it had just been received. Return false, and leave it
  // unchanged, if it must be sent: the actor runs on another loop, has messages that come first, or
  // is no session. On the loop of the caller.
  virtual bool try_receive(event&) { return false; }
  virtual bool try_receive(seated&) { return false; }
  virtual bool try_receive(seek_result&) { return false; }
  // The same; a game handles it.
  virtual bool try_commit(const log_committed&) { return false; }
  // Takes the message in the middle of a handler, which ends with its effect. Returns false if it
  // must be sent. On the loop of the caller.
  virtual bool try_finish(const leave_request&) { return false; }

  // The loop that runs this actor. Any thread.
  loop& owning_loop() const { return *loop_; }

  subtype_t subtype() const override { return caf::resumable::scheduled_actor; }
  void intrusive_ptr_add_ref_impl() override { caf::intrusive_ptr_add_ref(ctrl()); }
  void intrusive_ptr_release_impl() override { caf::intrusive_ptr_release(ctrl()); }
  // The last handle is gone: ends the actor if it has not ended.
  void on_destroy() override {
    if (!getf(is_cleaned_up_flag)) end(caf::exit_reason::unreachable);
  }

  // No actor of the hub has links, or gives up a monitor.
  std::size_t detach(const caf::attachable::token&) override { return 0; }
  void add_link(caf::abstract_actor*) override {}
  void remove_link(caf::abstract_actor*) override {}
  bool add_backlink(caf::abstract_actor*) override { return false; }
  bool remove_backlink(caf::abstract_actor*) override { return false; }

 protected:
  // Called once, when the actor ends.
  virtual void on_exit() {}

  // Ends the actor after the current message. on_exit() runs then.
  void quit(caf::error why = {});

  // Has on_down() called when the actor has terminated. Requires: nothing else monitors it.
  void monitor(loop_actor& whom);
  // A monitored actor has terminated.
  virtual void on_down(const caf::down_msg&) {}

  // Handles a message of the actor's interface. Returns false for any other message.
  virtual bool receive(caf::message&) = 0;

  // Sends a move, on the loop of this actor.
  void send_move(const game_actor& to, play_request&&);

  // True if the actor may handle at once what would be its next message: the caller runs on its
  // loop, the actor does not run, and it has no message.
  bool is_idle_here() const {
    return loop_->is_current() && !in_direct_call_ && !quitting_ && inbox_.blocked();
  }
  // True if a message was sent to the actor and is not handled yet. Requires: the actor runs.
  bool has_messages() const { return waiting_ != nullptr || !(inbox_.blocked() || inbox_.empty()); }
  // Calls `what` as the handler of a message that was not sent: a message between two actors of one
  // loop costs two allocations and a place in the run queue. Requires: is_idle_here().
  template <class Handler>
  void call_directly(Handler&& what) {
    in_direct_call_ = true;
    run_handler(what);
    in_direct_call_ = false;
    if (quitting_) schedule();
  }
  // The same, if the actor may handle it. Returns false if a message is necessary.
  template <class Handler>
  bool try_call_directly(Handler&& what) {
    if (!is_idle_here()) return false;
    call_directly(what);
    return true;
  }

 private:
  struct inbox_policy {
    using mapped_type = caf::mailbox_element;
    using unique_pointer = caf::mailbox_element_ptr;
  };

  // Tells the actor that monitors this one that it has ended.
  void notify(const caf::actor_addr& monitor) const;
  caf::mailbox_element_ptr take();
  void schedule();
  void handle(caf::message&);
  // Calls a handler. An exception ends the actor.
  template <class Handler>
  void run_handler(Handler&& what) {
    try {
      what();
    } catch (...) {
      end_by_fault();
    }
  }
  void end_by_fault();
  // Closes the mailbox and notifies the monitors.
  void end(caf::error why);

  loop* loop_;
  caf::intrusive::lifo_inbox<inbox_policy> inbox_;
  caf::mailbox_element* waiting_ = nullptr;  // messages taken from the inbox, oldest first
  caf::error why_;                           // of the end
  // Under the mutex of the base class.
  caf::attachable_ptr attached_;
  caf::actor_addr monitor_;
  bool quitting_ = false;
  bool in_direct_call_ = false;
};

// Returns the actor of a handle. All actors of the hub derive from loop_actor.
template <class Handle>
loop_actor* actor_of(const Handle& of) {
  return static_cast<loop_actor*>(caf::actor_cast<caf::abstract_actor*>(of));
}

namespace detail {

// The message type of a handler.
template <class Handler>
struct message_of : message_of<decltype(&Handler::operator())> {};
template <class Handler, class Message>
struct message_of<void (Handler::*)(Message&) const> {
  using type = std::remove_const_t<Message>;
};

template <class Signatures, class... Messages>
inline constexpr bool handles_all = false;
template <class... Signatures, class... Messages>
inline constexpr bool handles_all<caf::detail::type_list<Signatures...>, Messages...> =
    sizeof...(Signatures) == sizeof...(Messages) &&
    (caf::detail::tl_contains<caf::detail::type_list<Signatures...>,
                              caf::result<void>(Messages)>::value &&
     ...);

}  // namespace detail

template <class Handle>
class typed_loop_actor : public loop_actor, public caf::statically_typed_actor_base {
 public:
  using signatures = typename Handle::signatures;
  using actor_hdl = Handle;
  using behavior_type = typename Handle::behavior_type;  // CAF requires this name

  explicit typed_loop_actor(caf::actor_config& config) : loop_actor(config) {}

 protected:
  // Calls the handler of the message's type; receive() is implemented with it. There is one handler
  // for each message of the interface, the most frequent one first. The handlers are temporary: a
  // CAF behavior would be a further object per actor, and most of the memory that a message
  // touches.
  template <class... Handlers>
  static bool dispatch(caf::message& what, const std::tuple<Handlers...>& handlers) {
    static_assert(detail::handles_all<signatures, typename detail::message_of<Handlers>::type...>,
                  "an actor needs one handler for each message of its interface, and no other");
    const auto types = what.types();
    if (types.size() != 1) return false;
    const auto type = types[0];
    return std::apply([&](const auto&... each) { return (take_if(type, what, each) || ...); },
                      handlers);
  }

  Handle self() { return caf::actor_cast<Handle>(this); }

  // Sends a message. Replies are separate messages, so a message stores no sender, because that
  // would keep the sender alive.
  template <class To, class What>
  void send(const To& to, What&& what) {
    caf::anon_send(to, std::forward<What>(what));
  }

  // Sends this actor timer_up with the number, at that time or soon after it. The actor must cancel
  // the timer before it ends.
  base::timers::token arm_timer(base::instant when, std::uint64_t number = 0) {
    return this->owning_loop().timers().arm(when,
                                            [this, number] { send(self(), timer_up{number}); });
  }

 private:
  template <class Handler>
  static bool take_if(caf::type_id_t type, caf::message& what, const Handler& handler) {
    using message = typename detail::message_of<Handler>::type;
    if (type != caf::type_id_v<message>) return false;
    handler(what.get_mutable_as<message>(0));
    return true;
  }
};

// Spawns an actor on a loop. Any thread. The actor accepts messages at once and first runs when it
// receives one.
template <class Actor, class... Args>
typename Actor::actor_hdl spawn_on(loop& where, Args&&... args) {
  caf::actor_config config{&where};
  return where.system().template spawn_impl<Actor, caf::lazy_init>(config,
                                                                   std::forward<Args>(args)...);
}

}  // namespace gamehub::actors::runtime
