// Makes a journal full of random games of all engines that are built in, for the benchmarks of
// recovery and verification: each game is played by its own rules from a seed, and written as the
// hub writes it.
//
//   bench_archive FILE [--games N] [--open N] [--engine ID] [--seed S]
//   bench_archive FILE --asleep N [--people N]
//
// Ended games (by default none), then open ones; or games of TicTacToe that are asleep, without a
// move, of a number of people (by default two for each game): the person with the number P has the
// secret sleeper-P, with 16 digits. Game N, from 1, has the people -2 N and -2 N + 1, modulo their
// number. Prints what it wrote as one JSON object.
#include "actors/session/player_registry.hpp"
#include "engines/host/registry.hpp"
#include "hub/base/random.hpp"
#include "hub/journal/sqlite_journal.hpp"
#include "tests/journal/sleepers_in_bulk.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace gamehub::tests::bench {
namespace {

using journal::record;

struct wishes {
  std::string file;
  std::uint64_t games = 0, open = 0, seed = 1, asleep = 0, people = 0;
  std::string engine;  // empty: all
};

// No listener waits for these commits.
class deaf_listener final : public journal::commit_listener {
 public:
  void committed(std::span<const journal::commit>) override {}
};

// Plays one game at random and keeps its log.
class random_game {
 public:
  random_game(const engines::host::engine& engine, base::random_source& luck, game_id id,
              base::wall_time now)
      : engine_(engine), luck_(luck), now_(now), match_(make(engine)) {
    header_ = {id, std::string{engine.id()}, engine.version_text(), {}, now};
    log(record::kind::opened).state = match_.hash();
    for (int seat = 0; seat < match_.players(); ++seat) seat_player(seat);
    draw();
  }

  void play_to_the_end() {
    while (!match_.over()) {
      move();
      draw();
    }
    finish();
  }

  // Stops after this many moves, or before the one that would end it.
  void play_some(std::uint64_t moves) {
    for (; moves > 0; --moves) {
      auto before = match_.clone();
      const auto logged = records_.size();
      move();
      draw();
      if (!match_.over()) continue;
      match_ = std::move(before);
      records_.resize(logged);
      return;
    }
  }

  const journal::game_header& header() const { return header_; }
  const std::vector<record>& records() const { return records_; }

 private:
  static engines::host::match make(const engines::host::engine& engine) {
    auto made = engine.create("");
    if (auto* why = std::get_if<std::string>(&made)) throw std::runtime_error{*why};
    return std::get<engines::host::match>(std::move(made));
  }

  record& log(record::kind what) {
    auto& r = records_.emplace_back();
    r.number = records_.size();
    r.at = now_ += std::chrono::milliseconds{1};
    r.what = what;
    return r;
  }

  void seat_player(int seat) {
    const auto number = header_.id.value * static_cast<std::uint64_t>(match_.players()) +
                        static_cast<std::uint64_t>(seat);
    auto& r = log(record::kind::joined);
    r.seat = static_cast<std::int16_t>(seat);
    r.action = static_cast<std::int64_t>(number);
    r.text = "p" + std::to_string(number);
    r.secret = journal::digest_of(luck_.secret());
    r.wire = "turns";
  }

  void act(record::kind what, int seat, engines::action a) {
    const auto hidden = match_.audience(seat, a) != engines::everyone;
    if (const auto* why = match_.apply(seat, a)) throw std::runtime_error{why};
    auto& r = log(what);
    r.seat = static_cast<std::int16_t>(seat);
    r.action = a;
    r.hidden = hidden;
    r.state = match_.hash();
  }

  // One of those who may move, one of its moves.
  void move() {
    std::vector<int> able;
    for (int seat = 0; seat < match_.players(); ++seat)
      if (holds(match_.to_move(), seat)) able.push_back(seat);
    const auto seat = able.at(luck_.below(able.size()));
    match_.legal_actions(seat, actions_);
    act(record::kind::moved, seat, actions_.at(luck_.below(actions_.size())));
  }

  void draw() {
    while (match_.at_chance()) {
      match_.chance_outcomes(actions_, weights_);
      std::uint64_t total = 0;
      for (const auto each : weights_) total += each;
      auto ticket = luck_.below(total);
      std::size_t drawn = 0;
      while (ticket >= weights_[drawn]) ticket -= weights_[drawn++];
      act(record::kind::drawn, engines::chance, actions_[drawn]);
      records_.back().seat = -1;
    }
  }

  void finish() {
    std::vector<double> scores(static_cast<std::size_t>(match_.players()));
    match_.scores(scores);
    std::size_t best = 0;
    bool sole = true;
    for (std::size_t seat = 1; seat < scores.size(); ++seat) {
      sole = scores[seat] != scores[best] && (sole || scores[seat] > scores[best]);
      if (scores[seat] > scores[best]) best = seat;
    }
    log(record::kind::ended).seat = static_cast<std::int16_t>(sole ? static_cast<int>(best) : -1);
  }

  const engines::host::engine& engine_;
  base::random_source& luck_;
  base::wall_time now_;
  engines::host::match match_;
  journal::game_header header_;
  std::vector<record> records_;
  std::vector<engines::action> actions_;
  std::vector<std::uint32_t> weights_;
};

std::uint64_t number_of(std::string_view text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size())
    throw std::runtime_error{"no number: " + std::string{text}};
  return n;
}

