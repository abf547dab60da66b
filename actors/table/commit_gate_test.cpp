#include "actors/table/commit_gate.hpp"

#include "tests/support/catch.hpp"

using namespace gamehub;
using actors::table::commit_gate;
using actors::table::pending_outputs;
using actors::table::spare_lists;
using actors::table::transition;

namespace {

// Notices are told apart by the ticket they answer.
std::vector<transition::outbound_event> outbound(std::initializer_list<ticket> tickets) {
  std::vector<transition::outbound_event> made;
  for (const auto t : tickets) {
    event e;
    e.answers.ticket = t;
    e.what = done{};
    made.push_back({0, std::move(e)});
  }
  return made;
}

std::vector<ticket> released(commit_gate& gate) {
  std::vector<transition::outbound_event> out;
  spare_lists spare;
  gate.release(out, spare);
  std::vector<ticket> tickets;
  for (const auto& n : out) tickets.push_back(n.what.answers.ticket);
  return tickets;
}

void hold(commit_gate& gate, std::initializer_list<ticket> tickets) {
  auto n = outbound(tickets);
  spare_lists spare;
  gate.enqueue(n, spare);
  CHECK(n.empty());
}

using told = std::vector<ticket>;

}  // namespace

TEST_CASE("commit_gate: is open until something is appended that is not committed") {
  commit_gate gate;
  CHECK(gate.open());
  gate.appended(2);
  CHECK_FALSE(gate.open());
  gate.committed(1);
  CHECK_FALSE(gate.open());
  gate.committed(2);
  CHECK(gate.open());
}

TEST_CASE("commit_gate: nothing leaves before the record it follows from is committed") {
  commit_gate gate;
  gate.appended(3);
  hold(gate, {1, 2});
  gate.appended(4);
  hold(gate, {3});
  CHECK(released(gate) == told{});
  gate.committed(2);
  CHECK(released(gate) == told{});
  gate.committed(3);
  CHECK(released(gate) == told{1, 2});
  CHECK(released(gate) == told{});
  gate.committed(4);
  CHECK(released(gate) == told{3});
}

TEST_CASE("commit_gate: a refusal waits behind the move that was accepted before it") {
  commit_gate gate;
  gate.appended(1);
  hold(gate, {1});
  // Nothing was appended for it, and still it must not come first.
  hold(gate, {2});
  CHECK(released(gate) == told{});
  gate.committed(1);
  CHECK(released(gate) == told{1, 2});
}

TEST_CASE("commit_gate: a commit of several records releases all in order") {
  commit_gate gate;
  for (journal::record_number n = 1; n <= 5; ++n) {
    gate.appended(n);
    hold(gate, {static_cast<ticket>(n)});
  }
  gate.committed(4);
  CHECK(released(gate) == told{1, 2, 3, 4});
  gate.committed(5);
  CHECK(released(gate) == told{5});
}

TEST_CASE("commit_gate: an older commit that comes late takes nothing back") {
  commit_gate gate;
  gate.appended(5);
  gate.committed(5);
  gate.committed(3);
  CHECK(gate.open());
}

TEST_CASE("commit_gate: holds nothing any more once all was released") {
  commit_gate gate;
  CHECK_FALSE(gate.has_pending());
  gate.appended(1);
  hold(gate, {1});
  CHECK(gate.has_pending());
  gate.committed(1);
  // The gate is open, but earlier output is sent first.
  CHECK(gate.has_pending());
  hold(gate, {2});
  CHECK(released(gate) == told{1, 2});
  CHECK_FALSE(gate.has_pending());
}

TEST_CASE("commit_gate: holding nothing is let go with the next release") {
  commit_gate gate;
  gate.appended(1);
  hold(gate, {});
  gate.committed(1);
  CHECK(released(gate) == told{});
  CHECK_FALSE(gate.has_pending());
}

TEST_CASE("commit_gate: gives back what waits, with the record that it waits for") {
  commit_gate gate;
  gate.appended(2);
  hold(gate, {1});
  gate.appended(3);
  hold(gate, {2, 3});
  gate.committed(2);
  CHECK(released(gate) == told{1});
  const auto back = gate.take_back();
  REQUIRE(back.size() == 2);
  CHECK(back[0].after == 3);
  CHECK(back[0].what.what.answers.ticket == 2);
  CHECK(back[1].what.what.answers.ticket == 3);
  CHECK_FALSE(gate.has_pending());
  CHECK(gate.take_back().empty());
}

TEST_CASE("commit_gate: takes a list that was given back, and gives it back empty") {
  spare_lists spare;
  commit_gate gate;
  const pending_outputs* where = nullptr;
  {
    auto list = spare.take();
    list->reserve(2);
    where = list.get();
    spare.give_back(std::move(list));
  }
  gate.appended(1);
  auto n = outbound({1, 2});
  gate.enqueue(n, spare);
  // Another list, because the gate has the one that was given back.
  CHECK(spare.take().get() != where);
  gate.committed(1);
  std::vector<transition::outbound_event> out;
  gate.release(out, spare);
  CHECK(out.size() == 2);
  const auto again = spare.take();
  CHECK(again.get() == where);
  CHECK(again->empty());
}

TEST_CASE("commit_gate: a bounded number of short lists is kept") {
  spare_lists spare;
  auto longer = spare.take();
  longer->reserve(spare_lists::kept_length_max + 1);
  spare.give_back(std::move(longer));
  CHECK(spare.size() == 0);
  for (std::size_t i = 0; i < 2 * spare_lists::kept_max; ++i)
    spare.give_back(std::make_unique<pending_outputs>());
  CHECK(spare.size() == spare_lists::kept_max);
}
