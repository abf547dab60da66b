#include "hub/config/command_line.hpp"

#include "hub/base/usage_error.hpp"
#include "tests/support/verb_line.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gamehub::config {
namespace {

// A program with two groups of verbs; each verb notes that it ran.
struct sample_program {
  std::string ran;
  std::vector<std::string> guests;
  std::int64_t chairs = 4;
  bool quietly = false;
  verb program;

  sample_program() {
    program.name = "hotel";
    program.help = "a hotel";
    auto& room = program.add("room", "Rooms.");
    auto& book = room.add("book", "Books a room.");
    book.number("chairs", "chairs in the room", chairs, 0, 9);
    book.flag("quietly", "no breakfast", quietly);
    auto& names = book.text("GUEST", "", "the names of the guests", "", "the name of a guest",
                            [this](std::string_view text) {
                              guests.emplace_back(text);
                              return text != "ghost";
                            });
    names.list = names.required = true;
    book.run = note("book");
    room.add("burn", "").run = note("burn");
    program.add("bar", "Runs another program.").forward = [this](const char* const* argv) {
      ran = std::string{"bar "} + argv[2];
      return 0;
    };
  }
  sample_program(const sample_program&) = delete;
  sample_program& operator=(const sample_program&) = delete;

  std::function<int(settings&)> note(const std::string& name) {
    return [this, name](settings&) {
      ran = name;
      return 0;
    };
  }

  std::string mistake(const tests::words& line) const {
    try {
      tests::run_words(program, line, {});
    } catch (const base::usage_error& what) {
      CHECK(ran.empty());
      return what.what();
    }
    return "no mistake";
  }
};

TEST_CASE("command line: stores the options of the verb that it names, and runs it") {
  sample_program it;
  tests::run_words(it.program, {"room", "book", "ann", "--chairs=2", "bob", "--quietly"}, {});
  CHECK(it.ran == "book");
  CHECK(it.guests == std::vector<std::string>{"ann", "bob"});
  CHECK(it.chairs == 2);
  CHECK(it.quietly);
}

TEST_CASE("command line: a forwarded verb gets the line unread, also with --help") {
  sample_program it;
  tests::run_words(it.program, {"bar", "--help"}, {});
  CHECK(it.ran == "bar --help");
}

TEST_CASE("command line: help before a verb is --help after it") {
  sample_program it;
  CHECK(tests::run_words(it.program, {"help"}, {}) == tests::run_words(it.program, {"--help"}, {}));
  CHECK(tests::run_words(it.program, {"help", "room", "book"}, {}) ==
        tests::run_words(it.program, {"room", "book", "--help"}, {}));
  CHECK(it.ran.empty());
  tests::run_words(it.program, {"help", "bar"}, {});
  CHECK(it.ran == "bar --help");
}

TEST_CASE("command line: a verb without help runs, and no help or error names it") {
  sample_program it;
  CHECK(it.mistake({"room", "bill"}) == "\"bill\" is not a verb of hotel room: give book");
  CHECK(tests::run_words(it.program, {"room", "--help"}, {}).find("burn") == std::string::npos);
  tests::run_words(it.program, {"room", "burn"}, {});
  CHECK(it.ran == "burn");
}

TEST_CASE("command line: each mistake says what, where and the correction") {
  const sample_program it;
  CHECK(it.mistake({}) == "missing verb. Example: hotel room; hotel --help lists the verbs");
  CHECK(it.mistake({"room"}) ==
        "missing verb. Example: hotel room book; hotel room --help lists the verbs");
  CHECK(it.mistake({"rome"}) == "\"rome\" is not a verb of hotel: give room or bar");
  CHECK(it.mistake({"--chairs", "room"}) ==
        "\"--chairs\": write flags after the verb, as in hotel room --chairs");
  CHECK(it.mistake({"room", "book"}) == "GUEST is missing: give the name of a guest");
  CHECK(it.mistake({"room", "book", ""}) == "GUEST is \"\": give the name of a guest");
  CHECK(it.mistake({"room", "book", "ann", "ghost"}) ==
        "GUEST is \"ghost\": give the name of a guest");
  CHECK(it.mistake({"room", "book", "ann", "--chairs"}) ==
        "--chairs has no value: give a whole number from 0 to 9");
  CHECK(it.mistake({"room", "book", "ann", "--chairs", "10"}) ==
        "--chairs is \"10\": give a whole number from 0 to 9");
  CHECK(it.mistake({"room", "book", "ann", "--quietly=perhaps"}) ==
        "--quietly is \"perhaps\": give true or false");
  CHECK(it.mistake({"room", "book", "ann", "--chair=1"}) ==
        "\"--chair\" is not for hotel room book: did you mean --chairs?");
  CHECK(it.mistake({"room", "book", "ann", "-q"}) ==
        "\"-q\" is not for hotel room book: leave it out, hotel room book --help lists the "
        "arguments");
}

TEST_CASE("command line: a number is the whole text, within the bounds") {
  CHECK(number_in<std::uint64_t>("18446744073709551615", 0, UINT64_MAX) == UINT64_MAX);
  CHECK_FALSE(number_in<std::uint64_t>("18446744073709551616", 0, UINT64_MAX));
  for (const auto* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "-1", "10"})
    CHECK_FALSE(number_in(text, 0, 9));
  for (const auto* text : {"nan", "inf", "1e9", "-0.1"}) CHECK_FALSE(number_in(text, 0.0, 1.0));
  CHECK(range_text("a number", 0.5, 1.0) == "a number from 0.5 to 1");
  CHECK(range_text("a number", 3, std::numeric_limits<int>::max()) == "a number from 3");
}

}  // namespace
}  // namespace gamehub::config
