#include "actors/runtime/move_messages.hpp"

#include <caf/message_id.hpp>
#include <caf/type_id.hpp>

#include <string>
#include <utility>

namespace gamehub::actors::runtime {

caf::mailbox_element_ptr move_messages::make(play_request&& what) {
  if (kept_.empty())
    return caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, std::move(what));
  auto again = std::move(kept_.back());
  kept_.pop_back();
  again->payload.get_mutable_as<play_request>(0) = std::move(what);
  return again;
}

void move_messages::keep(caf::mailbox_element_ptr handled) {
  auto& what = handled->payload;
  if (what.types().size() != 1 || what.types()[0] != caf::type_id_v<play_request> ||
      kept_.size() == kept_max)
    return;
  // A game may have left the text of a move in it.
  std::string{}.swap(what.get_mutable_as<play_request>(0).what.text);
  kept_.push_back(std::move(handled));
}

}  // namespace gamehub::actors::runtime
