// The modules of the page, as a test imports them, and the updates of small games.
import {cp, mkdtemp, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {after} from "node:test";
import {fileURLToPath} from "node:url";

export const folder = fileURLToPath(new URL("../../../gateways/http/page/", import.meta.url));

// Node takes a file for a module only where a package.json says so, and the page needs none.
const copy = await mkdtemp(path.join(tmpdir(), "gamehub-page-"));
await cp(folder, copy, {recursive: true});
await writeFile(path.join(copy, "package.json"), '{"type": "module"}');
after(() => rm(copy, {recursive: true}));

export const load = (name) => import(path.join(copy, `${name}.js`));

export const standing = (more = {}) => ({game_id: "7", engine: "tictactoe", options: {}, status: "running",
  players: ["Ann", "Ben"], board: "_________", last_update_id: 0, ...more});

export const status = (number, more = {}) =>
  ({type: "status", update_id: number, board: "_________", turn: "X", playerX: "Ann", playerO: "Ben", ...more});

export const move = (number, player, position, board, more = {}) =>
  ({type: "move", update_id: number, player, position, board, turn: player === "X" ? "O" : "X", ...more});
