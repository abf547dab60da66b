#include "hub/config/settings.hpp"
#include "tests/support/serve_line.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::config {
namespace {

using tests::serve_line::serve;

TEST_CASE("settings: a cluster's database is the journal, and no file") {
  const auto url = std::string{"postgresql://ann:secret@db/games"};
  const auto s = serve({"--cluster", url, "--durability", "machine"}, {{"HOME", ""}}).read();
  CHECK(s.cluster == url);
  CHECK(s.durability == gamehub::durability::machine);
  CHECK(s.journal_file.empty());
  CHECK(s.arena_file.empty());
  CHECK(serve({}, {{"GAMEHUB_CLUSTER", "service=games"}}).read().cluster == "service=games");
  const auto both =
      "gamehub: cluster and journal are both given, and the cluster's database is the journal: "
      "remove one of them.";
  CHECK(serve({"--cluster", url, "--journal", "sqlite"}).mistake() == both);
  CHECK(serve({"--cluster", url}, {{"GAMEHUB_JOURNAL", "memory"}}).mistake() == both);
  CHECK(serve({"--durability", "machine"}).mistake() ==
        "gamehub: --durability machine needs the database of --cluster, because a file is on one "
        "machine: give --cluster, or --durability power.");
}

TEST_CASE("settings: a hub of a cluster has links, on loopback unless it has certificates") {
  const auto with = [](std::vector<std::string> flags,
                       std::map<std::string, std::string> environment = {}) {
    flags.insert(flags.begin(), {"--cluster", "service=games"});
    return serve(std::move(flags), std::move(environment)).read();
  };
  const std::vector<std::string> files{"--link-key",       "k.pem", "--link-certificate", "c.pem",
                                       "--link-authority", "a.pem"};
  const auto plain = with({"--listen", "0.0.0.0"});
  CHECK(plain.links.port == 0);
  CHECK_FALSE(plain.links.has_certificate());
  CHECK(link_listen_of(plain) == "127.0.0.1");
  CHECK(link_address_of(plain, 4'000) == "127.0.0.1:4000");
  CHECK_FALSE(with({"--link-port", "off"}).links.port);
  CHECK(with({}, {{"GAMEHUB_LINK_PORT", "4001"}}).links.port == 4'001);

  const auto secured = [&](std::vector<std::string> flags) {
    flags.insert(flags.end(), files.begin(), files.end());
    return with(std::move(flags));
  };
  const auto at = secured({"--listen", "10.0.0.7"});
  CHECK(at.links.key == "k.pem");
  CHECK(at.links.certificate == "c.pem");
  CHECK(at.links.authority == "a.pem");
  CHECK(link_listen_of(at) == "10.0.0.7");
  CHECK(link_address_of(at, 4'000) == "10.0.0.7:4000");
  const auto address = [&](const std::string& text) {
    return link_address_of(secured({"--listen", "::", "--link-address", text}), 4'000);
  };
  CHECK(address("10.0.0.8") == "10.0.0.8:4000");
  CHECK(address("10.0.0.8:5000") == "10.0.0.8:5000");
  CHECK(address("fd00::8") == "[fd00::8]:4000");
  CHECK(address("[fd00::8]:5000") == "[fd00::8]:5000");
  const auto local = [&](const std::string& text) {
    return link_address_of(with({"--link-address", text}), 4'000);
  };
  CHECK(local("127.0.0.2:5000") == "127.0.0.2:5000");
  CHECK(local("::1") == "[::1]:4000");
}

TEST_CASE("settings: refuse links that other hubs can't use") {
  const auto mistake = [](std::vector<std::string> flags, const std::string& cluster = "service=g",
                          std::map<std::string, std::string> environment = {}) {
    flags.insert(flags.end(), {"--cluster", cluster});
    return serve(std::move(flags), std::move(environment)).mistake();
  };
  const auto alone = [](const std::string& what) {
    return "gamehub: " + what +
           " is given without cluster, and only the hubs of a cluster have links: give --cluster, "
           "or remove it.";
  };
  CHECK(mistake({"--link-port", "0"}, "") == alone("link-port"));
  CHECK(mistake({}, "", {{"GAMEHUB_LINK_ADDRESS", "10.0.0.7"}}) == alone("link-address"));
  CHECK(mistake({"--link-key", "k"}, "") == alone("link-key"));
  CHECK(mistake({"--link-certificate", "c"}, "") == alone("link-certificate"));
  CHECK(mistake({"--link-authority", "a"}, "") == alone("link-authority"));
  CHECK(mistake({"--link-port", "off"}, "") == "no mistake");

  const auto files = std::string{
      ": give link-key, link-certificate and link-authority, or none of "
      "them."};
  CHECK(mistake({"--link-key", "k"}) ==
        "gamehub: link-key is given without link-certificate" + files);
  CHECK(mistake({"--link-key", "k", "--link-certificate", "c"}) ==
        "gamehub: link-key is given without link-authority" + files);
  CHECK(mistake({"--link-authority", "a", "--link-certificate", "c"}) ==
        "gamehub: link-certificate is given without link-key" + files);
  for (const auto* far : {"10.0.0.7", "10.0.0.7:4000", "[fd00::8]:4000"})
    CHECK(mistake({"--link-address", far}) ==
          "gamehub: link-address is not a loopback address, and links to other machines need "
          "certificates: give link-key, link-certificate and link-authority, or remove it.");
  const std::vector<std::string> anywhere{"--link-key",       "k", "--link-certificate", "c",
                                          "--link-authority", "a", "--listen",           "::"};
  CHECK(mistake(anywhere) ==
        "gamehub: link-address is missing, because other hubs can't connect to ::: give the "
        "address of this machine, or --link-port off.");
  for (const auto* wrong :
       {"two words", "hub-1.example", "localhost:5000", "10.0.0.7:", "10.0.0.7:0", "10.0.0.7:65536",
        "fd00::8]:1", "[10.0.0.7]:1", "http://a", ":4000", "[]:4000", "[::1]", "0.0.0.0", "[::]:1"})
    CHECK(mistake({"--link-address", wrong}) ==
          "gamehub: --link-address is \"" + std::string{wrong} +
              "\": give an IPv4 or IPv6 address, with or without a port, such as 10.0.0.7:9465.");
  CHECK(mistake({"--link-port", "x"}) ==
        "gamehub: --link-port is \"x\": give a port up to 65535, 0 for any free one, or off.");
  CHECK(mistake({"--link-port", "8888"}) ==
        "gamehub: opcodes-port and link-port are both 8888: give each its own port.");
  CHECK(mistake({"--link-port", "9464"}) ==
        "gamehub: admin-port and link-port are both 9464: give each its own port.");
  CHECK(mistake({"--link-port", "8888", "--listen", "10.0.0.7"}) == "no mistake");
}

}  // namespace
}  // namespace gamehub::config
