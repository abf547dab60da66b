/* A JSON reader for engines in C, for example to read one member of an object that a client sent.
 * Like json.hpp for C++, it accepts exactly valid JSON, and neither copies nor allocates. Plain
 * functions, any thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Deeper than any move, and small enough for the stack of any thread. */
#define GAMEHUB_JSON_DEPTH_MAX 64

/* Reads JSON. Every function moves past the element that it names and returns 1 if it is there. */
typedef struct gamehub_json_reader {
  const char* at;
  const char* end;
} gamehub_json_reader;

/* The search for a member of the outermost object. */
typedef struct gamehub_json_search {
  const char* name;  /* ASCII; NULL: only count the members */
  const char* begin; /* the text of its value, NULL if not found */
  const char* end;
  size_t members;
} gamehub_json_search;

static inline int gamehub_json_value(gamehub_json_reader* r, int depth);

static inline void gamehub_json_blanks(gamehub_json_reader* r) {
  while (r->at != r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
    ++r->at;
}

static inline int gamehub_json_skip(gamehub_json_reader* r, char c) {
  if (r->at == r->end || *r->at != c) return 0;
  ++r->at;
  return 1;
}

static inline int gamehub_json_word(gamehub_json_reader* r, const char* letters) {
  const size_t size = strlen(letters);
  if ((size_t)(r->end - r->at) < size || memcmp(r->at, letters, size) != 0) return 0;
  r->at += size;
  return 1;
}

static inline int gamehub_json_digits(gamehub_json_reader* r) {
  const char* start = r->at;
  while (r->at != r->end && *r->at >= '0' && *r->at <= '9') ++r->at;
  return r->at != start;
}

static inline int gamehub_json_number(gamehub_json_reader* r) {
  gamehub_json_skip(r, '-');
  if (!gamehub_json_skip(r, '0') && !gamehub_json_digits(r)) return 0;
  if (gamehub_json_skip(r, '.') && !gamehub_json_digits(r)) return 0;
  if (!gamehub_json_skip(r, 'e') && !gamehub_json_skip(r, 'E')) return 1;
  if (!gamehub_json_skip(r, '+')) gamehub_json_skip(r, '-');
  return gamehub_json_digits(r);
}

/* The number of the four digits behind \u, or -1. */
static inline int32_t gamehub_json_unit(gamehub_json_reader* r) {
  int32_t out = 0;
  if (r->end - r->at < 6 || !gamehub_json_word(r, "\\u")) return -1;
  for (int i = 0; i < 4; ++i) {
    const char c = *r->at++;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    out = out * 16 + digit;
  }
  return out;
}

static inline int gamehub_json_escape(gamehub_json_reader* r) {
  if (r->end - r->at < 2) return 0;
  if (r->at[1] != 'u') {
    const char c = r->at[1];
    r->at += 2;
    return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
  }
  const int32_t first = gamehub_json_unit(r);
  if (first < 0 || (first >= 0xDC00 && first <= 0xDFFF)) return 0;
  if (first < 0xD800 || first > 0xDBFF) return 1;
  const int32_t second = gamehub_json_unit(r);
  return second >= 0xDC00 && second <= 0xDFFF;
}

/* One character that is no escape: not a control, and well-formed UTF-8. */
static inline int gamehub_json_letter(gamehub_json_reader* r) {
  const unsigned char lead = (unsigned char)*r->at;
  const int more = lead < 0x80 ? 0 : lead < 0xC2 ? -1 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
  if (lead < 0x20 || more < 0 || lead > 0xF4) return 0;
  ++r->at;
  for (int i = 0; i < more; ++i, ++r->at) {
    const unsigned char next = r->at == r->end ? 0 : (unsigned char)*r->at;
    const int low = i > 0 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const int high = i > 0 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (next < low || next > high) return 0;
  }
  return 1;
}

static inline int gamehub_json_string(gamehub_json_reader* r) {
  if (!gamehub_json_skip(r, '"')) return 0;
  while (r->at != r->end) {
    if (*r->at == '"') return gamehub_json_skip(r, '"');
    if (!(*r->at == '\\' ? gamehub_json_escape(r) : gamehub_json_letter(r))) return 0;
  }
  return 0;
}

/* Returns 1 if a valid JSON string, with quotes and escapes, equals a plain ASCII text. */
static inline int gamehub_json_says(const char* at, const char* end, const char* plain) {
  gamehub_json_reader r;
  r.at = at + 1;
  r.end = end - 1;
  while (r.at != r.end && *plain != '\0') {
    int32_t c = (unsigned char)*r.at;
    if (c != '\\') {
      ++r.at;
    } else if (r.at[1] == 'u') {
      c = gamehub_json_unit(&r);
    } else {
      c = "\"\\/\b\f\n\r\t"[strchr("\"\\/bfnrt", r.at[1]) - "\"\\/bfnrt"];
      r.at += 2;
    }
    if (c >= 0x80 || c != *plain++) return 0;
  }
  return r.at == r.end && *plain == '\0';
}

static inline int gamehub_json_array(gamehub_json_reader* r, int depth) {
  if (!gamehub_json_skip(r, '[') || depth >= GAMEHUB_JSON_DEPTH_MAX) return 0;
  gamehub_json_blanks(r);
  if (gamehub_json_skip(r, ']')) return 1;
  do {
    if (!gamehub_json_value(r, depth + 1)) return 0;
    gamehub_json_blanks(r);
  } while (gamehub_json_skip(r, ','));
  return gamehub_json_skip(r, ']');
}

static inline int gamehub_json_object(gamehub_json_reader* r, int depth,
                                      gamehub_json_search* search) {
  if (!gamehub_json_skip(r, '{') || depth >= GAMEHUB_JSON_DEPTH_MAX) return 0;
  gamehub_json_blanks(r);
  if (gamehub_json_skip(r, '}')) return 1;
  do {
    gamehub_json_blanks(r);
    const char* name = r->at;
    if (!gamehub_json_string(r)) return 0;
    const char* name_end = r->at;
    gamehub_json_blanks(r);
    if (!gamehub_json_skip(r, ':')) return 0;
    gamehub_json_blanks(r);
    const char* begin = r->at;
    if (!gamehub_json_value(r, depth + 1)) return 0;
    if (search != NULL) {
      ++search->members;
      if (search->name != NULL && gamehub_json_says(name, name_end, search->name)) {
        search->begin = begin;
        search->end = r->at;
      }
    }
    gamehub_json_blanks(r);
  } while (gamehub_json_skip(r, ','));
  return gamehub_json_skip(r, '}');
}

static inline int gamehub_json_value(gamehub_json_reader* r, int depth) {
  gamehub_json_blanks(r);
  if (r->at == r->end) return 0;
  switch (*r->at) {
    case '{': return gamehub_json_object(r, depth, NULL);
    case '[': return gamehub_json_array(r, depth);
    case '"': return gamehub_json_string(r);
    case 'n': return gamehub_json_word(r, "null");
    case 't': return gamehub_json_word(r, "true");
    case 'f': return gamehub_json_word(r, "false");
    default: return gamehub_json_number(r);
  }
}

/* Whether the text is one JSON object, which is searched. Of members with the same name the last
 * counts, as in most JSON libraries. */
static inline int gamehub_json_is_object(const char* text, size_t size,
                                         gamehub_json_search* search) {
  gamehub_json_reader r;
  if (size == 0) return 0;
  r.at = text;
  r.end = text + size;
  gamehub_json_blanks(&r);
  if (!gamehub_json_object(&r, 0, search)) return 0;
  gamehub_json_blanks(&r);
  return r.at == r.end;
}

/* Whether the text is an object without members: options of an engine that has none. */
static inline int gamehub_json_is_empty_object(const char* text, size_t size) {
  gamehub_json_search search = {NULL, NULL, NULL, 0};
  return gamehub_json_is_object(text, size, &search) && search.members == 0;
}

/* Whether the text is plain digits that say a number below `end`, which goes into *out. Zeros in
 * front are no other number than without them. */
static inline int gamehub_json_is_index(const char* text, size_t size, int64_t end, int64_t* out) {
  int64_t n = 0;
  if (size == 0) return 0;
  for (size_t i = 0; i < size; ++i) {
    if (text[i] < '0' || text[i] > '9' || n >= end) return 0;
    n = n * 10 + (text[i] - '0');
  }
  if (n >= end) return 0;
  *out = n;
  return 1;
}

/* Whether the text is an object with a member of that name that is an integer of 0 to end - 1,
 * which goes into *out. Requires: end is at most a tenth of INT64_MAX. */
static inline int gamehub_json_index(const char* text, size_t size, const char* name, int64_t end,
                                     int64_t* out) {
  gamehub_json_search search;
  search.name = name;
  search.begin = search.end = NULL;
  search.members = 0;
  if (!gamehub_json_is_object(text, size, &search) || search.begin == NULL) return 0;
  if (*search.begin == '-') ++search.begin;
  if (search.begin[-1] == '-' && *search.begin != '0') return 0;
  return gamehub_json_is_index(search.begin, (size_t)(search.end - search.begin), end, out);
}

#ifdef __cplusplus
}
#endif
