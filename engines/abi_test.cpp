// The border in plain C keeps its layout for ever: engines that were built years ago are loaded as
// they are. A row of these tables never changes; what is appended to the header is appended here.
#include "engines/abi.h"

#include "tests/support/catch.hpp"

#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

namespace gamehub::engines {
namespace {

struct place {
  const char* member;
  std::size_t offset;
  std::size_t size;
};

bool operator==(const place& a, const place& b) {
  return std::strcmp(a.member, b.member) == 0 && a.offset == b.offset && a.size == b.size;
}

std::ostream& operator<<(std::ostream& out, const place& p) {
  return out << p.member << " at " << p.offset << ", " << p.size << " bytes";
}

#define PLACE_OF(type, member) \
  place { #member, offsetof(type, member), sizeof(type::member) }

// Where the last member ends: a struct that is longer has one that no row names.
std::size_t end_of(const std::vector<place>& places) {
  return places.back().offset + places.back().size;
}

TEST_CASE("abi: gamehub_engine_abi keeps its layout") {
  const std::vector<place> kept{
      {"magic", 0, 4},
      {"abi_major", 4, 2},
      {"abi_minor", 6, 2},
      {"struct_size", 8, 4},
      {"flags", 12, 4},
      {"id", 16, 8},
      {"title", 24, 8},
      {"options_schema", 32, 8},
      {"version_major", 40, 4},
      {"version_minor", 44, 4},
      {"version_patch", 48, 4},
      {"reserved", 52, 4},
      {"players_min", 56, 4},
      {"players_max", 60, 4},
      {"actions_max", 64, 8},
      {"plies_max", 72, 8},
      {"state_bytes_max", 80, 8},
      {"create", 88, 8},
      {"clone", 96, 8},
      {"destroy", 104, 8},
      {"players", 112, 8},
      {"to_move", 120, 8},
      {"legal_actions", 128, 8},
      {"apply", 136, 8},
      {"chance_outcomes", 144, 8},
      {"audience", 152, 8},
      {"scores", 160, 8},
      {"action_from_text", 168, 8},
      {"action_from_json", 176, 8},
      {"action_to_text", 184, 8},
      {"action_to_json", 192, 8},
      {"view_json", 200, 8},
      {"save", 208, 8},
      {"load", 216, 8},
      {"hash", 224, 8},
      {"extension", 232, 8},
  };
  const std::vector<place> found{
      PLACE_OF(gamehub_engine_abi, magic),
      PLACE_OF(gamehub_engine_abi, abi_major),
      PLACE_OF(gamehub_engine_abi, abi_minor),
      PLACE_OF(gamehub_engine_abi, struct_size),
      PLACE_OF(gamehub_engine_abi, flags),
      PLACE_OF(gamehub_engine_abi, id),
      PLACE_OF(gamehub_engine_abi, title),
      PLACE_OF(gamehub_engine_abi, options_schema),
      PLACE_OF(gamehub_engine_abi, version_major),
      PLACE_OF(gamehub_engine_abi, version_minor),
      PLACE_OF(gamehub_engine_abi, version_patch),
      PLACE_OF(gamehub_engine_abi, reserved),
      PLACE_OF(gamehub_engine_abi, players_min),
      PLACE_OF(gamehub_engine_abi, players_max),
      PLACE_OF(gamehub_engine_abi, actions_max),
      PLACE_OF(gamehub_engine_abi, plies_max),
      PLACE_OF(gamehub_engine_abi, state_bytes_max),
      PLACE_OF(gamehub_engine_abi, create),
      PLACE_OF(gamehub_engine_abi, clone),
      PLACE_OF(gamehub_engine_abi, destroy),
      PLACE_OF(gamehub_engine_abi, players),
      PLACE_OF(gamehub_engine_abi, to_move),
      PLACE_OF(gamehub_engine_abi, legal_actions),
      PLACE_OF(gamehub_engine_abi, apply),
      PLACE_OF(gamehub_engine_abi, chance_outcomes),
      PLACE_OF(gamehub_engine_abi, audience),
      PLACE_OF(gamehub_engine_abi, scores),
      PLACE_OF(gamehub_engine_abi, action_from_text),
      PLACE_OF(gamehub_engine_abi, action_from_json),
      PLACE_OF(gamehub_engine_abi, action_to_text),
      PLACE_OF(gamehub_engine_abi, action_to_json),
      PLACE_OF(gamehub_engine_abi, view_json),
      PLACE_OF(gamehub_engine_abi, save),
      PLACE_OF(gamehub_engine_abi, load),
      PLACE_OF(gamehub_engine_abi, hash),
      PLACE_OF(gamehub_engine_abi, extension),
  };
  CHECK(found == kept);
  CHECK(end_of(kept) == sizeof(gamehub_engine_abi));
}

TEST_CASE("abi: gamehub_cells keeps its layout") {
  const std::vector<place> kept{
      {"struct_size", 0, 4}, {"reserved", 4, 4},   {"marks", 8, 8},    {"size", 16, 8},
      {"glyphs", 24, 8},     {"action_at", 32, 8}, {"cell_of", 40, 8},
  };
  const std::vector<place> found{
      PLACE_OF(gamehub_cells, struct_size), PLACE_OF(gamehub_cells, reserved),
      PLACE_OF(gamehub_cells, marks),       PLACE_OF(gamehub_cells, size),
      PLACE_OF(gamehub_cells, glyphs),      PLACE_OF(gamehub_cells, action_at),
      PLACE_OF(gamehub_cells, cell_of),
  };
  CHECK(found == kept);
  CHECK(end_of(kept) == sizeof(gamehub_cells));
}

TEST_CASE("abi: gamehub_play_style keeps its layout") {
  const std::vector<place> kept{
      {"struct_size", 0, 4},
      {"level", 4, 4},
      {"seed", 8, 8},
      {"budget_ns", 16, 8},
  };
  const std::vector<place> found{
      PLACE_OF(gamehub_play_style, struct_size),
      PLACE_OF(gamehub_play_style, level),
      PLACE_OF(gamehub_play_style, seed),
      PLACE_OF(gamehub_play_style, budget_ns),
  };
  CHECK(found == kept);
  CHECK(end_of(kept) == sizeof(gamehub_play_style));
}

TEST_CASE("abi: gamehub_player keeps its layout") {
  const std::vector<place> kept{
      {"struct_size", 0, 4},
      {"immediate", 4, 4},
      {"choose", 8, 8},
      {"choose_in_style", 16, 8},
  };
  const std::vector<place> found{
      PLACE_OF(gamehub_player, struct_size),
      PLACE_OF(gamehub_player, immediate),
      PLACE_OF(gamehub_player, choose),
      PLACE_OF(gamehub_player, choose_in_style),
  };
  CHECK(found == kept);
  CHECK(end_of(kept) == sizeof(gamehub_player));
}

TEST_CASE("abi: gamehub_failure keeps its layout") {
  const std::vector<place> kept{{"struct_size", 0, 4}, {"reserved", 4, 4}, {"take", 8, 8}};
  const std::vector<place> found{
      PLACE_OF(gamehub_failure, struct_size),
      PLACE_OF(gamehub_failure, reserved),
      PLACE_OF(gamehub_failure, take),
  };
  CHECK(found == kept);
  CHECK(end_of(kept) == sizeof(gamehub_failure));
}

TEST_CASE("abi: gamehub_face, gamehub_score and gamehub_summary keep their layout") {
  const std::vector<place> face{
      PLACE_OF(gamehub_face, struct_size),
      PLACE_OF(gamehub_face, reserved),
      PLACE_OF(gamehub_face, json),
  };
  CHECK(face == std::vector<place>{{"struct_size", 0, 4}, {"reserved", 4, 4}, {"json", 8, 8}});
  CHECK(end_of(face) == sizeof(gamehub_face));
  const std::vector<place> score{
      PLACE_OF(gamehub_score, struct_size),
      PLACE_OF(gamehub_score, reserved),
      PLACE_OF(gamehub_score, score),
  };
  CHECK(score == std::vector<place>{{"struct_size", 0, 4}, {"reserved", 4, 4}, {"score", 8, 8}});
  CHECK(end_of(score) == sizeof(gamehub_score));
  const std::vector<place> summary{
      PLACE_OF(gamehub_summary, struct_size),
      PLACE_OF(gamehub_summary, reserved),
      PLACE_OF(gamehub_summary, summary),
  };
  CHECK(summary ==
        std::vector<place>{{"struct_size", 0, 4}, {"reserved", 4, 4}, {"summary", 8, 8}});
  CHECK(end_of(summary) == sizeof(gamehub_summary));
}

TEST_CASE("abi: numbers and names keep their meaning") {
  CHECK(GAMEHUB_ENGINE_MAGIC == 0x47485542);
  CHECK(GAMEHUB_ABI_MAJOR == 1);
  CHECK(GAMEHUB_SEATS_MAX == 62);
  CHECK(GAMEHUB_CHANCE == 63);
  CHECK(GAMEHUB_SPECTATOR == -1);
  CHECK(GAMEHUB_EVERYONE == 0xFFFFFFFFFFFFFFFF);
  CHECK(GAMEHUB_FAILED == SIZE_MAX);
  CHECK(GAMEHUB_PERFECT_INFORMATION == 1);
  CHECK(GAMEHUB_SIMULTANEOUS == 2);
  CHECK(GAMEHUB_HAS_CHANCE == 4);
  CHECK(GAMEHUB_LEVEL_RANDOM == 0);
  CHECK(GAMEHUB_LEVEL_MEDIUM == 1);
  CHECK(GAMEHUB_LEVEL_PERFECT == 2);
  CHECK(GAMEHUB_BLANK == '-');
  CHECK(std::string{GAMEHUB_CELLS} == "cells");
  CHECK(std::string{GAMEHUB_PLAYER} == "player");
  CHECK(std::string{GAMEHUB_FAILURE} == "failure");
  CHECK(std::string{GAMEHUB_FACE} == "face");
  CHECK(std::string{GAMEHUB_SCORE} == "score");
  CHECK(std::string{GAMEHUB_SUMMARY} == "summary");
  CHECK(GAMEHUB_FACE_BYTES_MAX == 16384);
  CHECK(GAMEHUB_SUMMARY_BYTES_MAX == 240);
  CHECK(std::string{GAMEHUB_ENGINE_SYMBOL} == "gamehub_engine");
}

}  // namespace
}  // namespace gamehub::engines
