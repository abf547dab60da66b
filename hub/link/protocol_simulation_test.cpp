// Members whose connections are cut, delayed and overtake each other, in an order drawn from a
// seed: each message arrives exactly once and in order, and what is kept stays within the window.
#include "hub/base/random.hpp"
#include "hub/link/protocol.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sanitized.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

using namespace gamehub;
using namespace gamehub::link;

namespace {

constexpr std::size_t window = 4'000;

// One connection. Bytes that one end has written wait until the other end reads them, also when the
// first end has closed.
struct wire {
  int number = 0;
  std::size_t from = 0, to = 0;  // places of the members
  bool from_open = true, to_open = true;
  std::string there, back;  // bytes on their way
  reader at_from, at_to;
  std::unique_ptr<caller> call;
  std::unique_ptr<answerer> answer;
};

struct member {
  identity who;
  std::map<std::size_t, std::unique_ptr<peer_state>> peers;  // by place
  std::map<std::size_t, std::shared_ptr<wire>> out, in;      // the current connections
  std::map<std::size_t, std::vector<std::string>> sent, got;
};

class random_members {
 public:
  random_members(std::size_t count, std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < count; ++i) {
      all_.emplace_back();
      all_[i].who = {"one", {i + 1}, "1"};
      for (std::size_t j = 0; j < count; ++j)
        if (j != i) all_[i].peers[j] = std::make_unique<peer_state>(member_id{j + 1}, window);
    }
  }

