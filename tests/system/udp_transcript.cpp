#include "tests/system/udp_transcript.hpp"

#include "tests/system/udp_socket.hpp"

#include <sstream>

namespace gamehub::tests::system {

std::string play_udp_transcript(hub& at, std::string_view text) {
  udp_socket client{at.udp()};
  std::string before;
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words{line.substr(0, line.find('#'))};
    std::string who, what;
    if (!(words >> who)) continue;
    words >> what;
    if (who == "C" && what.size() == 1) {
      client.send(what);
      continue;
    }
    if (who != "S" || what.empty()) return line + "\n  is no line of a client or of the hub";
    auto heard = client.next();
    // A byte that was said again, because this machine is slow.
    while (heard && *heard == before && *heard != what) heard = client.next();
    if (!heard) return line + "\n  but nothing came";
    if (what != "<any>" && *heard != what) return line + "\n  but heard: " + *heard;
    before = *heard;
  }
  return {};
}

}  // namespace gamehub::tests::system
