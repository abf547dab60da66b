#include "hub/app/arena/verbs.hpp"

#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "hub/app/arena/kept_arena.hpp"
#include "hub/app/arena/recompute.hpp"
#include "hub/app/arena/report.hpp"
#include "hub/app/moderation/token.hpp"
#include "hub/app/operate/admin_call.hpp"
#include "hub/app/query.hpp"
#include "hub/arena/file.hpp"
#include "hub/arena/token.hpp"
#include "hub/core/entropy.hpp"
#include "hub/journal/archive.hpp"
#include "hub/journal/sqlite_file.hpp"

namespace gamehub::app {
namespace {

using json = nlohmann::ordered_json;
using verb = arena_request::verb;
using output = arena_request::output;
using std::chrono::milliseconds;

constexpr milliseconds answer_max{10'000};
// Between looks at a tournament.
constexpr milliseconds pause{300};

int print(const std::string& text) {
  std::cout << text << std::flush;
  if (std::cout) return EXIT_SUCCESS;
  std::cerr << "gamehub: standard output can't be written.\n";
  return EXIT_FAILURE;
}

std::string line_of(std::string body) {
  while (!body.empty() && body.back() == '\n') body.pop_back();
  return body;
}

// The answer to a request that the hub carried out; else it is said why it did not.
std::optional<std::string> ask(const arena_request& r, const std::string& method,
                               const std::string& target) {
  const auto said =
      call_admin(r.at.host, r.at.port, method, target, answer_max, read_token(r.at.token_file));
  if (said.status >= 200 && said.status < 300) return said.body;
  std::cerr << "gamehub: " << line_of(said.body) << '\n';
  return std::nullopt;
}

std::string path_of(std::uint64_t run) { return "/arena/runs/" + std::to_string(run); }

int print_standings(const arena_request& r, const std::string& told) {
  if (r.as == output::json) return print(told);
  return print(r.as == output::csv ? run_csv(told) : run_table(told));
}

int show(const arena_request& r) {
  const auto told = ask(r, "GET", path_of(r.run));
  return told ? print_standings(r, *told) : EXIT_FAILURE;
}

int cancel(const arena_request& r) {
  if (!ask(r, "POST", path_of(r.run) + "/cancel")) return EXIT_FAILURE;
  return print("run " + std::to_string(r.run) + " is cancelled\n");
}

int list(const arena_request& r) {
  const auto told = ask(r, "GET", "/arena");
  if (!told) return EXIT_FAILURE;
  return print(r.as == output::json ? *told : bot_table(*told));
}

// For people who watch; a hub that is away for a moment goes on with it when it is back.
void tell_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 1) std::cerr << '\r' << text << std::flush;
}

int wait_for_end(const arena_request& r, std::uint64_t run) {
  const auto patience = std::chrono::minutes{1};
  auto heard = std::chrono::steady_clock::now();
  for (;; std::this_thread::sleep_for(pause)) {
    try {
      const auto told = ask(r, "GET", path_of(run));
      if (!told) return EXIT_FAILURE;
      heard = std::chrono::steady_clock::now();
      const auto now = progress_of(*told);
      tell_progress("run " + std::to_string(run) + ": " + std::to_string(now.ended) + " of " +
                    std::to_string(now.games) + " games " + (now.active ? "" : "\n"));
      if (!now.active) return print_standings(r, *told);
    } catch (const no_answer&) {
      if (std::chrono::steady_clock::now() - heard > patience) throw;
    }
  }
}

int run(const arena_request& r) {
  query asked{{"engine", r.engine},
              {"games", std::to_string(r.games)},
              {"format", r.gauntlet ? "gauntlet" : "round-robin"},
              {"patience", std::to_string(r.patience.count())}};
  for (const auto& each : r.bots) asked.emplace_back("bot", each);
  const auto begun = ask(r, "POST", "/arena/runs?" + to_text(asked));
  if (!begun) return EXIT_FAILURE;
  const auto number = json::parse(*begun).at("run").get<std::uint64_t>();
  if (r.detach) return print(std::to_string(number) + '\n');
  std::cerr << "gamehub: run " << number << " goes on also without this program\n";
  return wait_for_end(r, number);
}

std::string day_of(wall_time at) {
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(at)};
  std::array<char, 16> text;
  const auto size =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                    static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return {text.data(), static_cast<std::size_t>(size)};
}

