// What holds for the page's files: the digest of the inline script, and the contrast of colours that axe does not measure.
import assert from "node:assert/strict";
import {createHash} from "node:crypto";
import {readFile, readdir} from "node:fs/promises";
import {test} from "node:test";
import {folder} from "./page.mjs";

const read = (name) => readFile(`${folder}${name}`, "utf8");

test("the policy names the inline script by its digest", async () => {
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(await read("index.html"));
  const digest = createHash("sha256").update(script).digest("base64");
  const source = await read("../static_files.cpp");
  assert.ok(source.includes(`'sha256-${digest}'`), `static_files.cpp has to have sha256-${digest}`);
});

// The colours by name, for the schemes light (0) and dark (1).
async function colours() {
  const text = (await read("base.css")) + (await read("board.css"));
  const found = [...text.matchAll(/^ {2}--([a-z-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/gm)];
  return [0, 1].map((scheme) => Object.fromEntries(found.map(([, name, light, dark, both]) =>
    [name, both ?? (scheme === 0 ? light : dark)])));
}

function luminance(hex) {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

const pairs = [
  ["edge", "surface"], ["edge", "paper"], ["edge", "sunk"],        // fields and buttons
  ["last", "surface"], ["pending", "surface"], ["good", "surface"],  // squares
  ["felt-mark", "felt"], ["black-stone", "felt"], ["white-stone", "felt"], ["on-black", "black-stone"],
  ["wood-mark", "wood"], ["wood-mark", "white-stone"], ["black-stone", "wood"],
  ["grain", "wood"], ["rack-free", "hole"],                        // legal moves (H10)
  ["stone-rim", "surface"], ["stone-rim", "paper"],                // stones beside a name and in the list
  ["rack-red", "hole"], ["rack-blue", "hole"], ["rack-mark", "rack"],
  ["x", "surface"], ["o", "surface"], ["ink", "paper"], ["soft", "paper"], ["soft", "sunk"],
];

test("marks, pieces and borders have a contrast of 3 to 1 in both schemes (M6)", async () => {
  for (const [scheme, known] of (await colours()).entries()) {
    const low = pairs.map(([a, b]) => [a, b, contrast(known[a], known[b])]).filter(([, , ratio]) => !(ratio >= 3))
      .map(([a, b, ratio]) => `${a} on ${b}: ${ratio.toFixed(2)}`);
    assert.deepEqual(low, [], ["light", "dark"][scheme]);
  }
});

test("a move on its way has a ring of 3 to 1 on each kind of board (M6)", async () => {
  const css = await read("board.css");
  const ring = (kind) => /#\w+/.exec(new RegExp(`\\.${kind} \\.cell\\.pending::after[^{]*\\{[^}]*\\}`).exec(css)[0])[0]
    .replace(/^#(\w)(\w)(\w)$/, "#$1$1$2$2$3$3");
  for (const [scheme, known] of (await colours()).entries())
    for (const [kind, ground] of [["rack", "hole"], ["felt", "felt"], ["lines", "wood"]]) {
      const ratio = contrast(ring(kind), known[ground]);
      assert.ok(ratio >= 3, `${kind}, ${["light", "dark"][scheme]}: ${ratio.toFixed(2)}`);
    }
});

test("a colour that stands for something is one of those that are compared", async () => {
  const text = await read("board.css");
  for (const name of ["edge", "felt-mark", "wood-mark", "on-black", "last", "pending", "stone-rim", "rack-mark", "grain", "rack-free"])
    assert.ok((text + (await read("base.css"))).includes(`var(--${name})`), name);
});

test("all texts of the views are in one table (L7)", async () => {
  const found = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".js") || ["text.js", "words.js", "faces.js"].includes(name)) continue;
    const code = (await read(name)).split("\n").filter((line) => !/^\s*(\/\/|\/\*|\*)/.test(line)).join("\n");
    for (const [literal] of code.matchAll(/["`][^"`\n]*["`]/g))
      if (/^["`]\s?[A-Z][a-z]+ [a-z]/.test(literal) || /[a-z] [a-z]+ [a-z]+[.?]["`]$/.test(literal)) found.push(`${name}: ${literal}`);
  }
  assert.deepEqual(found, []);
});
