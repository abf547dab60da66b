// The files of the web page (folder page/), bundled and embedded at build time, and what a browser
// gets that asked for a page: one of them, or an error in sentences. Constants and plain functions,
// any thread.
#pragma once

#include "gateways/http/errors.hpp"
#include "gateways/http/request.hpp"
#include "hub/base/static_file.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

using base::static_file;

// Returns all files. Those below /v/ have a digest of all of them in their path.
std::span<const static_file> page_files();

// Finds a file by its exact path, and the icon as /favicon.ico; returns null if no file has it.
const static_file* find_static_file(std::string_view path);

// Returns the file, compressed if the client accepts gzip, or 304 if the client's copy is current.
// `frames`: who may show the page in a frame, in the words of a Content-Security-Policy.
inline constexpr std::string_view no_frames = "'none'";
response page_answer(const static_file&, const request&, std::string_view frames = no_frames);

// Returns a page of sentences, which has its style in itself, because a client that is refused gets
// no other file: `head` is HTML that its head begins with, `main` its content.
response small_page(std::string_view head, std::string_view main);
// Returns a text as it stands in HTML, also between double quotes.
std::string html_of(std::string_view text);

// Returns the error as a page if a browser asked for a page; nothing for all other requests, and
// for those of the API and of bots.
std::optional<response> page_of_error(const error&, const request&);

}  // namespace gamehub::gateways::http
