// Checks the contract for every protocol of the tree; and tests the contract itself with codecs
// that violate it in one way each.
#include "tests/contract/codec_contract.hpp"

#include "hub/base/inbox.hpp"
#include "hub/core/limits.hpp"

#include <algorithm>
#include <optional>

namespace gamehub::tests {
namespace {

TEST_CASE("codec contract: every protocol over a stream keeps it") {
  REQUIRE_FALSE(gateways::protocols().empty());
  for (const auto* each : gateways::protocols())
    if (each->make_codec != nullptr) check_codec_contract(subject_of(*each));
}

TEST_CASE("codec contract: every protocol describes itself, by rank") {
  int rank = -1;
  for (const auto* each : gateways::protocols()) {
    INFO(each->name);
    CHECK_FALSE(each->name.empty());
    CHECK_FALSE(each->summary.empty());
    CHECK((each->port_default > 1024) == each->port_owner.empty());
    if (!each->port_owner.empty()) CHECK(protocol_named(each->port_owner).rank < each->rank);
    REQUIRE(each->unsupported_reason != nullptr);
    CHECK(each->rank >= rank);
    rank = each->rank;
    const auto same_name = [&](const auto* other) { return other->name == each->name; };
    CHECK(std::count_if(gateways::protocols().begin(), gateways::protocols().end(), same_name) ==
          1);
  }
}

enum class fault {
  none,
  forgets_at_cuts,
  reads_what_is_gone,
  hoards,
  speaks_after_error,
  keeps_after_error,
  repeats_itself,
  overwrites,
  writes_by_mood,
  writes_rubbish,
  reads_pieces,
};

// A protocol of lines: "play CELL" and nothing else.
class toy_codec final : public gateways::codec {
 public:
  explicit toy_codec(fault f) : fault_(f) {}

  void receive(std::string_view bytes) override {
    if (ended_ && fault_ != fault::keeps_after_error) return;
    if (fault_ == fault::reads_what_is_gone && !gone_.empty()) {
      gone_copy_ = std::string{gone_} + std::string{bytes};
      bytes = gone_copy_;
    }
    inbox_.receive(bytes);
  }

  std::optional<gateways::decoded> next() override {
    if (ended_ && fault_ == fault::speaks_after_error) return intent{leave{}};
    if (ended_) return std::nullopt;
    if (fault_ == fault::repeats_itself && played_) return intent{leave{}};
    const auto unread = inbox_.unread();
    auto end = unread.find('\n');
    if (end == unread.npos && unread.size() > limits::line_bytes_max && fault_ != fault::hoards)
      return fail();
    if (end == unread.npos && fault_ == fault::reads_pieces && unread.size() > 6) end = 6;
    if (end == unread.npos) return std::nullopt;
    const auto line = unread.substr(0, end);
    if (!line.starts_with("play ")) return fail();
    play what;
    what.move.text = line.substr(5);
    inbox_.skip(std::min(end + 1, unread.size()));
    played_ = true;
    return intent{what};
  }

  void compact() override {
    if (fault_ == fault::forgets_at_cuts) inbox_.skip(inbox_.unread().size());
    if (fault_ == fault::reads_what_is_gone) {
      gone_ = inbox_.unread();
      inbox_.skip(gone_.size());
    }
    inbox_.keep_rest();
  }

  std::size_t kept_bytes() const override { return inbox_.kept_bytes(); }

  void send(const event& e, std::string& out) override {
    if (fault_ == fault::overwrites) out.clear();
    if (fault_ == fault::writes_by_mood) out += std::to_string(mood_++);
    if (fault_ == fault::writes_rubbish && e.answers.ticket != 0) out += "rubbish";
    out += "event\n";
  }

  void farewell(const gateways::close_cause&, std::string& out) override { out += "bye\n"; }

 private:
  gateways::decoded fail() {
    ended_ = true;
    if (fault_ != fault::keeps_after_error) inbox_.skip(inbox_.unread().size());
    return gateways::protocol_error::unknown_type;
  }

  static inline int mood_ = 0;

  fault fault_;
  base::inbox inbox_;
  std::string_view gone_;
  std::string gone_copy_;
  bool played_ = false;
  bool ended_ = false;
};

std::string findings(fault f) {
  codec_subject toy;
  toy.name = "toy";
  toy.make = [f] { return std::make_unique<toy_codec>(f); };
  toy.samples = {{"moves", "play 1\nplay 22\nplay 3\n"}, {"error", "play 1\nsing\nplay 2\n"}};
  toy.fault_of = [](std::string_view bytes) {
    return bytes.find("rubbish") == bytes.npos ? std::string{} : std::string{"rubbish"};
  };
  std::string out;
  for (const auto& each : violations(toy)) out += each + "\n";
  return out;
}

void finds(fault f, const std::string& promise) {
  const auto all = findings(f);
  INFO(all);
  CHECK(all.find(promise) != all.npos);
}

TEST_CASE("codec contract: reports nothing for a codec that keeps it") {
  CHECK(findings(fault::none) == "");
}

TEST_CASE("codec contract: finds each kind of violation") {
  const std::string cuts = "reads the same however its bytes are cut";
  const std::string kept = "keeps no more than an unfinished message";
  const std::string silence = "says nothing after an error";
  finds(fault::forgets_at_cuts, cuts);
  finds(fault::reads_what_is_gone, cuts);
  finds(fault::reads_pieces, cuts);
  finds(fault::hoards, kept);
  finds(fault::speaks_after_error, silence);
  finds(fault::keeps_after_error, "keeps nothing after an error");
  finds(fault::repeats_itself, "no more than its bytes can mean");
  finds(fault::overwrites, "only appends");
  finds(fault::writes_by_mood, "only appends, and the same each time");
  finds(fault::writes_rubbish, "writes what its protocol allows");
}

TEST_CASE("codec contract: reports missing samples") {
  codec_subject toy;
  toy.name = "toy";
  toy.make = [] { return std::make_unique<toy_codec>(fault::none); };
  const auto found = violations(toy);
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("has samples") != std::string::npos);
}

}  // namespace
}  // namespace gamehub::tests
