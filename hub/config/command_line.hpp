// The command line of a program: a tree of verbs with their options, which each folder with verbs
// adds to, and the one reader of all of them. Used once, at program start, on the only thread.
#pragma once

#include "hub/config/option.hpp"
#include "hub/config/program.hpp"
#include "hub/config/settings.hpp"

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::config {

// A verb with its options, or a group of verbs.
struct verb : option_list {
  std::string name;
  std::string help;    // empty: not in any help
  std::string footer;  // of the help
  std::list<verb> verbs;

  // The settings of `gamehub serve` that are also flags of this verb, so that it finds the journal
  // or the hub that serve uses with the same settings.
  std::vector<std::string> uses_settings;
  bool uses_all_settings = false;

  // Runs the verb after its options were stored; only the settings that it uses were read. Returns
  // the program's exit code.
  std::function<int(settings&)> run;
  // If set, gets the unread command line instead.
  std::function<int(const char* const* argv)> forward;

  // The reference stays valid.
  verb& add(std::string verb_name, std::string verb_help);
  // Returns the verb of that name, and adds it if necessary: several folders add verbs to one
  // group.
  verb& group_of_verbs(const std::string& verb_name, std::string verb_help);
};

// Adds verbs that store their options in one request. `complete` finishes it from the settings, and
// throws usage_error.
template <class Request>
class request_verbs {
 public:
  using what = decltype(Request::what);

  request_verbs(std::function<void(Request&, settings&)> complete,
                std::function<int(const Request&)> run)
      : complete_(std::move(complete)), run_(std::move(run)) {}

  verb& add(verb& to, std::string name, std::string help, what request_what) const {
    auto& added = to.add(std::move(name), std::move(help));
    added.run = [r = request, complete = complete_, run = run_, request_what](settings& found) {
      r->what = request_what;
      complete(*r, found);
      return run(*r);
    };
    return added;
  }

  const std::shared_ptr<Request> request = std::make_shared<Request>();

 private:
  const std::function<void(Request&, settings&)> complete_;
  const std::function<int(const Request&)> run_;
};

// Reads the command line, and runs the verb that it names or prints the help or the version.
// Returns the program's exit code. Throws usage_error. Requires: `program` has verbs.
int run_verb(const verb& program, int argc, const char* const* argv, const environment&,
             const std::function<int(const std::string&)>& printer = print);

// The verbs of the program gamehub-tools, to which gamehub forwards them.
struct tool_verb {
  const char* name;
  const char* help;
};
inline constexpr tool_verb bench_verb{
    "bench",
    "Plays whole games on a running hub over sockets, and reports throughput and latency."};
inline constexpr tool_verb udp_lab_verb{
    "udp-lab", "UDP proxy that drops, delays, duplicates and reorders datagrams."};
inline constexpr tool_verb engine_verb{
    "engine",
    "Creates the project of an engine (new), checks an engine (check), or plays it (play)."};
inline constexpr tool_verb bot_verb{"bot",
                                    "Calls a bot as the hub does and reports its errors (check)."};
inline constexpr tool_verb tool_verbs[] = {bench_verb, udp_lab_verb, engine_verb, bot_verb};

}  // namespace gamehub::config
