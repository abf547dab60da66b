// Reads the face of an engine: texts and an icon that pages show. It is untrusted, so each member
// is checked, and only members that this hub knows are kept. Plain functions, any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gamehub::engines::host {

// Bounds of the members of a face.
inline constexpr std::size_t face_blurb_bytes_max = 160;
inline constexpr std::size_t face_paragraphs_max = 16;
inline constexpr std::size_t face_paragraph_bytes_max = 1'000;
inline constexpr std::size_t face_seats_max = 62;  // GAMEHUB_SEATS_MAX
inline constexpr std::size_t face_piece_bytes_max = 24;
inline constexpr std::size_t face_mark_bytes_max = 24;
inline constexpr std::size_t face_words_bytes_max = 64;  // an action, its words, a title, a label
inline constexpr std::size_t face_actions_max = 512;     // also of one group
inline constexpr std::size_t face_groups_max = 32;
inline constexpr std::size_t face_line_max = 100;
inline constexpr std::size_t icon_bytes_max = 4'096;

// Writes the known members to `to` as one JSON object. Returns the error as the end of
// the sentence "engine X has a face …", or an empty string.
std::string read_face(std::string_view json, std::string& to);

// Checks an icon: SVG that draws shapes and nothing else, without scripts, styles, references and
// entities. Returns the error as the end of the sentence "… has an icon …", or an empty string.
std::string icon_fault(std::string_view svg);

}  // namespace gamehub::engines::host
