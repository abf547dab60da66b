#include "engines/host/face.hpp"

#include "engines/host/display_text.hpp"
#include "engines/host/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/spoiled_engine.hpp"

#include <string>
#include <variant>
#include <vector>

namespace gamehub::engines::host {
namespace {

std::string fault(std::string_view json) {
  std::string kept;
  return read_face(json, kept);
}

std::string kept(std::string_view json) {
  std::string out;
  CHECK(read_face(json, out).empty());
  return out;
}

std::string list_of(std::size_t count) {
  std::string out = "[";
  for (std::size_t i = 0; i < count; ++i) out += i == 0 ? R"("a")" : R"(,"a")";
  return out + ']';
}

TEST_CASE("face: keeps the members that the hub knows, and no others") {
  CHECK(kept("{}") == "{}");
  CHECK(kept(R"({"blurb":"Short.","future":{"a":1},"line":3})") ==
        R"({"blurb":"Short.","line":3})");
  const std::string whole =
      R"({"blurb":"A \"line\".","rules":["One.","Two."],"board":"felt","pieces":["cross","circle"],)"
      R"("marks":["Black","Weiß"],"line":5,"drops":true,"actions":{"pass":"Pass"},)"
      R"("groups":[{"title":"Bids","actions":["pass"]}],"score_label":"discs"})";
  CHECK(kept(whole) == whole);
}

TEST_CASE("face: refuses a member that is not of its kind or too long, and names it") {
  CHECK(fault("[]") == "that is no JSON object in UTF-8");
  CHECK(fault("{\"blurb\":\"\xff\"}") == "that is no JSON object in UTF-8");
  CHECK(fault("{\"blurb\":\"a\nb\"}") == "that is no JSON object in UTF-8");
  const std::string text = "is no text of UTF-8 without control characters and \\u escapes";
  CHECK(fault(R"({"blurb":3})") == "whose blurb " + text);
  CHECK(fault(R"({"blurb":"a\nb"})") == "whose blurb " + text);
  CHECK(fault(R"({"blurb":"a\u0007b"})") == "whose blurb " + text);
  CHECK(fault("{\"blurb\":\"a\xe2\x80\xae\"}") == "whose blurb " + text);
  CHECK(fault(R"({"blurb":""})") == "whose blurb is empty");
  CHECK(fault("{\"blurb\":\"" + std::string(161, 'a') + "\"}") ==
        "whose blurb has more than 160 bytes");
  CHECK(fault(R"({"rules":"a"})") == "whose rules is no list");
  CHECK(fault("{\"rules\":" + list_of(17) + '}') == "whose rules has more than 16 elements");
  CHECK(fault("{\"rules\":[\"" + std::string(1'001, 'a') + "\"]}") ==
        "whose rules has an element that has more than 1000 bytes");
  CHECK(fault(R"({"board":"round"})") ==
        "whose board is not squares, lines, felt, rack, hexagons or points");
  CHECK(
      fault(R"({"pieces":["Cross!"]})").starts_with("whose pieces has an element that is no word"));
  CHECK(fault(R"({"line":1})") == "whose line is no number from 2 to 100");
  CHECK(fault(R"({"drops":1})") == "whose drops is not true or false");
  CHECK(fault(R"({"actions":{"pass":4}})") == "whose actions have a member that " + text);
  CHECK(fault(R"({"groups":[{"title":"a"}]})") ==
        "whose groups has an element that has other members than title and actions");
  CHECK(fault(R"({"groups":[{"title":"a","actions":[4]}]})") ==
        "whose groups has an element that has a list of actions that has an element that " + text);
  CHECK(fault("{\"score_label\":\"" + std::string(65, 'a') + "\"}") ==
        "whose score_label has more than 64 bytes");
}

const std::string head = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">)";
std::string drawing(const std::string& inside) { return head + inside + "</svg>"; }

TEST_CASE("icon: takes an image of shapes") {
  CHECK(icon_fault(drawing("")).empty());
  CHECK(icon_fault(drawing("<title>A wheel</title>"
                           "<g fill=\"none\" stroke=\"currentColor\"><path d=\"M1 2l3,4z\"/>"
                           "<circle cx=\"1\" cy=\"2.5\" r=\".5\" fill=\"#fff\"/></g>"
                           "<rect x=\"1\" y=\"1\" width=\"50%\" height=\"2\" "
                           "transform=\"rotate(-45 1 1)\" fill=\"rgb(1, 2, 3)\"/>\n"))
            .empty());
}

TEST_CASE("icon: refuses what could run, load or hide something") {
  struct refused {
    std::string svg, says;
  };
  const std::string not_listed = "which is not one of";
  const std::vector<refused> all{
      {"", "does not begin with the element svg"},
      {"<?xml version=\"1.0\"?>" + drawing(""), "does not begin with the element svg"},
      {"<!DOCTYPE svg [<!ENTITY a \"b\">]>" + drawing(""), "does not begin"},
      {drawing("<script>alert(1)</script>"), "the element script, " + not_listed},
      {drawing("<style>a{}</style>"), "the element style, " + not_listed},
      {drawing("<image/>"), "the element image, " + not_listed},
      {drawing("<use/>"), "the element use, " + not_listed},
      {drawing("<foreignObject/>"), "the element foreignObject, " + not_listed},
      {drawing("<a/>"), "the element a, " + not_listed},
      {drawing("<animate/>"), "the element animate, " + not_listed},
      {drawing("<PATH/>"), "the element PATH, " + not_listed},
      {drawing("<svg:path/>"), "the element svg:path, " + not_listed},
      {drawing("<!-- a -->"), "something else than elements and text"},
      {drawing("<![CDATA[a]]>"), "something else than elements and text"},
      {drawing("<?php a?>"), "something else than elements and text"},
      {drawing("text"), "text outside of the element title"},
      {drawing("<title>a&amp;b</title>"), "a title that is not plain text"},
      {drawing("<title><g/></title>"), "an element inside of title"},
      {drawing(head + "</svg>"), "an element svg inside another one"},
      {drawing("<g onclick=\"a()\"/>"), "the attribute onclick, " + not_listed},
      {drawing("<g style=\"fill:red\"/>"), "the attribute style, " + not_listed},
      {drawing("<g href=\"x\"/>"), "the attribute href, " + not_listed},
      {drawing("<g xlink:href=\"x\"/>"), "the attribute xlink:href, " + not_listed},
      {drawing("<g xmlns=\"http://www.w3.org/1999/xhtml\"/>"),
       "the attribute xmlns, " + not_listed},
      {drawing("<g class=\"a\"/>"), "the attribute class, " + not_listed},
      {drawing("<g id=\"a\"/>"), "the attribute id, " + not_listed},
      {drawing("<g fill=\"url(#a)\"/>"), "a value of fill that is not allowed"},
      {drawing("<g fill=\"URL(a)\"/>"), "a value of fill that is not allowed"},
      {drawing("<g fill=\"http://a\"/>"), "a value of fill that is not allowed"},
      {drawing("<g fill=\"&#114;ed\"/>"), "a value of fill that is not allowed"},
      {drawing("<g fill='red'/>"), "an attribute that is not well-formed"},
      {drawing("<g fill=red/>"), "an attribute that is not well-formed"},
      {drawing("<g fill/>"), "an attribute that is not well-formed"},
      {drawing("<g fill=\"red/>"), "an attribute that is not well-formed"},
      {drawing("<g fill=\"red\" fill=\"red\"/>"), "the attribute fill twice"},
      {drawing("<g fill=\"red\"x=\"1\"/>"), "a tag that is not well-formed"},
      {drawing("<g>"), "the end of svg that ends nothing"},
      {drawing("</g>"), "the end of g that ends nothing"},
      {head, "ends before its elements do"},
      {head + "<g", "not well-formed"},
      {drawing("") + "<script/>", "text after its end"},
      {"<svg viewBox=\"0 0 1 1\"></svg>", "without xmlns="},
      {"<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", "without viewBox"},
      {"<svg/>", "without xmlns="},
      {drawing(std::string(4'096, ' ')), "of more than 4096 bytes"},
  };
  for (const auto& each : all) {
    const auto said = icon_fault(each.svg);
    CAPTURE(each.svg, said);
    CHECK(said.find(each.says) != said.npos);
  }
  std::string deep;
  for (int i = 0; i < 16; ++i) deep += "<g>";
  CHECK(icon_fault(head + deep).find("too many") != std::string::npos);
}

TEST_CASE("icon: every beginning of an image is refused, and nothing is read beyond it") {
  const auto whole = drawing("<title>a</title><g fill=\"none\"><path d=\"M1 2\"/></g>");
  REQUIRE(icon_fault(whole).empty());
  for (std::size_t size = 0; size < whole.size(); ++size)
    CHECK_FALSE(icon_fault(std::string{whole, 0, size}).empty());
}

// The sentence that refuses TicTacToe with this face.
std::string refusal_of(const char* json) {
  static gamehub_face face;
  static gamehub_engine_abi abi;
  face = {sizeof face, 0, json};
  abi = tests::healthy_engine("tictactoe");
  abi.extension = [](const char* id) -> const void* {
    if (std::string_view{id} == GAMEHUB_FACE) return &face;
    return tests::healthy_engine("tictactoe").extension(id);
  };
  const auto adopted = engine::adopt(&abi);
  const auto* wrong = std::get_if<std::string>(&adopted);
  return wrong == nullptr ? "" : *wrong;
}

TEST_CASE("face: an engine with a wrong face is refused with a sentence") {
  CHECK(refusal_of("{}").empty());
  CHECK(refusal_of(nullptr) == "engine tictactoe has the extension face, but only a part of it");
  CHECK(refusal_of(R"({"board":"round"})") ==
        "engine tictactoe has a face whose board is not squares, lines, felt, rack, hexagons or "
        "points");
  CHECK(
      refusal_of(R"({"icon":"<svg onload=\"a()\"/>"})") ==
      "engine tictactoe has a face whose icon is an image with the attribute onload, which is not "
      "one of geometry or paint");
  const auto endless = "{\"blurb\":\"a\"" + std::string(GAMEHUB_FACE_BYTES_MAX, ' ') + '}';
  CHECK(refusal_of(endless.c_str()) ==
        "engine tictactoe has a face that does not end after 16384 bytes");
}

TEST_CASE("face: every built-in engine says its rules, and has a line of blurb and an icon") {
  const auto all = registry::built_in();
  for (const auto& each : all.all()) {
    INFO(each.id());
    const auto face = each.face();
    for (const auto* member : {"\"blurb\":", "\"rules\":[", "\"icon\":"})
      CHECK(face.find(member) != face.npos);
    CHECK(each.has_score() == (face.find("\"score_label\":") != face.npos));
  }
}

TEST_CASE("display_text: is UTF-8 that shows as one line, in its order") {
  for (const auto* text : {"", "plain", "quote \" and \\", "Weiß, \xe2\x99\xa5"})
    CHECK(is_display_text(text));
  for (const auto* text : {"\n", "a\x7f", "\xff", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xae",
                           "\xe2\x81\xa6", "cut \xe2\x99"})
    CHECK_FALSE(is_display_text(text));
  CHECK_FALSE(is_display_text(std::string_view{"a\0b", 3}));
}

}  // namespace
}  // namespace gamehub::engines::host
