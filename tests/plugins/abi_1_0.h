/* The border between the hub and an engine, in plain C: everything the hub asks of the rules of a
 * game, and all that a plugin exports. The engine owns its matches and every string it returns; the
 * hub owns every buffer it passes. Calls on different matches may run at the same time, one match
 * is used by one thread at a time, and calls without a match may come from any thread at any time.
 * Nothing here may ever change its meaning or its place: what is new is appended, behind
 * struct_size, or is an extension with its own id. No exception crosses this border. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes "GHUB" as a number. */
#define GAMEHUB_ENGINE_MAGIC UINT32_C(0x47485542)

/* A host refuses another major. A greater minor only appended, so any minor will do. */
#define GAMEHUB_ABI_MAJOR 1
#define GAMEHUB_ABI_MINOR 0

/* Seats are numbered from 0 in the order in which they are named; X is seat 0. A set of seats is 64
 * bits: bit i is seat i. Chance is a seat too, the last, so that the same bit arithmetic holds. */
#define GAMEHUB_SEATS_MAX 62
#define GAMEHUB_CHANCE 63
/* Looks on and sits nowhere. As a viewer only. In an audience, bit 63 stands for the spectators. */
#define GAMEHUB_SPECTATOR (-1)
#define GAMEHUB_EVERYONE UINT64_MAX

/* What a function that returns a size answers when the engine itself failed. */
#define GAMEHUB_FAILED SIZE_MAX

/* Everyone sees the whole state: no hidden cards, no secret choices. */
#define GAMEHUB_PERFECT_INFORMATION (UINT32_C(1) << 0)
/* More than one seat may be asked for a choice at once. */
#define GAMEHUB_SIMULTANEOUS (UINT32_C(1) << 1)
/* The host draws cards or dice for the engine. */
#define GAMEHUB_HAS_CHANCE (UINT32_C(1) << 2)

/* The rules' state of one game. Only the engine knows what is in it. */
typedef struct gamehub_match gamehub_match;

/* Why something was refused: NULL where nothing was, else a short lower-case word with dashes that
 * lives as long as the program. These mean the same in every engine: "malformed" (text that says
 * nothing), "out-of-bounds" (it names no action), "space-not-empty" (the place is taken),
 * "not-your-turn", "game-over", "engine-failure" (its own fault). Others are the engine's. */
typedef const char* gamehub_reason;

/* Text and bytes that go in are a pointer and a size, and need no NUL at their end.
 *
 * What comes out goes into a buffer of the caller: pointer and capacity go in, the size that is
 * needed is returned. Where it is greater than the capacity nothing useful was written, and the
 * caller may come again with a buffer of that size. NULL will do for a capacity of 0. */

