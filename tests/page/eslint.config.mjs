// What eslint finds wrong in the page and its tests. Layout is not its business, and types are those of tsconfig.json.
import {createRequire} from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.PAGE_TEST_NODE_MODULES, "x.js"));
const js = require("@eslint/js");

const names = (...all) => Object.fromEntries(all.map((each) => [each, "readonly"]));
const everywhere = names("AbortController", "TextDecoder", "TextEncoder", "URL", "URLSearchParams", "clearTimeout", "console",
  "crypto", "fetch", "performance", "setInterval", "setTimeout");
const inBrowser = names("AudioContext", "Blob", "DOMParser", "Element", "FormData", "HTMLElement", "Notification", "SharedWorker",
  "addEventListener", "cancelAnimationFrame", "document", "localStorage", "location", "navigator", "requestAnimationFrame",
  "scrollTo", "window");

const rules = {
  ...js.configs.recommended.rules,
  "array-callback-return": "error", "consistent-this": "error",
  eqeqeq: "error", "max-lines": ["error", 300], "max-params": ["error", 5], "no-eval": "error", "no-implied-eval": "error",
  "no-unused-vars": ["error", {caughtErrors: "none"}], "no-use-before-define": "off", "no-var": "error",
  "object-shorthand": "error", "prefer-const": "error", "prefer-template": "error",
};

export default [
  {linterOptions: {noInlineConfig: true}},
  {files: ["gateways/http/page/*.js"], rules, languageOptions: {globals: {...everywhere, ...inBrowser}}},
  {files: ["tests/page/**/*.mjs"], rules: {...rules, "max-lines": "off"},
   languageOptions: {globals: {...everywhere, ...inBrowser, ...names("process", "Buffer", "Event", "MutationObserver", "Node", "getComputedStyle", "innerWidth", "ReadableStream", "Response", "setImmediate", "axe", "dispatchEvent", "sessionStorage", "PerformanceObserver")}}},
];
