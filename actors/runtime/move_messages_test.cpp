#include "actors/runtime/move_messages.hpp"

#include "actors/runtime/actor_system.hpp"
#include "tests/support/catch.hpp"

#include <caf/message_id.hpp>

#include <string>
#include <utility>

namespace gamehub::actors::runtime {
namespace {

// CAF requires it before the first message.
void register_messages() {
  caf::init_global_meta_objects<caf::id_block::gamehub>();
  caf::core::init_global_meta_objects();
}

const play_request& move_in(const caf::mailbox_element_ptr& m) {
  return m->payload.get_as<play_request>(0);
}

TEST_CASE("move_messages: a handled message carries the next move, and nothing of the former") {
  register_messages();
  move_messages all;
  auto first = all.make({1, {}, {move::form::document, 3, std::string(100, 'x')}, 9});
  CHECK(move_in(first).what.text.size() == 100);
  const auto* const where = first.get();
  const auto* const content = &move_in(first);
  all.keep(std::move(first));
  REQUIRE(all.kept() == 1);
  const auto next = all.make({0, {}, {move::form::cell, 7, {}}, 0});
  CHECK(next.get() == where);
  CHECK(&move_in(next) == content);
  CHECK(move_in(next).seat == 0);
  CHECK(move_in(next).what.as == move::form::cell);
  CHECK(move_in(next).what.cell == 7);
  CHECK(move_in(next).what.text.capacity() < 100);
  CHECK(move_in(next).repeated_after == 0);
  CHECK(all.kept() == 0);
  CHECK(all.make({}).get() != where);
}

TEST_CASE("move_messages: keeps messages of moves alone, and only some") {
  register_messages();
  move_messages all;
  all.keep(caf::make_mailbox_element(nullptr, caf::make_message_id(), {}, timer_up{}));
  CHECK(all.kept() == 0);
  std::vector<caf::mailbox_element_ptr> many;
  for (std::size_t i = 0; i <= move_messages::kept_max; ++i) many.push_back(all.make({}));
  for (auto& each : many) all.keep(std::move(each));
  CHECK(all.kept() == move_messages::kept_max);
}

}  // namespace
}  // namespace gamehub::actors::runtime
