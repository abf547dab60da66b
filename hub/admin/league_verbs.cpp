#include "hub/admin/league_verbs.hpp"

#include "hub/admin/admin_call.hpp"
#include "hub/admin/league_report.hpp"
#include "hub/admin/tables.hpp"
#include "hub/base/query.hpp"
#include "hub/base/random.hpp"
#include "hub/base/time.hpp"
#include "hub/base/token_file.hpp"
#include "hub/base/unicode.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "hub/journal/archive.hpp"
#include "hub/journal/log_store.hpp"
#include "hub/journal/postgres/schema.hpp"
#include "hub/journal/sqlite_file.hpp"
#include "hub/league/file.hpp"
#include "hub/league/postgres/league_tables.hpp"
#include "hub/league/recompute.hpp"
#include "hub/league/token.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <unistd.h>

namespace gamehub::admin {
namespace {

using nlohmann::ordered_json;
using output = arena_request::output;
using config::print;
using journal::postgres::connection;
using std::chrono::milliseconds;

constexpr milliseconds league_answer_max{10'000};
// Between two requests for the state of a tournament.
constexpr milliseconds progress_pause{300};

// The answer to a request that succeeded. Prints the error of one that failed.
std::optional<std::string> ask(const arena_request& r, const std::string& method,
                               const std::string& target) {
  const auto answer = call_admin(r.at.host, r.at.port, method, target, league_answer_max,
                                 base::read_token(r.at.token_file));
  if (answer.status >= 200 && answer.status < 300) return answer.body;
  std::cerr << "gamehub: " << without_line_end(answer.body) << '\n';
  return std::nullopt;
}

// The sentence of a hub that refuses is one for the operator.
int forget(const arena_request& r) {
  const auto body = r.bot.empty() ? ordered_json{{"owner", r.owner}} : ordered_json{{"bot", r.bot}};
  const auto answer = call_admin(r.at.host, r.at.port, "POST", "/arena/forget", league_answer_max,
                                 base::read_token(r.at.token_file), body.dump());
  if (answer.status >= 400 && answer.status <= 499)
    throw base::usage_error{complaint_in(answer.body) +
                            (answer.status == 404 ? ": gamehub arena list prints all bots" : "")};
  if (answer.status != 200) {
    std::cerr << "gamehub: " << complaint_in(answer.body) << '\n';
    return EXIT_FAILURE;
  }
  const auto names = ordered_json::parse(answer.body).at("forgotten");
  std::string out;
  for (const auto& name : names)
    out += "forgot " + base::unicode::escape_hidden(name.get<std::string>()) + '\n';
  return print(out);
}

std::string path_of(std::uint64_t run) { return "/arena/runs/" + std::to_string(run); }

int print_standings(const arena_request& r, const std::string& answer) {
  if (r.as == output::json) return print(answer);
  return print(r.as == output::csv ? run_csv(answer) : run_table(answer));
}

int show(const arena_request& r) {
  const auto answer = ask(r, "GET", path_of(r.run));
  return answer ? print_standings(r, *answer) : EXIT_FAILURE;
}

int cancel(const arena_request& r) {
  if (!ask(r, "POST", path_of(r.run) + "/cancel")) return EXIT_FAILURE;
  return print("run " + std::to_string(r.run) + " is cancelled\n");
}

int list(const arena_request& r) {
  const auto answer = ask(r, "GET", "/arena");
  if (!answer) return EXIT_FAILURE;
  return print(r.as == output::json ? *answer : bot_table(*answer));
}

// Only on a terminal.
void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 1) std::cerr << '\r' << text << std::flush;
}

int wait_for_end(const arena_request& r, std::uint64_t run) {
  const auto patience = std::chrono::minutes{1};
  auto last_answer = std::chrono::steady_clock::now();
  for (;; std::this_thread::sleep_for(progress_pause)) {
    try {
      const auto answer = ask(r, "GET", path_of(run));
      if (!answer) return EXIT_FAILURE;
      last_answer = std::chrono::steady_clock::now();
      const auto now = progress_of(*answer);
      show_progress("run " + std::to_string(run) + ": " + std::to_string(now.ended) + " of " +
                    std::to_string(now.games) + " games " + (now.active ? "" : "\n"));
      if (!now.active) return print_standings(r, *answer);
    } catch (const no_answer&) {
      // The hub may restart: the tournament continues then.
      if (std::chrono::steady_clock::now() - last_answer > patience) throw;
    }
  }
}

int run(const arena_request& r) {
  base::query parameters{{"engine", r.engine},
                         {"games", std::to_string(r.games)},
                         {"format", r.gauntlet ? "gauntlet" : "round-robin"},
                         {"patience", std::to_string(r.patience.count())}};
  for (const auto& each : r.bots) parameters.emplace_back("bot", each);
  const auto begun = ask(r, "POST", "/arena/runs?" + base::to_text(parameters));
  if (!begun) return EXIT_FAILURE;
  const auto number = ordered_json::parse(*begun).at("run").get<std::uint64_t>();
  if (r.detach) return print(std::to_string(number) + '\n');
  std::cerr << "gamehub: run " << number << " continues without this program\n";
  return wait_for_end(r, number);
}

// Enough of a digest to identify a token.
std::string short_of(const std::string& digest) { return digest.substr(0, 8); }

// Creates or upgrades the schema if necessary.
std::unique_ptr<connection> cluster_of(const arena_request& r) {
  auto c = std::make_unique<connection>(r.cluster, connection::limits{});
  journal::postgres::bring_up_schema(*c);
  return c;
}

int add_token(const arena_request& r) {
  base::system_entropy chance;
  const auto token = league::make_token(chance);
  const league::token_entry entry{r.owner, league::digest_of_token(token), base::wall_now(), {}};
  if (r.cluster.empty())
    league::file{r.arena, league::file::access::change}.add_token(entry);
  else
    league::postgres::add_token(*cluster_of(r), entry);
  std::cerr << "gamehub: the token is shown once; the hub stores only its digest\n";
  return print(token + '\n');
}

std::vector<league::token_entry> tokens_of(const arena_request& r) {
  if (r.cluster.empty()) return league::file{r.arena, league::file::access::read}.tokens();
  return league::postgres::tokens(*cluster_of(r));
}

std::vector<bot_record> bots_of(const arena_request& r) {
  if (r.cluster.empty()) return league::file{r.arena, league::file::access::read}.bots();
  return league::postgres::bots(*cluster_of(r));
}

std::vector<league::rating> ratings_of(const arena_request& r) {
  if (r.cluster.empty()) return league::file{r.arena, league::file::access::read}.ratings();
  return league::postgres::ratings(*cluster_of(r));
}

std::size_t revoke_tokens_of(const arena_request& r) {
  if (r.cluster.empty())
    return league::file{r.arena, league::file::access::change}.revoke_tokens(r.owner,
                                                                             base::wall_now());
  return league::postgres::revoke_tokens(*cluster_of(r), r.owner, base::wall_now());
}

int list_tokens(const arena_request& r) {
  const auto all = tokens_of(r);
  auto objects = ordered_json::array();
  std::string lines;
  for (const auto& t : all) {
    const auto id = short_of(t.digest);
    ordered_json one{{"owner", t.owner}, {"id", id}, {"made", base::utc_day(t.made)}};
    one["revoked"] = t.revoked ? ordered_json(base::utc_day(*t.revoked)) : ordered_json();
    objects.push_back(std::move(one));
    lines += id + "  made " + base::utc_day(t.made) +
             (t.revoked ? "  revoked " + base::utc_day(*t.revoked) : "                    ") +
             "  " + t.owner + '\n';
  }
  if (r.as == output::json)
    return print(ordered_json{{"tokens", objects}}.dump(-1, ' ', false,
                                                        ordered_json::error_handler_t::replace) +
                 '\n');
  return print(lines);
}

int revoke_tokens(const arena_request& r) {
  const auto count = revoke_tokens_of(r);
  if (count == 0)
    throw base::usage_error{"there is no token of " + r.owner +
                            " to revoke: gamehub token list prints all owners"};
  const auto bots = bots_of(r);
  const auto left = std::count_if(bots.begin(), bots.end(),
                                  [&](const bot_record& b) { return b.owner == r.owner; });
  if (left > 0)
    std::cerr << "gamehub: " << left << (left == 1 ? " bot" : " bots") << " of " << r.owner
              << " left: names, ratings and running games stay until gamehub arena forget --owner "
              << r.owner << '\n';
  return print("revoked " + std::to_string(count) + (count == 1 ? " token\n" : " tokens\n"));
}

// Computes the ratings from the journal and stores them in the league's file. The lock excludes a
// running hub.
void recompute_ratings(const arena_request& r) {
  if (r.journal.empty())
    throw base::usage_error{
        "the journal is set to memory, which a later program can't read: give a file with "
        "--journal "
        "sqlite:PATH"};
  const journal::file_lock lock{r.arena, "arena"};
  league::file to{r.arena, league::file::access::change};
  const auto from = journal::open_archive(r.journal, journal::access::read);
  const auto computed = league::recompute(*from, to.bots());
  to.begin();
  to.replace_ratings(computed.ratings);
  to.commit();
  std::cerr << "gamehub: rated " << computed.games << " games";
  if (computed.unknown > 0) std::cerr << "; left out " << computed.unknown << " of unknown bots";
  std::cerr << '\n';
}

int ratings(const arena_request& r) {
  if (r.recompute) recompute_ratings(r);
  std::map<bot_id, std::string> names;
  for (const auto& b : bots_of(r)) names[b.id] = b.name;
  league::rating_book book;
  book.load(ratings_of(r));
  std::vector<std::string> engines;
  for (const auto& each : book.all())
    if (engines.empty() || engines.back() != each.engine) engines.push_back(each.engine);
  std::vector<named_rating> all;
  for (const auto& engine : engines)
    if (r.engine.empty() || r.engine == engine)
      for (const auto& each : book.best(engine)) all.push_back({names[each.who], each});
  if (r.as == output::json) return print(rating_json(all));
  return print(r.as == output::csv ? rating_csv(all) : rating_table(all));
}

int back_up(const arena_request& r) {
  league::file{r.arena, league::file::access::read}.backup(r.copy);
  std::cout << "copied " << r.arena.string() << " to " << r.copy.string() << '\n';
  return EXIT_SUCCESS;
}

int carry_out_unguarded(const arena_request& r) {
  switch (r.what) {
    case arena_request::verb::token_add: return add_token(r);
    case arena_request::verb::token_list: return list_tokens(r);
    case arena_request::verb::token_revoke: return revoke_tokens(r);
    case arena_request::verb::list: return list(r);
    case arena_request::verb::run: return run(r);
    case arena_request::verb::show: return show(r);
    case arena_request::verb::cancel: return cancel(r);
    case arena_request::verb::ratings: return ratings(r);
    case arena_request::verb::backup: return back_up(r);
    case arena_request::verb::forget: return forget(r);
  }
  return EXIT_FAILURE;
}

using arena_verb = arena_request::verb;

bool asks_hub(arena_verb what) {
  return what == arena_verb::list || what == arena_verb::run || what == arena_verb::show ||
         what == arena_verb::cancel || what == arena_verb::forget;
}

void complete_arena(arena_request& r, config::settings& found) {
  if (r.what == arena_verb::forget && r.bot.empty() == r.owner.empty())
    throw base::usage_error{"give either the name of a BOT or --owner OWNER"};
  if (asks_hub(r.what)) {
    if (r.engine.empty()) r.engine = "tictactoe";
    r.at = find_admin(found);
    return;
  }
  r.cluster = found.cluster;
  if (!r.cluster.empty()) {
    if (r.what == arena_verb::backup || r.recompute)
      throw base::usage_error{
          "the bots of a cluster are in its database, which this command can't read: use the "
          "database's own backup, or remove --cluster"};
    return;
  }
  if (found.arena_file.empty() || r.recompute) config::find_journal(found);
  config::find_arena(found);
  if (found.arena_file.empty())
    throw base::usage_error{
        "the settings keep bots in memory, which a later program can't read: give a file with "
        "--arena PATH"};
  r.arena = found.arena_file;
  r.journal = found.journal_file;
}

void add_run_options(config::verb& to, arena_request& r) {
  to.engine("engine", "the engine; default: tictactoe", r.engine);
  to.number("games", "games of each pair, with alternating sides", r.games, 1);
  auto& bots = to.text("bots", "NAME", "bots that play; default: all online bots", "",
                       "the names of bots", [&r](std::string_view text) {
                         r.bots.emplace_back(text);
                         return true;
                       });
  bots.list = true;
  to.flag("gauntlet", "the first bot against each other one, instead of each against each",
          r.gauntlet);
  to.time("patience", "time of an offline bot before it loses its games", r.patience,
          std::chrono::seconds{0}, std::chrono::seconds{UINT32_MAX});
  to.flag("detach", "print the number of the tournament and do not wait for its end", r.detach);
  to.footer =
      "The tournament continues without this program, also across a restart of the hub: gamehub "
      "arena show RUN prints its state.";
}

void add_output(config::verb& to, arena_request& r) {
  to.word("output", "output format", r.as,
          {{"table", output::table}, {"csv", output::csv}, {"json", output::json}});
}

void add_json(config::verb& to, arena_request& r) {
  to.text("json", "", "print one JSON object", "", "no value", [&r](std::string_view text) {
    r.as = output::json;
    return text == "true";
  });
}

void add_token_verbs(config::verb& to, const config::request_verbs<arena_request>& verbs) {
  auto& r = *verbs.request;
  auto& token =
      to.add("token", "Creates, lists and revokes tokens, with which owners register bots.");
  auto& create = verbs.add(token, "add", "Creates a token and prints it. It is not shown again.",
                           arena_verb::token_add);
  auto& list = verbs.add(token, "list", "Lists the tokens by owner.", arena_verb::token_list);
  add_json(list, r);
  auto& revoke =
      verbs.add(token, "revoke", "Revokes all tokens of an owner: its bots can't register.",
                arena_verb::token_revoke);
  for (auto* each : {&create, &revoke})
    each->text("OWNER", "", "the owner of the bots", r.owner).required = true;
  for (auto* each : {&create, &list, &revoke})
    each->uses_settings = {"arena", "journal", "cluster"};
}

void add_arena_verbs(config::verb& to, const config::request_verbs<arena_request>& verbs) {
  auto& r = *verbs.request;
  auto& arena = to.add("arena", "Runs tournaments of bots and prints ratings.");
  const auto add = [&](const char* name, const char* help, arena_verb what) -> config::verb& {
    return verbs.add(arena, name, help, what);
  };
  auto& list = add("list", "Lists the bots of a running hub and their errors.", arena_verb::list);
  add_json(list, r);
  auto& run = add("run", "Plays a tournament in a running hub.", arena_verb::run);
  add_run_options(run, r);
  auto& show = add("show", "Prints the standings of a tournament.", arena_verb::show);
  auto& cancel =
      add("cancel", "Cancels the games of a tournament that have not started.", arena_verb::cancel);
  for (auto* each : {&show, &cancel})
    each->number("RUN", "the number of the tournament, from gamehub arena run", r.run, 1).required =
        true;
  auto& ratings = add("ratings", "Lists the ratings of all bots.", arena_verb::ratings);
  ratings.engine("engine", "only ratings of this engine", r.engine);
  ratings.flag("recompute", "compute the ratings from the journal and store them; no hub may run",
               r.recompute);
  auto& backup = add("backup", "Copies bots, tokens, schedule and ratings in one consistent state.",
                     arena_verb::backup);
  backup
      .path("FILE", "", "the copy; an existing file is replaced when the copy is complete", r.copy)
      .required = true;
  auto& forget =
      add("forget", "Removes bots from a running hub and frees their names.", arena_verb::forget);
  forget.text("BOT", "", "the name of a bot", r.bot);
  forget.text("owner", "OWNER",
              "all bots of this owner, or of an address that registered without a token", r.owner);
  forget.footer =
      "Running games of the bots end as if they had left; their ratings are deleted. Ended games "
      "stay in the journal.\nExit code: 0; 1 if no hub answers; 2 for a mistake.";
  for (auto* each : {&run, &show, &ratings}) add_output(*each, r);
  for (auto* each : {&list, &run, &show, &cancel, &forget}) each->uses_settings = admin_settings();
  for (auto* each : {&ratings, &backup}) each->uses_settings = {"arena", "journal", "cluster"};
}

}  // namespace

void add_league_verbs(config::verb& to, std::function<int(const arena_request&)> run) {
  const config::request_verbs<arena_request> verbs{complete_arena, std::move(run)};
  add_token_verbs(to, verbs);
  add_arena_verbs(to, verbs);
}

int carry_out(const arena_request& r) {
  try {
    return carry_out_unguarded(r);
  } catch (const no_answer& e) {
    std::cerr << "gamehub: " << e.what() << '\n';
    return EXIT_FAILURE;
  } catch (const journal::unusable_file& e) {
    throw base::usage_error{e.what()};
  } catch (const journal::sqlite::error& e) {
    throw base::usage_error{league::why_unusable(r.arena, e)};
  } catch (const journal::unusable_log& e) {
    throw base::usage_error{e.what()};
  } catch (const journal::postgres::error& e) {
    throw base::usage_error{std::string{"the cluster's database can't be used ("} + e.what() +
                            "): repeat the command when it can"};
  }
}

}  // namespace gamehub::admin
