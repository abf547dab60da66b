// A tournament's standings, as the admin server tells them, for people and for spreadsheets. Plain
// functions, any thread.
#pragma once

#include "hub/league/ratings.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::admin {

struct run_progress {
  std::uint64_t ended = 0, games = 0;
  bool active = false;
};

// All of them throw std::runtime_error where the text is no standings.
run_progress progress_of(std::string_view standings);
std::string run_table(std::string_view standings);
std::string run_csv(std::string_view standings);

// The bots of an overview, a line each, and the latest failure of each below it.
std::string bot_table(std::string_view overview);

struct named_rating {
  std::string name;
  league::rating what;
};
std::string rating_table(const std::vector<named_rating>&);
std::string rating_csv(const std::vector<named_rating>&);
std::string rating_json(const std::vector<named_rating>&);

}  // namespace gamehub::admin
