// What `gamehub-tools engine new` makes in each language is on the page after the steps that it prints, and is played
// there against the search.
import assert from "node:assert/strict";
import {execFile} from "node:child_process";
import {copyFile, mkdir, mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, afterEach, test} from "node:test";
import {promisify} from "node:util";
import {Browser} from "./browser.mjs";
import {Hub, patience} from "./hub.mjs";

const carryOut = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), "gamehub-authors-"));
const sdk = path.join(folder, "sdk");
const browser = await Browser.start();
afterEach(() => browser.leave());
after(async () => {
  await browser.stop();
  await rm(folder, {recursive: true, force: true});
});

const run = (command, cwd) => carryOut("bash", ["-euo", "pipefail", "-c", command], {
  cwd, timeout: 6 * patience, env: {...process.env, CMAKE_PREFIX_PATH: sdk, CARGO_HOME: path.join(folder, "cargo")}});

const has = (tool) => run(`command -v ${tool}`, folder).then(() => true, () => false);

// For each language how its engine is built, and the file that a folder of plugins has of it.
const languages = {
  cpp: {needs: "cmake", build: `cmake --install '${process.env.PAGE_TEST_BUILD}' --prefix '${sdk}' --component sdk
                                cmake -B build && cmake --build build`, plugin: "build/new-cpp.so"},
  python: {needs: "python3", build: "python3 game_new_python_test.py"},
  rust: {needs: "cargo", build: "cargo build --release --offline"},
  javascript: {needs: "node", build: "node new_javascript_test.mjs"},
};

// The folder of plugins with the engine of an author in this language.
async function made(language, kind) {
  const {build, plugin} = languages[language];
  const project = path.join(folder, `new-${language}`);
  await rm(project, {recursive: true, force: true});
  await run(`'${process.env.PAGE_TEST_TOOLS}' engine new new-${language} --title 'New in ${language}' ` +
            `--language ${language} ${kind}`, folder);
  await run(build, project);
  if (!plugin) return project;
  const plugins = path.join(project, "plugins");
  await mkdir(plugins);
  await copyFile(path.join(project, plugin), path.join(plugins, path.basename(plugin)));
  return plugins;
}

// Plays the first cell that is free until the game is over.
async function playsToTheEnd(one) {
  const isOver = async () => /won|draw/i.test(await one.page.locator(".turn").innerText());
  const open = one.page.locator("[role=gridcell].playable");
  const pieces = one.page.locator("[role=gridcell] .seat-0");
  const next = () => one.until(async () => (await isOver()) || (await open.count()) > 0, "my turn, or the end");
  for (await next(); !(await isOver()); await next()) {
    const before = await pieces.count();
    await open.first().click();
    await one.until(async () => (await pieces.count()) > before, "my piece is there");
  }
}

for (const [language, {needs}] of Object.entries(languages)) {
  test(`a new engine in ${language} is on the page, and is played there against the search`, async (t) => {
    if (!await has(needs)) {
      t.skip(`there is no ${needs}`);
      return;
    }
    const hub = await Hub.start("--plugins", await made(language, "--rows 3 --columns 3"));
    t.after(() => hub.stop());
    const one = await browser.person(hub, {name: "Author"});
    await one.sits(`New in ${language}`, {against: "Medium", side: /X, first/});
    await one.says("Your turn");
    assert.equal(await one.page.getByRole("gridcell").count(), 9);
    await playsToTheEnd(one);
    await one.picture(`new-in-${language}`);
    const game = await hub.ask(`games/${one.page.url().split("/").at(-1)}`);
    assert.equal(game.engine, `new-${language}`);
    // By its rules, not because the engine failed or a clock ran out.
    assert.match(game.history.at(-1).code, /^(rules|draw)$/);
    assert.deepEqual(game.kinds, ["player", "engine"]);
  });
}

test("a new game of cards is played there by its words", async (t) => {
  const hub = await Hub.start("--plugins", await made("python", "--cards"));
  t.after(() => hub.stop());
  const one = await browser.person(hub, {name: "Author"});
  await one.sits("New in python", {against: "Easy", side: /First/});
  await one.page.getByRole("button", {name: "Fold", exact: true}).waitFor();
  await one.picture("new-cards");
  const game = one.page.url().split("/").at(-1);
  await one.page.getByRole("button", {name: "Stay", exact: true}).click();
  await one.until(async () => (await hub.ask(`games/${game}`)).history.at(-1).code === "rules", "the game ends");
});

test("a new board of three players has the pieces and names of all seats, and the letter of a closed cell", async (t) => {
  const folderOfPlugins = await made("python", "--players 3 --rows 3 --columns 3");
  await run("sed -i 's/marks = \"XOA\"/marks = \"XOA#\"/; s/\\[None\\] \\* CELLS .*/[3] + [None] * (CELLS - 1)/' game_new_python.py", folderOfPlugins);
  const hub = await Hub.start("--plugins", folderOfPlugins);
  t.after(() => hub.stop());
  const one = await browser.person(hub, {name: "Author"});
  await one.sitsAtABigTable("New in python", {}, 2);
  await one.sees(1, 1, /: # /);
  await one.cell(1, 2).and(one.page.locator("[aria-disabled=false]")).click();
  await one.sees(1, 2, /: X, Author/);
  for (const [seat, mark] of [[1, "O"], [2, "3"]]) {
    const label = `: ${mark}, Engine`;
    await one.page.locator(`[role=gridcell][aria-label*="${label}"] .seat-${seat}`).first().waitFor();
  }
  await one.picture("new-board-of-three");
});