// Enough of a digest to tell one from the others.
std::string short_of(const std::string& digest) { return digest.substr(0, 8); }

int add_token(const arena_request& r) {
  system_entropy chance;
  const auto token = arena::make_token(chance);
  arena::file{r.arena, arena::file::access::change}.add_token(
      {r.owner, arena::digest_of_token(token), wall_now(), {}});
  std::cerr << "gamehub: this is shown once; the hub keeps only its digest\n";
  return print(token + '\n');
}

int list_tokens(const arena_request& r) {
  const auto all = arena::file{r.arena, arena::file::access::read}.tokens();
  auto objects = json::array();
  std::string lines;
  for (const auto& t : all) {
    const auto id = short_of(t.digest);
    json one{{"owner", t.owner}, {"id", id}, {"made", day_of(t.made)}};
    one["revoked"] = t.revoked ? json(day_of(*t.revoked)) : json();
    objects.push_back(std::move(one));
    lines += id + "  made " + day_of(t.made) +
             (t.revoked ? "  revoked " + day_of(*t.revoked) : "                    ") + "  " +
             t.owner + '\n';
  }
  if (r.as == output::json)
    return print(json{{"tokens", objects}}.dump(-1, ' ', false, json::error_handler_t::replace) +
                 '\n');
  return print(lines);
}

int revoke_tokens(const arena_request& r) {
  const auto count =
      arena::file{r.arena, arena::file::access::change}.revoke_tokens(r.owner, wall_now());
  if (count == 0)
    throw usage_error{"there is no token of " + r.owner +
                           " to revoke: gamehub token list says whose there are"};
  return print("revoked " + std::to_string(count) + (count == 1 ? " token\n" : " tokens\n"));
}

// From the journal, into the arena's file, which no hub may have open meanwhile.
void write_anew(const arena_request& r) {
  if (r.journal.empty())
    throw usage_error{
        "the journal is set to memory, of which nothing is left: say which file with --journal "
        "sqlite:PATH"};
  const journal::file_lock lock{r.arena, "arena"};
  arena::file to{r.arena, arena::file::access::change};
  const auto from = journal::open_archive(r.journal, journal::access::read);
  const auto anew = recompute(*from, to.bots());
  to.begin();
  to.replace_ratings(anew.ratings);
  to.commit();
  std::cerr << "gamehub: rated " << anew.games << " games";
  if (anew.unknown > 0) std::cerr << "; left out " << anew.unknown << " of bots that are not known";
  std::cerr << '\n';
}

int ratings(const arena_request& r) {
  if (r.recompute) write_anew(r);
  arena::file from{r.arena, arena::file::access::read};
  std::map<arena::bot_id, std::string> names;
  for (const auto& b : from.bots()) names[b.id] = b.name;
  arena::rating_book book;
  book.load(from.ratings());
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
  arena::file{r.arena, arena::file::access::read}.backup(r.copy);
  return EXIT_SUCCESS;
}

int carry_out_unguarded(const arena_request& r) {
  switch (r.what) {
    case verb::token_add: return add_token(r);
    case verb::token_list: return list_tokens(r);
    case verb::token_revoke: return revoke_tokens(r);
    case verb::list: return list(r);
    case verb::run: return run(r);
    case verb::show: return show(r);
    case verb::cancel: return cancel(r);
    case verb::ratings: return ratings(r);
    case verb::backup: return back_up(r);
  }
  return EXIT_FAILURE;
}

}  // namespace

int carry_out(const arena_request& r) {
  try {
    return carry_out_unguarded(r);
  } catch (const no_answer& e) {
    std::cerr << "gamehub: " << e.what() << '\n';
    return EXIT_FAILURE;
  } catch (const journal::unusable_file& e) {
    throw usage_error{e.what()};
  } catch (const journal::sqlite::error& e) {
    throw usage_error{arena::why_unusable(r.arena, e)};
  }
}

}  // namespace gamehub::app
