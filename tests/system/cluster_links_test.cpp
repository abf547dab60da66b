// Links between real hubs: what status and metrics show of them, what a killed hub and foreign
// bytes do to them, with and without certificates.
#include "hub/journal/postgres/connection.hpp"
#include "tests/journal/postgres_server.hpp"
#include "tests/support/catch.hpp"
#include "tests/system/hub.hpp"
#include "tests/system/runbook.hpp"
#include "tests/system/tcp_client.hpp"
#include "tests/system/turns_client.hpp"

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace gamehub::tests::system {
namespace {

using Catch::Matchers::Contains;
using flags = std::vector<std::string>;

// The member of another hub in the status of this one, as JSON.
std::string member_at(hub& at, int id) {
  const auto json = at.get("/status.json").body;
  const auto begin = json.find("{\"member\":" + std::to_string(id) + ",");
  if (begin == json.npos) return {};
  return json.substr(begin, json.find("{\"member\":", begin + 1) - begin);
}

bool is_linked(hub& at, int id) {
  return member_at(at, id).find(R"("out":true,"in":true)") != std::string::npos;
}

void await_link(hub& at, int id) {
  at.await("has a link to member " + std::to_string(id), [&] { return is_linked(at, id); });
}

std::string cluster_status(hub& at) {
  const auto shown =
      run({{hub_program(), "cluster", "status", "--admin-port", std::to_string(at.admin())}, {}});
  CAPTURE(shown.output, shown.errors);
  CHECK(shown.exit_code == 0);
  return shown.output;
}

void await_refused(hub& at, const char* why) {
  at.await("refuses it as " + std::string{why}, [&] {
    return at.count("gamehub_link_refused_total", {{"reason", why}}) > 0;
  });
}

std::string address_of(const hub& at) { return "127.0.0.1:" + std::to_string(at.link()); }

// An authority, and the files of hubs that it has signed, by the openssl program.
class authority {
 public:
  authority() {
    make(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        " -subj /CN=authority -keyout authority.key -out ca.crt"
        " && openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=hub"
        " -keyout tls.key -out tls.csr"
        " && openssl x509 -req -in tls.csr -CA ca.crt -CAkey authority.key -CAcreateserial"
        " -days 2 -out tls.crt");
  }
  flags settings() const {
    return {"--link-key",    path("tls.key"),    "--link-certificate",
            path("tls.crt"), "--link-authority", path("ca.crt")};
  }
  std::string path(const std::string& name) const { return folder_.path() + '/' + name; }

 private:
  void make(const std::string& commands) const {
    const auto made = run({{"sh", "-c", commands}, {}, folder_.path()});
    CAPTURE(made.errors);
    REQUIRE(made.exit_code == 0);
  }

  temporary_folder folder_;
};

flags joined(flags one, const flags& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

// The one sentence of a hub that must not start.
std::string refusal_of(const flags& more) {
  const flags ports{"--turns-port", "0", "--opcodes-port", "0", "--udp-port", "0",
                    "--http-port",  "0", "--admin-port",   "0"};
  const auto result = run({joined(joined({hub_program(), "serve"}, ports), more), {}});
  CAPTURE(more, result.output, result.errors);
  CHECK(result.exit_code == 2);
  CHECK(result.output.empty());
  // Lines of the log come before it.
  const auto begin = result.errors.find("gamehub: ");
  REQUIRE(begin != std::string::npos);
  const auto sentence = result.errors.substr(begin);
  CHECK(std::count(sentence.begin(), sentence.end(), '\n') == 1);
  return sentence;
}

TEST_CASE("cluster: hubs on one database have links, and one that is killed loses its own") {
  const postgres_server server;
  hub one{{"--cluster", server.target()}}, two{{"--cluster", server.target()}};
  REQUIRE(one.link() != 0);
  await_link(one, 2);
  await_link(two, 1);
  CHECK_THAT(member_at(one, 2), Contains("\"address\":\"" + address_of(two) + '"'));
  CHECK_THAT(member_at(one, 1), Contains("\"address\":\"" + address_of(one) + '"'));
  CHECK_THAT(cluster_status(one), Contains("  link up  "));
  for (auto* at : {&one, &two}) {
    at->await_count("gamehub_links_up", {}, 1);
    CHECK(at->count("gamehub_links_wanted") == 1);
    CHECK(at->count("gamehub_link_bytes_total", {{"direction", "sent"}}) > 0);
    CHECK(at->count("gamehub_link_bytes_total", {{"direction", "received"}}) > 0);
    // Each has said that it can be asked for players.
    at->await_count("gamehub_link_messages_total", {{"direction", "sent"}}, 1);
    at->await_count("gamehub_link_messages_total", {{"direction", "received"}}, 1);
    CHECK(at->count("gamehub_link_dropped_total") == 0);
  }
  const auto metrics = one.metrics().text();
  for (const auto* why : {"garbage", "cluster", "self", "member", "version", "numbers",
                          "certificate", "silent", "crowded"})
    CHECK_THAT(metrics,
               Contains("gamehub_link_refused_total{reason=\"" + std::string{why} + "\"}"));
  CHECK_THAT(one.process().errors(), Contains(promised("links to other hubs listen")) &&
                                         Contains(promised("the link to another hub is up")));

  turns_client ann{one.turns()}, bob{one.turns()};
  const auto connect = [](turns_client& who, const std::string& name) {
    who.say(R"({"type":"connect","name":")" + name +
            R"(","supported_games":["tictactoe"],"max_games":1,"wants":["resume"]})");
    REQUIRE(who.next() == "name " + name);
  };
  connect(ann, "ann");
  one.await_waiting("tictactoe", 1);
  connect(bob, "bob");
  while (ann.next() != "0 turn") continue;
  ann.move(0, 1, 1);
  REQUIRE(ann.next() == "0 state ---/-X-/--- null");
  const auto breaks = two.count("gamehub_link_breaks_total");
  one.process().signal(SIGKILL);
  CHECK(one.wait() == 128 + SIGKILL);
  two.await("sees the broken link",
            [&] { return two.count("gamehub_link_breaks_total") > breaks && !is_linked(two, 1); });
  two.await_count("gamehub_cluster_adopted_games_total", {}, 1);
  two.await_count("gamehub_links_wanted", {}, 0);
  CHECK(two.count("gamehub_links_up") == 0);
  CHECK_THAT(two.process().errors(), Contains(promised("the link to another hub broke")));
  turns_client back{two.turns()};
  back.resume(ann.secret());
  for (const auto* said : {"name ann", "start 0", "0 state ---/-X-/--- null"})
    REQUIRE(back.next() == said);
  // The end of the game would be kept for bob.
  turns_client bob_again{two.turns()};
  bob_again.resume(bob.secret());
  REQUIRE(bob_again.next() == "name bob");
  back.say(R"({"type":"close","game_id":0})");
  while (back.next() != "close 0") continue;
}

TEST_CASE("cluster: a hub that drains leaves no link, and the others keep theirs") {
  const postgres_server server;
  const flags cluster{"--cluster", server.target()};
  hub one{cluster}, two{cluster};
  {
    hub three{cluster};
    await_link(one, 3);
    await_link(two, 3);
    await_link(three, 1);
    await_link(three, 2);
  }
  for (auto* at : {&one, &two}) {
    at->await_count("gamehub_links_wanted", {}, 1);
    at->await_count("gamehub_links_up", {}, 1);
  }
}

TEST_CASE("cluster: foreign bytes on the port of links are counted, and harmless") {
  const postgres_server server;
  const flags cluster{"--cluster", server.target()};
  hub one{cluster}, two{cluster};
  await_link(one, 2);
  tcp_client browser{one.link()};
  browser.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await_refused(one, "garbage");
  tcp_client noise{one.link()};
  noise.send(std::string(100'000, '\xff'));
  noise.rest();
  CHECK(noise.ended());
  // It sends nothing.
  const tcp_client mute{one.link()};
  await_refused(one, "silent");
  CHECK(is_linked(one, 2));
  CHECK(one.count("gamehub_link_breaks_total") == 0);
  CHECK(one.get("/healthz").status == 200);
}

TEST_CASE("cluster: hubs with certificates of one authority have links, and others have none") {
  const postgres_server server;
  const flags cluster{"--cluster", server.target()};
  const authority ours, theirs;
  hub one{joined(cluster, ours.settings())}, two{joined(cluster, ours.settings())};
  await_link(one, 2);
  await_link(two, 1);
  // Of another authority, and without any.
  hub three{joined(cluster, theirs.settings())}, four{cluster};
  three.await_count("gamehub_links_wanted", {}, 3);
  await_refused(one, "certificate");
  four.await("is not let in", [&] {
    return member_at(four, 1).find(R"("out":false,"in":false,"why":")") != std::string::npos;
  });
  CHECK(three.count("gamehub_links_up") == 0);
  CHECK(four.count("gamehub_links_up") == 0);
  CHECK(is_linked(one, 2));
  CHECK_THAT(cluster_status(one), Contains("link down"));
}

TEST_CASE("cluster: a hub without links has no port of them, and its members show it") {
  const postgres_server server;
  const flags cluster{"--cluster", server.target()};
  hub one{cluster}, two{joined(cluster, {"--link-port", "off"})}, alone;
  CHECK(two.link() == 0);
  CHECK(alone.link() == 0);
  one.await_count("gamehub_links_wanted", {}, 1);
  CHECK(one.count("gamehub_links_up") == 0);
  CHECK_THAT(cluster_status(one), Contains("  no link  "));
  CHECK(member_at(one, 2).find("\"link\"") == std::string::npos);
  CHECK(two.metrics().text().find("\ngamehub_links_wanted ") == std::string::npos);
}

TEST_CASE("cluster: settings of links that do not work are refused with one sentence") {
  CHECK_THAT(refusal_of({"--journal", "memory", "--link-port", "0"}),
             Contains("link-port is given without cluster"));
  const authority ours, theirs;
  const postgres_server server;
  const flags cluster{"--cluster", server.target()};
  CHECK_THAT(refusal_of(joined(cluster, {"--link-address", "10.0.0.7"})),
             Contains("links to other machines need certificates"));
  CHECK_THAT(refusal_of(joined(cluster, {"--link-key", ours.path("tls.key")})),
             Contains("link-key is given without link-certificate"));
  CHECK_THAT(refusal_of(joined(joined(cluster, ours.settings()), {"--listen", "::"})),
             Contains("link-address is missing"));
  const auto with = [&](const std::string& key, const std::string& certificate) {
    return joined(cluster, {"--link-key", key, "--link-certificate", certificate,
                            "--link-authority", ours.path("ca.crt")});
  };
  // The starting hub and the check say the same.
  for (const auto& check : {flags{}, flags{"--check"}}) {
    CHECK_THAT(refusal_of(joined(with("/nowhere", ours.path("tls.crt")), check)),
               Contains("/nowhere"));
    CHECK_THAT(refusal_of(joined(with(theirs.path("tls.key"), ours.path("tls.crt")), check)),
               Contains(theirs.path("tls.key")));
  }
  const hub other{cluster};
  CHECK_THAT(refusal_of(joined(cluster, {"--link-port", std::to_string(other.link())})),
             Contains(std::to_string(other.link())));
}

}  // namespace
}  // namespace gamehub::tests::system