wishes read(const std::vector<std::string_view>& words) {
  wishes out;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const auto word = words[at];
    if (!word.starts_with("--")) {
      out.file = word;
      continue;
    }
    if (++at == words.size()) throw std::runtime_error{"a value is missing"};
    if (word == "--games")
      out.games = number_of(words[at]);
    else if (word == "--open")
      out.open = number_of(words[at]);
    else if (word == "--asleep")
      out.asleep = number_of(words[at]);
    else if (word == "--people")
      out.people = number_of(words[at]);
    else if (word == "--seed")
      out.seed = number_of(words[at]);
    else if (word == "--engine")
      out.engine = words[at];
    else
      throw std::runtime_error{"unknown: " + std::string{word}};
  }
  if (out.file.empty())
    throw std::runtime_error{"usage: bench_archive FILE [--games N] [--open N] [--asleep N]"};
  return out;
}

std::vector<engines::host::engine> chosen(const engines::host::registry& from,
                                          const std::string& id) {
  std::vector<engines::host::engine> out;
  for (const auto& each : from.all())
    if (id.empty() || each.id() == id) out.push_back(each);
  if (out.empty()) throw std::runtime_error{"no such engine"};
  return out;
}

std::string digits(std::uint64_t n, std::size_t most) {
  auto text = std::to_string(n);
  return std::string(most - text.size(), '0') + text;
}

// A game without a move, with a clock of two weeks.
std::vector<record> log_of_sleepers(const engines::host::engine& engine, std::uint64_t game,
                                    std::uint64_t people, base::wall_time now) {
  static const auto state = std::get<engines::host::match>(engine.create("")).hash();
  const auto first = people - 2 * game % people;
  std::vector<record> records(3);
  for (std::size_t i = 0; i < records.size(); ++i) {
    auto& r = records[i];
    r.number = i + 1;
    r.at = now;
    if (i == 0) {
      r.text = "days:14";
      r.state = state;
      continue;
    }
    const auto person = (first + i - 1) % people;
    r.what = record::kind::joined;
    r.seat = static_cast<std::int16_t>(i - 1);
    r.action = static_cast<std::int64_t>(person + 1);
    r.text = "p" + std::to_string(person);
    r.secret = journal::digest_of("sleeper-" + digits(person, 16));
    r.wire = "http";
  }
  return records;
}

// The first game is written by the journal, so that it knows the greatest numbers in use.
void make_sleepers(const wishes& wanted, const engines::host::engine& engine) {
  journal::sqlite_settings settings;
  settings.file = wanted.file;
  auto log = journal::open_sqlite_journal(settings, [](std::string_view) {});
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto people = wanted.people == 0 ? 2 * wanted.asleep : wanted.people;
  const auto before = log->last_numbers().game.value;
  journal::game_header header{{}, std::string{engine.id()}, engine.version_text(), {}, now};
  journal::sleep_entry entry{{}, now, {}, std::string{engine.id()}};
  std::vector<record> records;
  const auto prepare = [&](std::uint64_t n) {
    header.id = entry.id = game_id{before + n};
    records = log_of_sleepers(engine, n, people, now);
    entry.due = now + std::chrono::days{14} + std::chrono::milliseconds{n};
    entry.to_move = only(seat_index{0});
    entry.keys = actors::session::player_registry::keys_of(records);
  };
  prepare(1);
  deaf_listener unheard;
  log->open(header);
  log->append(header.id, records, unheard);
  log->claim_games(game_id{before + wanted.asleep});
  const auto asleep = log->asleep();
  log->put_to_sleep(entry, [](game_id) {});
  log->flush();
  while (log->asleep() == asleep) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  log.reset();
  sleepers_in_bulk others{wanted.file};
  for (std::uint64_t n = 2; n <= wanted.asleep; ++n) {
    prepare(n);
    others.add(header, records, entry);
  }
  others.finish();
  std::cout << "{\"asleep\":" << wanted.asleep << ",\"people\":" << people << "}" << std::endl;
}

void make_archive(const wishes& wanted) {
  const auto registry = engines::host::registry::built_in();
  if (wanted.asleep != 0) return make_sleepers(wanted, chosen(registry, "tictactoe").front());
  const auto rules = chosen(registry, wanted.engine);
  base::seeded_entropy luck{wanted.seed};
  deaf_listener nobody;
  journal::sqlite_settings settings;
  settings.file = wanted.file;
  const auto to = journal::open_sqlite_journal(settings, [](std::string_view) {});
  const auto last = to->last_numbers().game.value;
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::uint64_t records = 0;
  for (std::uint64_t n = 0; n < wanted.games + wanted.open; ++n) {
    while (to->congested()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
    const auto& engine = rules.at(luck.below(rules.size()));
    random_game game{engine, luck, game_id{last + n + 1}, now};
    if (n < wanted.games)
      game.play_to_the_end();
    else
      game.play_some(luck.below(engine.plies_max()));
    to->open(game.header());
    to->append(game.header().id, game.records(), nobody);
    records += game.records().size();
    if (n % 64 == 0) to->flush();
  }
  to->flush();
  std::cout << "{\"games\":" << wanted.games << ",\"open\":" << wanted.open
            << ",\"records\":" << records << "}" << std::endl;
}

}  // namespace
}  // namespace gamehub::tests::bench

int main(int argc, char** argv) {
  try {
    gamehub::tests::bench::make_archive(gamehub::tests::bench::read({argv + 1, argv + argc}));
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "bench_archive: " << e.what() << '\n';
    return 2;
  }
}
