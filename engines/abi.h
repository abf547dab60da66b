/* The C ABI between the hub and an engine: every function that the hub calls, and everything that a
 * plugin exports. The engine owns its matches and every string that it returns; the hub owns every
 * buffer that it passes. Calls on different matches may run at the same time, one thread at a time
 * uses a match, and calls without a match may come from any thread at any time. The meaning and the
 * position of each item are fixed: additions are appended, behind struct_size, or are extensions
 * with a new id. No exception crosses the ABI. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes "GHUB" as a number. */
#define GAMEHUB_ENGINE_MAGIC UINT32_C(0x47485542)

/* A host refuses another major version. A minor version only appends, so a host accepts any. */
#define GAMEHUB_ABI_MAJOR 1
#define GAMEHUB_ABI_MINOR 2

/* Seats are numbered from 0; X is seat 0. A set of seats has 64 bits: bit i is seat i. Chance is
 * the last seat, so that the same bit operations apply. */
#define GAMEHUB_SEATS_MAX 62
#define GAMEHUB_CHANCE 63
/* A viewer without a seat. In an audience, bit 63 stands for the spectators. */
#define GAMEHUB_SPECTATOR (-1)
#define GAMEHUB_EVERYONE UINT64_MAX

/* The return value of a function that returns a size if the engine failed. */
#define GAMEHUB_FAILED SIZE_MAX

/* Every viewer sees the whole state: no hidden cards, no secret choices. */
#define GAMEHUB_PERFECT_INFORMATION (UINT32_C(1) << 0)
/* Several seats may be to move at the same time. */
#define GAMEHUB_SIMULTANEOUS (UINT32_C(1) << 1)
/* The host draws cards or dice for the engine. */
#define GAMEHUB_HAS_CHANCE (UINT32_C(1) << 2)
/* Players may not take moves back. Games with hidden information, simultaneous moves or chance have
 * no takebacks anyway. */
#define GAMEHUB_NO_TAKEBACK (UINT32_C(1) << 3)

/* The state of one game. It is opaque to the hub. */
typedef struct gamehub_match gamehub_match;

/* The reason for a refusal: NULL if accepted, otherwise a short lower-case word with dashes
 * that lives as long as the program. These have the same meaning in every engine: "malformed" (the
 * text is not an action), "out-of-bounds" (the action does not exist), "space-not-empty" (the cell
 * is occupied), "not-your-turn", "game-over", "engine-failure" (a defect of the engine). An engine
 * may define others. */
typedef const char* gamehub_reason;

/* Input text and bytes are a pointer and a size, without a terminating NUL.
 *
 * Output goes to a buffer of the caller: pointer and capacity are arguments, the required size is
 * returned. If it exceeds the capacity, the contents of the buffer are undefined, and the caller
 * may call again with a buffer of that size. The pointer may be NULL if the capacity is 0. */