  void run() {
    for (int i = 0; i < 1'500; ++i) {
      step(true);
      check_all();
    }
    // From here on nothing is cut.
    for (int i = 0; i < 20'000 && !is_complete(); ++i) step(false);
    check_all();
    REQUIRE(is_complete());
  }

  int reconnects = 0, late_hellos = 0;

 private:
  std::uint64_t pick(std::uint64_t of) { return random_.below(of); }

  void step(bool faults) {
    auto& m = all_[pick(all_.size())];
    const auto to = other_than(m);
    if (faults && pick(2) == 0) send(m, to);
    if (!m.out.contains(to) && pick(3) == 0) connect(m, to);
    // What was closed may still have bytes on their way.
    for (auto turns = 1 + pick(4); turns > 0 && !wires_.empty(); --turns) {
      const auto w = wires_[pick(wires_.size())];
      write(*w);
      pick(2) == 0 ? read_there(w) : read_back(w);
      if (faults && pick(40) == 0) cut(*w);
    }
    std::erase_if(wires_, [](const auto& w) { return !w->from_open && !w->to_open; });
  }

  std::size_t place(const member& m) const { return static_cast<std::size_t>(&m - all_.data()); }
  std::size_t other_than(const member& m) {
    const auto at = pick(all_.size() - 1);
    return at < place(m) ? at : at + 1;
  }

  void send(member& m, std::size_t to) {
    auto text = std::to_string(m.sent[to].size()) + std::string(pick(400), '.');
    if (m.peers[to]->out.send(text)) m.sent[to].push_back(std::move(text));
  }

  void connect(member& m, std::size_t to) {
    const auto w = std::make_shared<wire>();
    w->number = ++wires_made_;
    w->from = place(m);
    w->to = to;
    w->call = std::make_unique<caller>(m.who, *m.peers[to]);
    append(w->call->begin(), w->there);
    m.out[to] = w;
    wires_.push_back(w);
  }

  void write(wire& w) {
    auto& m = all_[w.from];
    if (w.from_open && w.call->is_up() && w.there.size() < 500)
      m.peers[w.to]->out.write(w.there, pick(600));
    if (w.to_open && w.answer && pick(3) == 0)
      if (const auto a = w.answer->take_acknowledgement()) append(*a, w.back);
    if (w.from_open && pick(20) == 0) append(ping{}, w.there);
    if (w.to_open && w.answer && pick(20) == 0) append(ping{}, w.back);
  }

  std::string take(std::string& from) {
    const auto piece = from.substr(0, 1 + pick(700));
    from.erase(0, piece.size());
    return piece;
  }

  void read_there(const std::shared_ptr<wire>& w) {
    if (!w->to_open) return;
    if (w->there.empty()) {
      if (!w->from_open) close_to(*w);
      return;
    }
    const auto piece = take(w->there);
    w->at_to.receive(piece);
    while (const auto next = w->at_to.next()) {
      REQUIRE(std::holds_alternative<frame>(*next));
      if (!w->to_open) continue;
      const auto& what = std::get<frame>(*next);
      w->answer ? on_message(*w, what) : on_hello(w, std::get<hello>(what));
    }
    REQUIRE(w->at_to.kept_bytes() < 1'000);
  }

  void on_hello(const std::shared_ptr<wire>& w, const hello& h) {
    auto& m = all_[w->to];
    auto& from = *m.peers[w->from];
    const auto old = m.in.find(w->from);
    if (const auto no = check(h, m.who, &from)) {
      // Only a connection that a newer one has overtaken is refused.
      REQUIRE(*no == refusal::numbers);
      REQUIRE(newest_in_[{w->to, w->from}] > w->number);
      ++late_hellos;
      append(refused{*no}, w->back);
      close_to(*w);
      return;
    }
    REQUIRE(newest_in_[{w->to, w->from}] < w->number);
    newest_in_[{w->to, w->from}] = w->number;
    if (old != m.in.end()) {
      ++reconnects;
      close_to(*old->second);
    }
    w->answer = std::make_unique<answerer>(m.who, from, h, window);
    append(w->answer->answer(), w->back);
    m.in[w->from] = w;
  }

  void on_message(wire& w, const frame& what) {
    const auto effect = w.answer->on_frame(what);
    REQUIRE_FALSE(std::holds_alternative<ending>(effect));
    if (const auto* m = std::get_if<message>(&effect))
      all_[w.to].got[w.from].emplace_back(m->bytes);
  }

  void read_back(const std::shared_ptr<wire>& w) {
    if (!w->from_open) return;
    if (w->back.empty()) {
      if (!w->to_open) close_from(*w);
      return;
    }
    const auto piece = take(w->back);
    w->at_from.receive(piece);
    while (const auto next = w->at_from.next()) {
      REQUIRE(std::holds_alternative<frame>(*next));
      if (!w->from_open) continue;
      const auto end = w->call->on_frame(std::get<frame>(*next));
      if (!end) continue;
      REQUIRE(end->cause == break_cause::refused);
      close_from(*w);
    }
  }

  void close_from(wire& w) {
    w.from_open = false;
    auto& m = all_[w.from];
    const auto at = m.out.find(w.to);
    if (at == m.out.end() || at->second.get() != &w) return;
    m.peers[w.to]->out.disconnect();
    m.out.erase(at);
  }

  void close_to(wire& w) {
    w.to_open = false;
    auto& m = all_[w.to];
    const auto at = m.in.find(w.from);
    if (at != m.in.end() && at->second.get() == &w) m.in.erase(at);
  }

  // One end or both notice it now; of what is on its way the end may be lost. The bytes that are
  // not lost arrive later, perhaps after those of the next connection.
  void cut(wire& w) {
    if (pick(2) == 0) w.there.resize(pick(w.there.size() + 1));
    if (pick(2) == 0) w.back.resize(pick(w.back.size() + 1));
    const auto which = pick(4);
    if (which != 0) close_from(w);
    if (which == 0 || which == 3) close_to(w);
  }

  void check_all() {
    for (const auto& m : all_) {
      for (const auto& [to, p] : m.peers) REQUIRE(p->out.bytes() <= window);
      for (const auto& [from, got] : m.got) {
        const auto& sent = all_[from].sent[place(m)];
        REQUIRE(got.size() <= sent.size());
        REQUIRE(std::equal(got.begin(), got.end(), sent.begin()));
      }
    }
  }

  bool is_complete() {
    for (std::size_t from = 0; from < all_.size(); ++from)
      for (auto& [to, p] : all_[from].peers)
        if (all_[to].got[from].size() != all_[from].sent[to].size() || p->out.bytes() != 0)
          return false;
    return true;
  }

  base::seeded_entropy random_;
  std::vector<member> all_;
  std::vector<std::shared_ptr<wire>> wires_;
  std::map<std::pair<std::size_t, std::size_t>, int> newest_in_;
  int wires_made_ = 0;
};

void simulate(std::size_t count) {
  const char* const given = std::getenv("GAMEHUB_SEED");
  const auto first = given == nullptr ? 1 : std::strtoull(given, nullptr, 10);
  int reconnects = 0, late_hellos = 0;
  const auto runs = given != nullptr ? 1u : tests::sanitized ? 50u : 200u;
  for (auto seed = first; seed < first + runs; ++seed) {
    INFO("GAMEHUB_SEED=" << seed);
    random_members members{count, seed};
    members.run();
    reconnects += members.reconnects;
    late_hellos += members.late_hellos;
  }
  if (given != nullptr) return;
  // Else the simulation has not met what it is for.
  CHECK(reconnects > static_cast<int>(runs) / 2);
  CHECK(late_hellos > static_cast<int>(runs) / 40);
}

}  // namespace

TEST_CASE("link simulation: between two members each message arrives once and in order") {
  simulate(2);
}

TEST_CASE("link simulation: between three members each message arrives once and in order") {
  simulate(3);
}
