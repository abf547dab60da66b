// Browsers with somebody at each, and what a test asks of them. Whatever a page complains of on its console is
// noted: errors, warnings, exceptions, and what its Content-Security-Policy has kept it from.
import assert from "node:assert/strict";
import {createRequire} from "node:module";
import {mkdir} from "node:fs/promises";
import path from "node:path";
import {patience} from "./hub.mjs";

const require = createRequire(path.join(process.env.PAGE_TEST_NODE_MODULES, "x.js"));
const {chromium} = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");

export const pictures = process.env.PAGE_TEST_PICTURES;
export const desktop = {width: 1280, height: 860};
export const phone = {width: 390, height: 844};

const reportPolicy = () => addEventListener("securitypolicyviolation", (event) =>
  console.error(`the policy kept it from ${event.violatedDirective}: ${event.blockedURI} ${event.sourceFile}`));

// A hub that is away can't be reached, and browsers say that by themselves.
const isAbsence = (text) => /ERR_(CONNECTION_|INCOMPLETE_CHUNKED|EMPTY_RESPONSE|SOCKET|INTERNET_DISCONNECTED|NETWORK_CHANGED)/.test(text);

export class Browser {
  static async start() {
    const it = new Browser();
    it.chromium = await chromium.launch({executablePath: process.env.PAGE_TEST_CHROMIUM,
                                         args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
    it.people = [];
    return it;
  }

  // Somebody at a browser of their own.
  async person(hub, {size = desktop, colorScheme = "light", name, at = "", ...more} = {}) {
    const context = await this.chromium.newContext({viewport: size, colorScheme, reducedMotion: "reduce", ...more});
    const page = await context.newPage();
    const one = new Person(page, hub);
    this.people.push(one);
    page.setDefaultTimeout(patience);
    await page.addInitScript(reportPolicy);
    page.on("console", (said) => {
      if (["error", "warning"].includes(said.type())) one.faults.push(`${said.text()} ${said.location().url}`);
    });
    page.on("pageerror", (error) => one.faults.push(error.stack));
    await page.goto(hub.url + at);
    if (name) await one.isCalled(name);
    return one;
  }

  // After each test: nobody's page had anything to complain of.
  async leave() {
    for (const {page, faults, hubWasAway, refusals} of this.people.splice(0)) {
      await page.context().close();
      assert.deepEqual(faults.filter((each) => !(hubWasAway && isAbsence(each)) && !refusals?.test(each)), []);
    }
  }

  stop() {
    return this.chromium.close();
  }
}

class Person {
  constructor(page, hub) {
    // A browser notes each answer that is an error, also after the test's last step: `refusals` are those that may be.
    Object.assign(this, {page, hub, faults: [], hubWasAway: false, refusals: undefined});
  }

  async isCalled(name) {
    await this.page.getByLabel("You are").fill(name);
    await this.page.getByLabel("You are").blur();
  }

  // Sets a game up in the lobby, and sits down; with `leaves` from a table at which this player waits.
  async sits(title, {against = "Whoever comes", side = "Any", rules = {}, leaves = false} = {}) {
    await this.page.goto(`${this.hub.url}#/`);
    await this.page.getByRole("radio", {name: title, exact: true}).check();
    await this.page.getByRole("radio", {name: against, exact: true}).check();
    await this.page.getByRole("radio", {name: side}).check();
    for (const [rule, value] of Object.entries(rules))
      await this.page.getByLabel(rule, {exact: true}).fill(String(value));
    await this.page.getByRole("button", {name: "Play", exact: true}).click();
    if (leaves)
      await this.page.getByRole("dialog", {name: "You wait at a table"}).getByRole("button", {name: "Give it up"}).click();
    await this.page.waitForURL(/#\/game\/\d+$/);
    await this.page.getByRole("article", {name: title}).waitFor();
  }

  // The same for a game of three or more, which has no sides to choose.
  async sitsAtABigTable(title, rules, seatsOfEngine = 0) {
    await this.page.goto(`${this.hub.url}#/`);
    await this.page.getByRole("radio", {name: title, exact: true}).check();
    for (const [rule, value] of Object.entries(rules)) await this.page.getByLabel(rule, {exact: true}).fill(String(value));
    if (seatsOfEngine > 0) await this.page.getByLabel("Seats for the engine").selectOption(String(seatsOfEngine));
    await this.page.getByRole("button", {name: "Play", exact: true}).click();
    await this.page.waitForURL(/#\/game\/\d+$/);
  }

  async joins(name) {
    await this.page.getByRole("button", {name: `Join ${name} in`}).click();
    await this.page.getByRole("article").waitFor();
  }

  cell(row, column) {
    return this.page.locator(`[role=gridcell][aria-label^="row ${row}, column ${column}:"]`);
  }

  // Once it can be played.
  async plays(row, column) {
    await this.cell(row, column).and(this.page.locator("[aria-disabled=false]")).click();
    await this.sees(row, column, /: (X|O|Red|Blue|Black|White),/);
  }

  async sees(row, column, what) {
    const cell = this.cell(row, column);
    await this.until(async () => what.test((await cell.getAttribute("aria-label")) ?? ""),
                     `row ${row}, column ${column} is ${what}`);
  }

  says(text) {
    return this.page.locator(".turn", {hasText: text}).waitFor();
  }

  async until(isSo, what) {
    const end = Date.now() + patience;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`never: ${what}`);
      await this.page.waitForTimeout(20);
    }
  }

  async picture(name) {
    await mkdir(pictures, {recursive: true});
    await this.page.screenshot({path: path.join(pictures, `${name}.png`), fullPage: true});
  }

  // What keeps somebody from using the page, by axe.
  async isForEverybody(where) {
    // Into a world of its own, where the page's policy does not reach.
    await this.page.evaluate(await axeSource());
    const found = await this.page.evaluate(() => axe.run(document, {resultTypes: ["violations"]}));
    console.log(`axe: ${where}: ${found.violations.length} violations`);
    assert.deepEqual(found.violations.map(({id, nodes}) => `${where}: ${id} at ${nodes.map((n) => n.target).join(" ")}`), []);
  }
}

let source;
async function axeSource() {
  const {readFile} = await import("node:fs/promises");
  return (source ??= await readFile(axe, "utf8"));
}