typedef struct gamehub_engine_abi {
  uint32_t magic;
  uint16_t abi_major;
  uint16_t abi_minor;
  /* sizeof(gamehub_engine_abi) at the compilation of the engine. */
  uint32_t struct_size;
  /* GAMEHUB_PERFECT_INFORMATION etc. Unknown bits are ignored. */
  uint32_t flags;

  /* [a-z0-9-]+, the name that clients use: "connect-four". */
  const char* id;
  /* For display: "Connect Four". UTF-8. */
  const char* title;
  /* A JSON schema of the options of create, or NULL without options. */
  const char* options_schema;
  uint32_t version_major;
  uint32_t version_minor;
  uint32_t version_patch;
  uint32_t reserved;
  int32_t players_min;
  int32_t players_max;

  /* Bounds for every match with any options: legal actions of one seat in one state, successful
   * calls of apply in one match (including chance), bytes of save. */
  uint64_t actions_max;
  uint64_t plies_max;
  uint64_t state_bytes_max;

  /* Creates a match. Options are a JSON object, or empty for the defaults. players 0 means
   * players_min. Returns NULL and sets *reason if refused. */
  gamehub_match* (*create)(const char* options, size_t size, int32_t players,
                           gamehub_reason* reason);
  /* Returns an independent match in the same state; NULL only if memory is exhausted. */
  gamehub_match* (*clone)(const gamehub_match* match);
  void (*destroy)(gamehub_match* match);
  /* The number of seats of this match. */
  int32_t (*players)(const gamehub_match* match);

  /* The seats to move: a bit for each, or only the chance bit, or 0 if the match is over. */
  uint64_t (*to_move)(const gamehub_match* match);
  /* The legal actions of a seat: ascending, each once, and none unless the seat is to move. Returns
   * their number and writes at most the capacity. For chance: every draw with a weight. */
  size_t (*legal_actions)(const gamehub_match* match, int32_t seat, int64_t* out, size_t capacity);
  /* Applies the action, or leaves the state unchanged and returns the reason. Accepts any seat and
   * any number. A simultaneous choice stays secret until every seat has chosen. */
  gamehub_reason (*apply)(gamehub_match* match, int32_t seat, int64_t action);
  /* The possible draws, ascending, and the weight of each, which is not 0. Returns their number (0
   * if chance is not to move) and writes at most the capacity. */
  size_t (*chance_outcomes)(const gamehub_match* match, int64_t* actions, uint32_t* weights,
                            size_t capacity);
  /* The viewers of this legal action in addition to its seat: seats, and bit 63 for spectators. All
   * other viewers may only know that the seat has acted. Called before apply. */
  uint64_t (*audience)(const gamehub_match* match, int32_t seat, int64_t action);
  /* One score per seat when the match is over: +1 won, 0 drawn, -1 lost, or another score of the
   * game, such as chips. The buffer has one element per player. */
  void (*scores)(const gamehub_match* match, double* out);

  /* Client input → the action, or the reason for a refusal. An action that exists but is not legal
   * now is accepted here; apply refuses it. The JSON text may be invalid JSON. */
  gamehub_reason (*action_from_text)(const gamehub_match* match, int32_t seat, const char* text,
                                     size_t size, int64_t* action);
  gamehub_reason (*action_from_json)(const gamehub_match* match, int32_t seat, const char* text,
                                     size_t size, int64_t* action);
  /* An action of the current state → text (a word without blanks) or a JSON object. */
  size_t (*action_to_text)(const gamehub_match* match, int64_t action, char* out, size_t capacity);
  size_t (*action_to_json)(const gamehub_match* match, int64_t action, char* out, size_t capacity);

  /* The view of a seat or of GAMEHUB_SPECTATOR, as a JSON object. */
  size_t (*view_json)(const gamehub_match* match, int32_t viewer, char* out, size_t capacity);

  /* The whole state as bytes, including secrets, options and number of players, and a match from
   * bytes of the same engine version. The bytes may be damaged or forged: load returns NULL, or a
   * match that keeps the contract of this file. */
  size_t (*save)(const gamehub_match* match, char* out, size_t capacity);
  gamehub_match* (*load)(const char* bytes, size_t size, gamehub_reason* reason);
  /* A hash of the whole state, including secrets: equal for equal states and in every process. */
  uint64_t (*hash)(const gamehub_match* match);

  /* Returns an extension by its id, or NULL. Each is a struct that begins with struct_size. */
  const void* (*extension)(const char* id);
} gamehub_engine_abi;

/* Extension: the board is a grid of cells with one character each, so byte-based protocols support
 * it. */
#define GAMEHUB_CELLS "cells"
#define GAMEHUB_BLANK '-'

typedef struct gamehub_cells {
  uint32_t struct_size;
  uint32_t reserved;
  /* One printable character per seat, players_max of them: "XO". Never the blank. */
  const char* marks;
  /* The size of the grid. It is constant during a match. */
  void (*size)(const gamehub_match* match, int32_t* rows, int32_t* columns);
  /* The view of a viewer: one character per cell, row by row, the top row first. */
  size_t (*glyphs)(const gamehub_match* match, int32_t viewer, char* out, size_t capacity);
  /* The action for a cell, numbered as in glyphs. Accepts any number. */
  gamehub_reason (*action_at)(const gamehub_match* match, int32_t seat, int64_t cell,
                              int64_t* action);
  /* The cell that an action of the current state marks, or -1. */
  int64_t (*cell_of)(const gamehub_match* match, int64_t action);
} gamehub_cells;