typedef struct gamehub_engine_abi {
  uint32_t magic;
  uint16_t abi_major;
  uint16_t abi_minor;
  /* sizeof(gamehub_engine_abi) as the engine was compiled. */
  uint32_t struct_size;
  /* GAMEHUB_PERFECT_INFORMATION and so on. Unknown bits are ignored. */
  uint32_t flags;

  /* [a-z0-9-]+, what clients ask for: "connect-four". */
  const char* id;
  /* What people read: "Connect Four". UTF-8. */
  const char* title;
  /* A JSON schema of the options of create, or NULL where there are none. */
  const char* options_schema;
  uint32_t version_major;
  uint32_t version_minor;
  uint32_t version_patch;
  uint32_t reserved;
  int32_t players_min;
  int32_t players_max;

  /* Bounds that hold for every match of any options: legal actions of one seat in one state,
   * successful calls of apply from the start to the end (chance included), bytes of save. */
  uint64_t actions_max;
  uint64_t plies_max;
  uint64_t state_bytes_max;

  /* A new match. Options are a JSON object, or nothing for the defaults. players 0 means
   * players_min. NULL if refused, and then *reason says why. */
  gamehub_match* (*create)(const char* options, size_t size, int32_t players,
                           gamehub_reason* reason);
  /* An independent match in the same state; NULL only for want of memory. */
  gamehub_match* (*clone)(const gamehub_match* match);
  void (*destroy)(gamehub_match* match);
  /* How many seats this match has. */
  int32_t (*players)(const gamehub_match* match);

  /* Who may act now: bits of seats, or the bit of chance alone, or 0 when the match is over. */
  uint64_t (*to_move)(const gamehub_match* match);
  /* What the seat may do now: ascending, each once, and none unless the seat is to move. Returns
   * how many there are and fills no more than the capacity. For chance, all that has a weight. */
  size_t (*legal_actions)(const gamehub_match* match, int32_t seat, int64_t* out, size_t capacity);
  /* Takes the action, or leaves the state as it was and says why. Takes any seat and any number.
   * A choice that others make at the same time stays secret until all have chosen. */
  gamehub_reason (*apply)(gamehub_match* match, int32_t seat, int64_t action);
  /* The draws that chance may make now, ascending, and the weight of each, which is not 0. Returns
   * how many there are (0 where chance is not to move) and fills no more than the capacity. */
  size_t (*chance_outcomes)(const gamehub_match* match, int64_t* actions, uint32_t* weights,
                            size_t capacity);
  /* Who may know of this legal action once it is taken, beside the seat that takes it: seats, and
   * bit 63 for spectators. All others may only know that the seat has acted. Asked before apply. */
  uint64_t (*audience)(const gamehub_match* match, int32_t seat, int64_t action);
  /* One score a seat once the match is over: +1 won, 0 drawn, -1 lost, or what the game is played
   * for, such as chips. The buffer holds as many as there are players. */
  void (*scores)(const gamehub_match* match, double* out);

  /* What a client wrote → the action, or the reason why there is none. An action that exists but
   * is not allowed now is an action: apply refuses it. JSON is text that need not be valid JSON. */
  gamehub_reason (*action_from_text)(const gamehub_match* match, int32_t seat, const char* text,
                                     size_t size, int64_t* action);
  gamehub_reason (*action_from_json)(const gamehub_match* match, int32_t seat, const char* text,
                                     size_t size, int64_t* action);
  /* An action of the current state → text (a word without blanks) or a JSON object. */
  size_t (*action_to_text)(const gamehub_match* match, int64_t action, char* out, size_t capacity);
  size_t (*action_to_json)(const gamehub_match* match, int64_t action, char* out, size_t capacity);

  /* What the viewer (a seat or GAMEHUB_SPECTATOR) may see, as a JSON object. */
  size_t (*view_json)(const gamehub_match* match, int32_t viewer, char* out, size_t capacity);

  /* The whole state, secrets, options and number of players included, as bytes, and a match from
   * such bytes of the same engine version. Bytes may be damaged or forged: load refuses them, with
   * NULL, or makes of them a state that keeps every promise of this page. */
  size_t (*save)(const gamehub_match* match, char* out, size_t capacity);
  gamehub_match* (*load)(const char* bytes, size_t size, gamehub_reason* reason);
  /* Of the whole state, secrets included: equal for equal states, the same in every process. */
  uint64_t (*hash)(const gamehub_match* match);

  /* An ability beyond these, by its id, or NULL. Each is a struct that begins with struct_size. */
  const void* (*extension)(const char* id);
} gamehub_engine_abi;

/* The game is played on a grid of cells, a character each: byte-sized wires can play it. */
#define GAMEHUB_CELLS "cells"
#define GAMEHUB_BLANK '-'

typedef struct gamehub_cells {
  uint32_t struct_size;
  uint32_t reserved;
  /* One printable character a seat, players_max of them: "XO". Never the blank. */
  const char* marks;
  /* The size of the grid of this match. It never changes during a match. */
  void (*size)(const gamehub_match* match, int32_t* rows, int32_t* columns);
  /* What the viewer sees, one character a cell, row by row, the top row first: rows × columns. */
  size_t (*glyphs)(const gamehub_match* match, int32_t viewer, char* out, size_t capacity);
  /* The action that is meant by a cell, counted as in glyphs. Takes any number. */
  gamehub_reason (*action_at)(const gamehub_match* match, int32_t seat, int64_t cell,
                              int64_t* action);
  /* The cell that an action of the current state would mark, or -1. */
  int64_t (*cell_of)(const gamehub_match* match, int64_t action);
} gamehub_cells;

/* The engine can play a seat itself. */
#define GAMEHUB_PLAYER "player"

typedef struct gamehub_player {
  uint32_t struct_size;
  /* Not 0: choosing costs no more than a move, so it needs no thread of its own. */
  uint32_t immediate;
  /* A legal action for a seat that is to move, within the budget. The match is not changed, and
   * what is chosen rests on nothing but what that seat may know. */
  gamehub_reason (*choose)(const gamehub_match* match, int32_t seat, uint64_t budget_ns,
                           int64_t* action);
} gamehub_player;

/* The one symbol that a plugin exports: a function of this type and name. What it returns stays
 * valid as long as the program runs, for code that was loaded is never unloaded. */
#define GAMEHUB_ENGINE_SYMBOL "gamehub_engine"
typedef const gamehub_engine_abi* (*gamehub_engine_function)(void);

#ifdef __cplusplus
}
#endif
