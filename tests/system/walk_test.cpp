// A newcomer's walk through engines/README.md, word for word: everything that is marked there is
// done in its order, with nothing but what is installed and what the page says.
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/transcript.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::system {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds walk_time = 12 * patience;

std::vector<fenced_block> engine_walk() {
  std::ifstream in{std::string{GAMEHUB_SOURCE_DIR} + "/engines/README.md"};
  const std::string page{std::istreambuf_iterator<char>{in}, {}};
  std::vector<fenced_block> out;
  for (auto& each : fenced_blocks(page, "<!-- walk -->"))
    if (each.marked) out.push_back(std::move(each));
  return out;
}

// Someone at home in a new folder, with a checkout that has been built.
class newcomer {
 public:
  newcomer() {
    fs::create_directories(home_.path() + "/checkout/build");
    fs::create_symlink(GAMEHUB_BUILD_DIR, home_.path() + "/checkout/build/release");
    script_ = "cd checkout\n";
  }

  void does(const std::string& lines) { script_ += lines; }
  // The first line of a source says where it belongs, behind //.
  void writes(const std::string& text) {
    const auto name = text.substr(3, text.find(':') - 3);
    script_ += "cat > " + name + " <<'END_OF_SOURCE'\n" + text + "END_OF_SOURCE\n";
  }
  run_result carry_out() {
    return run({{"bash", "-euo", "pipefail", "-c", std::exchange(script_, "")},
                variables(),
                home(),
                walk_time});
  }

  const std::string& home() const { return home_.path(); }
  std::map<std::string, std::string> variables() const {
    return {{"HOME", home()}, {"CMAKE_PREFIX_PATH", ""}};
  }

 private:
  temporary_folder home_;
  std::string script_;
};

// The flags of a line `gamehub serve …`.
std::vector<std::string> flags_of(const std::string& line, const std::string& home) {
  std::istringstream words{line};
  std::vector<std::string> out;
  for (std::string word; words >> word;)
    out.push_back(word.starts_with("~/") ? home + word.substr(1) : word);
  out.erase(out.begin(), out.begin() + 2);
  return out;
}

TEST_CASE("walk: a newcomer makes an engine, checks it, drops it in and plays it on two wires") {
  const auto blocks = engine_walk();
  REQUIRE(blocks.size() == 8);
  newcomer ann;
  std::size_t at = 0;
  for (; !blocks[at].text.starts_with("gamehub serve"); ++at)
    blocks[at].info == "cpp" ? ann.writes(blocks[at].text) : ann.does(blocks[at].text);
  const auto made = ann.carry_out();
  CAPTURE(made.output, made.errors);
  REQUIRE(made.exit_code == 0);
  CHECK(made.output.find("100% tests passed, 0 tests failed out of 2") != std::string::npos);
  CHECK(made.output.find("notakto 1.0.0: Notakto, 2 players") != std::string::npos);

  hub served{flags_of(blocks[at].text, ann.home()), ann.variables(),
             ann.home() + "/gamehub/bin/gamehub"};
  auto variables = ann.variables();
  variables["TURNS_PORT"] = std::to_string(served.turns());
  variables["OPCODES_PORT"] = std::to_string(served.opcodes());
  const auto played =
      run({{"bash", "-euo", "pipefail", "-c", blocks[at + 1].text}, variables, ann.home()});
  CAPTURE(played.errors);
  CHECK(played.exit_code == 0);
  CHECK(played.output == blocks[at + 2].text);
}

}  // namespace
}  // namespace gamehub::tests::system