/* Extension: the engine says why a function failed. An engine that catches its own exceptions has
 * it, so that the cause reaches the log of the host. */
#define GAMEHUB_FAILURE "failure"

typedef struct gamehub_failure {
  uint32_t struct_size;
  uint32_t reserved;
  /* Writes the text of the failure that this function ("apply") had on this thread, returns its
   * size and forgets it. 0: it had none. */
  size_t (*take)(const char* function, char* out, size_t capacity);
} gamehub_failure;

/* Extension, since 1.2: how games of this engine are presented to people. */
#define GAMEHUB_FACE "face"
#define GAMEHUB_FACE_BYTES_MAX 16384

typedef struct gamehub_face {
  uint32_t struct_size;
  uint32_t reserved;
  /* A JSON object in UTF-8, at most GAMEHUB_FACE_BYTES_MAX bytes, with any of these members:
   * "blurb" (a line), "rules" (paragraphs), "board" ("squares", "lines", "felt", "rack",
   * "hexagons" or "points"), "pieces" (the shape of each seat's piece, such as "cross"), "marks"
   * (what people call each seat, such as "Black"), "line" (marks in a row that win), "drops" (a
   * mark falls to the lowest free cell), "actions" (text of an action -> words for people),
   * "groups" (of {"title", "actions"}), "score_label" (what the extension score counts) and "icon"
   * (an SVG image). README.md has their bounds. Hosts ignore other members. */
  const char* json;
} gamehub_face;

/* Extension, since 1.2: what the players have won so far, which everyone may know. */
#define GAMEHUB_SCORE "score"

typedef struct gamehub_score {
  uint32_t struct_size;
  uint32_t reserved;
  /* The score of each seat, also when the match is over; not a number (NAN): it has none. Returns
   * the number of players and writes at most the capacity. */
  size_t (*score)(const gamehub_match* match, double* out, size_t capacity);
} gamehub_score;

/* Extension, since 1.2: a sentence about the state, which everyone may know. */
#define GAMEHUB_SUMMARY "summary"
#define GAMEHUB_SUMMARY_BYTES_MAX 240

typedef struct gamehub_summary {
  uint32_t struct_size;
  uint32_t reserved;
  /* A line of UTF-8 without control characters; empty: nothing to say. */
  size_t (*summary)(const gamehub_match* match, char* out, size_t capacity);
} gamehub_summary;

/* Extension: the engine can play a seat. */
#define GAMEHUB_PLAYER "player"

/* The strength of play. A person can beat medium; perfect is the best that the engine can do. A
 * greater number is perfect. */
#define GAMEHUB_LEVEL_RANDOM 0
#define GAMEHUB_LEVEL_MEDIUM 1
#define GAMEHUB_LEVEL_PERFECT 2

typedef struct gamehub_play_style {
  /* sizeof at the compilation of the host: an engine reads no further. */
  uint32_t struct_size;
  uint32_t level;
  /* Selects one of several equally good actions. */
  uint64_t seed;
  uint64_t budget_ns;
} gamehub_play_style;

typedef struct gamehub_player {
  uint32_t struct_size;
  /* Not 0: choosing costs no more than a move, so it needs no search thread. */
  uint32_t immediate;
  /* Chooses a legal action for a seat that is to move, within the budget. The match stays
   * unchanged, and the choice depends only on the information of that seat. */
  gamehub_reason (*choose)(const gamehub_match* match, int32_t seat, uint64_t budget_ns,
                           int64_t* action);
  /* Since 1.1, or NULL if the engine has one style of play. The same with a style; an immediate
   * player returns the same choice for the same seed and level. */
  gamehub_reason (*choose_in_style)(const gamehub_match* match, int32_t seat,
                                    const gamehub_play_style* style, int64_t* action);
} gamehub_player;

/* The only symbol that a plugin exports: a function of this type and name. Its result is valid as
 * long as the program runs, because a plugin is never unloaded. */
#define GAMEHUB_ENGINE_SYMBOL "gamehub_engine"
typedef const gamehub_engine_abi* (*gamehub_engine_function)(void);

/* The attribute that exports this function from a plugin with hidden visibility. */
#define GAMEHUB_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
}
#endif
