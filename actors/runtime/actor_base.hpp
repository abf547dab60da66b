// The base of every actor of the hub: a typed actor that runs on one loop and never elsewhere. The
// loop comes as the host of its actor_config; messages from any thread are handed to that loop.
//
// It stands directly on CAF's local_actor and a mailbox of one word. CAF's event-based actor brings
// streams, requests, timeouts and four queues, which the hub has no use for and which cost 0.9 kB
// an actor. This header is all that ties actors to CAF's scheduling and sending.
#pragma once

#include <caf/actor_config.hpp>
#include <caf/actor_system.hpp>
#include <caf/intrusive/lifo_inbox.hpp>
#include <caf/local_actor.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/mixin/sender.hpp>
#include <caf/resumable.hpp>
#include <caf/send.hpp>
#include <caf/type_id.hpp>

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "actors/loop.hpp"

namespace gamehub::actors {

// What does not depend on the actor's messages.
class loop_actor : public caf::local_actor, public job {
 public:
  explicit loop_actor(caf::actor_config& config);
  ~loop_actor() override;

  // Any thread.
  bool enqueue(caf::mailbox_element_ptr what, caf::execution_unit*) override;
  void launch(caf::execution_unit*, bool lazy, bool hide) override;

  // The loop's thread.
  resume_result resume(caf::execution_unit*, std::size_t messages_max) override;
  bool cleanup(caf::error&& why, caf::execution_unit*) override;

  subtype_t subtype() const override { return caf::resumable::scheduled_actor; }
  void intrusive_ptr_add_ref_impl() override { caf::intrusive_ptr_add_ref(ctrl()); }
  void intrusive_ptr_release_impl() override { caf::intrusive_ptr_release(ctrl()); }

 protected:
  actors::loop& home() const { return *loop_; }

  // Ends the actor after the message that it is handling: then on_exit() runs.
  void quit(caf::error why = {});

  // An actor that this one monitors is gone.
  virtual void on_down(const caf::down_msg&) {}

  // Handles one of the actor's own messages; false for any other.
  virtual bool receive(caf::message&) = 0;

 private:
  struct inbox_policy {
    using mapped_type = caf::mailbox_element;
    using unique_pointer = caf::mailbox_element_ptr;
  };

  caf::mailbox_element_ptr take();
  void handle(caf::mailbox_element&);
  void end();

  actors::loop* loop_;
  caf::intrusive::lifo_inbox<inbox_policy> inbox_;
  caf::mailbox_element* waiting_ = nullptr;  // taken from the inbox, oldest first
  caf::error why_;
  bool quitting_ = false;
};

namespace detail {

// The message that a handler takes.
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
class typed_loop_actor : public caf::mixin::sender<loop_actor, typed_loop_actor<Handle>>,
               public caf::statically_typed_actor_base {
 public:
  using super = caf::mixin::sender<loop_actor, typed_loop_actor<Handle>>;
  using signatures = typename Handle::signatures;
  using actor_hdl = Handle;
  using behavior_type = typename Handle::behavior_type;  // CAF asks for it

  explicit typed_loop_actor(caf::actor_config& config) : super(config) {}

 protected:
  // Hands the message to the handler that takes it: what receive() is made of. There is a handler
  // for each message of the interface, the most frequent first. Nothing is kept of them: a behavior
  // of CAF's would be one more object for each actor, and most of what a message touches.
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

  // Answers are messages, so nobody needs to know who sent one: it would only keep the sender.
  template <class To, class What>
  void tell(const To& to, What&& what) {
    this->anon_send(to, std::forward<What>(what));
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

// Spawns an actor on a loop; any thread may. Ready for messages at once, and run when one comes.
template <class Actor, class... Args>
typename Actor::actor_hdl spawn_on(loop& where, Args&&... args) {
  caf::actor_config config{&where};
  return where.system().template spawn_impl<Actor, caf::lazy_init>(config,
                                                                   std::forward<Args>(args)...);
}

}  // namespace gamehub::actors
