// What most files of tests begin with.
import {after, afterEach} from "node:test";
import {Browser} from "./browser.mjs";
import {Hub} from "./hub.mjs";

// A hub with these flags and a browser, for all tests of a file. The people in the browser leave after each test; both
// stop after the last one.
export async function setup(...flags) {
  const [hub, browser] = await Promise.all([Hub.start(...flags), Browser.start()]);
  afterEach(() => browser.leave());
  after(async () => {
    await browser.stop();
    await hub.stop();
  });
  return {hub, browser};
}
