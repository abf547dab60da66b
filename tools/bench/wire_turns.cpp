#include "tools/bench/turns_text.hpp"
#include "tools/bench/wire.hpp"

namespace gamehub::tools::bench {
namespace {

class turns_wire final : public wire {
 public:
  std::string_view name() const override { return "turns"; }
  std::uint16_t port_default() const override { return 8889; }
  int games_per_connection_max() const override { return 1000; }
  bool seats_again_unasked() const override { return true; }

  void greet(int games, std::string& out) const override {
    append_connect(games, out);
    out += '\n';
  }
  // The hub seats the client again without a request.
  void again(std::string&) const override {}
  void move(std::int64_t game, int cell, std::string& out) const override {
    append_turns_move(game, cell, out);
    out += '\n';
  }

  std::size_t read(std::string_view bytes, std::vector<server_message>& out) const override {
    std::size_t at = 0;
    for (auto end = bytes.find('\n'); end != bytes.npos; end = bytes.find('\n', at)) {
      out.push_back(read_turns_line(bytes.substr(at, end - at)));
      at = end + 1;
    }
    return at;
  }
};

}  // namespace

const wire& turns() {
  static const turns_wire it;
  return it;
}

}  // namespace gamehub::tools::bench
