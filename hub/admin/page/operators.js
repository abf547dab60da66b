// The operators' page: asks the hub every few seconds while it is visible, and sends orders.
import * as api from "./api.js";
import {$, ask, make, showNumbers, showRows, write} from "./dom.js";

const pause = 3000;
const rowsMax = 100;

// "access": the hub answers lists; "token": it also takes the orders that need one.
let rights = new Set();
let looking;  // the number of the game that is shown
let lastStatus;
let locked = false;
let away = false;  // the hub did not answer the latest request

function show(text, bad = false) {
  write($("said"), text);
  $("said").classList.toggle("bad", bad);
}

// In a cluster: the hubs that did not answer.
function showUnreached(answer) {
  if (answer.unreached?.length) show(`No answer: hub ${answer.unreached.join(", hub ")}`, true);
}

// A number, with its hub in a cluster.
const withHub = (number, hub) => hub ? `${number} (hub ${hub})` : number;

function grant(...names) {
  rights = new Set(names);
  for (const each of document.querySelectorAll("[data-needs]"))
    each.hidden = !rights.has(each.dataset.needs) || (each.id === "game" && looking === undefined);
  $("token-form").hidden = rights.has("access") && (rights.has("token") || !api.hasToken());
  $("forget").hidden = !api.hasToken();
}

// A list of which pages are shown one after the other.
function pager(id, key, shown) {
  const pages = [0];
  const line = $(`${id}-pages`);
  const turn = (change) => () => {
    change();
    refresh();
  };
  const back = make("button", {type: "button", onclick: turn(() => pages.pop())}, "Back");
  const next = make("button", {type: "button"}, "Next");
  let following;
  next.addEventListener("click", turn(() => pages.push(following)));
  line.append(back, next);
  const show = (more) => {
    following = more;
    back.hidden = pages.length === 1;
    next.hidden = !more;
    line.hidden = back.hidden && next.hidden;
  };
  return {
    first: () => pages.splice(1),
    async load(path, query = {}) {
      const page = await api.list(path, {...query, limit: 25, ...(pages.at(-1) && {[key]: pages.at(-1)})});
      shown(page[id]);
      show(page.next);
      showUnreached(page);
    },
  };
}

// A list that the hub sends whole is shown up to a bound.
function showBounded(id, rows, columns) {
  showRows($(id), rows.slice(0, rowsMax), columns);
  write($(`${id}-pages`), rows.length > rowsMax ? `${rows.length - rowsMax} more are not shown` : "");
}

const counted = (n, what) => `${n} ${what}`;

function upTime(seconds) {
  const s = Math.floor(seconds);
  if (s >= 86400) return `${Math.floor(s / 86400)} d ${Math.floor(s / 3600) % 24} h`;
  return s >= 3600 ? `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min` : `${Math.floor(s / 60)} min ${s % 60} s`;
}

// The share of the time since the previous status in which a loop did not wait.
function busyShare(now, loop) {
  const before = lastStatus?.loops.each?.[loop]?.busy_seconds ?? 0;
  const time = now.up_seconds - (lastStatus?.up_seconds ?? 0);
  if (time <= 0) return "";
  return `${Math.min(100, Math.max(0, Math.round(100 * (now.loops.each[loop].busy_seconds - before) / time)))} %`;
}

function showState(text, bad) {
  write($("state"), text);
  $("state").classList.toggle("bad", bad);
}

function showStatus(now) {
  if (away) show("");
  away = false;
  showState(now.failing.length ? "not well" : now.ready ? "ready" : `not ready: ${now.why}`,
            !now.ready || now.failing.length > 0);
  $("failing").replaceChildren(...now.failing.map((each) => make("li", {}, each)));
  showNumbers($("numbers"), [
    ["Version", `${now.version}, up ${upTime(now.up_seconds)}`],
    ["Games", `${counted(now.games.running, "running")}, ${counted(now.games.ended, "ended")}, ${now.games.failed} of them by a fault`],
    ["Players", `${counted(now.players.here, "here")}, ${counted(now.players.waiting, "waiting for an opponent")}`],
    ["Moves", `${counted(now.moves.accepted, "made")}, ${counted(now.moves.refused, "refused")}`],
    ["Bots", `${counted(now.bots.online, "online")}, ${counted(now.bots.games_running, "of their games running")}`],
    ["Journal", `${now.journal.ok ? "ok" : "fails"}, ${counted(now.journal.pending_records, "records pending")}`],
    ["Memory", `${Math.round(now.resident_memory_bytes / 1048576)} MiB`],
  ]);
  showRows($("loops"), (now.loops.each ?? []).map((each, i) =>
    ({key: i, cells: [i, busyShare(now, i), each.players, each.connections]})), 4);
  showRows($("protocols"), Object.entries(now.wires).map(([name, each]) =>
    ({key: name, cells: [name, each.players, each.connections]})), 3);
  showMembers(now.cluster?.members ?? []);
  lastStatus = now;
}

// Of the link between this hub and a member.
function linkOf({state, link}) {
  if (state !== "alive" && state !== "silent") return "";
  if (!link) return "none";
  if (link.out && link.in) return "up";
  return link.out ? "out only" : link.in ? "in only" : "down";
}

function showMembers(all) {
  $("cluster").hidden = all.length === 0;
  showRows($("members"), all.map((each) => ({
    key: each.member,
    cells: [each.member, each.adopted_by ? `adopted by ${each.adopted_by}` : each.state, each.games,
            each.adopted_by ? "" : `${Math.round(1000 * each.beat_seconds_ago)} ms ago`, linkOf(each), each.version, each.address],
  })), 7);
}

const games = pager("games", "before", (all) => showRows($("games"), all.map(({game, engine, players, updates, status, hub}) => ({
  key: `${game} ${status}`,
  cells: [withHub(game, hub), engine, players.map((name) => name || "(free)").join(", "), updates],
  does: [
    {text: "Look", label: `Look at game ${game}`, act: () => look(game)},
    ...(status === "running" ? [{text: "End", label: `End game ${game}`, act: () => endGame(game)}] : []),
  ],
})), 5));

const players = pager("players", "after", (all) => showRows($("players"), all.map(({player, name, former_names, waits_on}) => ({
  key: `${player} ${name}`,
  cells: [name, former_names.join(", "), waits_on ? `waits on ${waits_on}` : ""],
  does: [
    {text: "Mute", label: `Mute ${name}`, act: () => sanction("mute", {name})},
    {text: "Ban", label: `Ban ${name}`, act: () => sanction("ban", {name})},
  ],
})), 4));

const lifts = {"banned-name": ["unban", "name"], "banned-address": ["unban", "address"], "muted-name": ["unmute", "name"]};

async function loadSanctions() {
  const {sanctions} = await api.list("sanctions");
  showBounded("sanctions", sanctions.reverse().map(({kind, whom, since, reason}) => {
    const [verb, member] = lifts[kind];
    return {
      key: `${kind} ${whom}`,
      cells: [whom, kind.replace("-", " "), since, reason],
      does: [{text: "Lift", label: `Lift the sanction of ${whom}`, act: () => give(verb, {[member]: whom})}],
    };
  }), 5);
}

async function loadBots() {
  const {bots} = await api.bots();
  showBounded("bots", bots.map(({name, version, engine, owner, state, failures}) => ({
    key: `${name} ${version} ${engine}`,
    cells: [`${name} ${version}`, engine, owner, state, failures.map((each) => each.text).join("; ")],
  })), 5);
}

async function loadOrders() {
  const {orders} = await api.list("orders");
  let same = 0;
  showBounded("orders", orders.map((each, i) => {
    same = i > 0 && orders[i - 1].at === each.at ? same + 1 : 0;
    return {
      key: `${each.at} ${each.order} ${each.target} ${same}`,
      cells: [each.at, each.order, each.target, each.reason, `${each.address}${each.page ? ", by this page" : ""}${each.hub ? `, at hub ${each.hub}` : ""}`,
              each.status < 400 ? "done" : `refused: ${each.status}`],
    };
  }), 6);
}

function wordsOf({status, to_move, players, outcome, updates, engine, version, closed}) {
  const parts = [`${engine} ${version}`, closed ? "by invitation" : "", `${status}, ${updates} updates`];
  if (status === "running") parts.push(`to move: ${to_move.map((seat) => players[seat]).join(", ") || "no seat"}`);
  if (outcome) parts.push(`${outcome.reason}${outcome.winner === null ? "" : `, won by ${players[outcome.winner]}`}`);
  return parts.filter(Boolean).join("; ");
}

function showBoard({rows, columns, board}) {
  const table = $("board");
  table.hidden = !board;
  const numbers = (count) => Array.from({length: count}, (_, i) => i + 1);
  if (table.dataset.size !== `${rows} ${columns}`) {
    table.dataset.size = `${rows} ${columns}`;
    table.tHead.replaceChildren(make("tr", {}, ...["#", ...numbers(columns)].map((n) => make("th", {scope: "col"}, n))));
    table.tBodies[0].replaceChildren(...numbers(rows).map((n) =>
      make("tr", {}, make("th", {scope: "row"}, n), ...numbers(columns).map(() => make("td")))));
  }
  [...table.querySelectorAll("td")].forEach((cell, i) => write(cell, board[i] === "-" ? "\u00a0" : board[i]));
}

// The seats, with what can be done to their players.
function showSeats({game, players, marks}) {
  const shown = JSON.stringify([game, players, rights.has("token")]);
  if ($("seats").dataset.shown === shown) return;
  $("seats").dataset.shown = shown;
  $("seats").replaceChildren(...players.map((name, seat) => {
    const does = name && rights.has("token") ? [
      make("button", {type: "button", "aria-label": `Mute ${name}`, onclick: () => sanction("mute", {name})}, "Mute"),
      make("button", {type: "button", "aria-label": `Ban ${name}`, onclick: () => sanction("ban", {name})}, "Ban"),
    ] : [];
    return make("li", {class: "line"}, `${marks[seat] ?? seat + 1}: `, make("bdi", {}, name || "(free)"), ...does);
  }));
}

async function loadGame() {
  if (looking === undefined) return;
  let game;
  try {
    game = await api.list("game", {game: looking});
  } catch (error) {
    if (error.status === 404) stopLooking();
    throw error;
  }
  if (game.game !== looking) return;
  write($("game-title"), `Game ${game.game}`);
  write($("game-words"), wordsOf(game));
  showSeats(game);
  showBoard(game);
  $("view").hidden = game.view === null;
  write($("view"), game.view === null ? "" : JSON.stringify(game.view, null, 2));
  $("end").hidden = game.status !== "running";
  $("game").hidden = false;
}

async function look(game) {
  looking = game;
  if (await attempt(loadGame)) $("game-title").focus();
}

function stopLooking() {
  looking = undefined;
  $("game").hidden = true;
}

// Does what may be refused, and shows the refusal.
async function attempt(what) {
  try {
    await what();
    return true;
  } catch (error) {
    if (!(error instanceof api.Refused)) throw error;
    onRefused(error);
    return false;
  }
}

// Asks for the public status only, until there is a token.
function lock() {
  locked = true;
  stopLooking();
  grant();
}

function onRefused(error) {
  if (error.status === 401) {
    show(api.hasToken() ? "The hub refuses this token." : "This hub needs the operator's token.", api.hasToken());
    // A wrong token is not sent again: the hub counts them.
    api.forgetToken();
    lock();
  } else if (error.status === 403 && rights.has("token")) {
    // The hub was restarted without a token.
    api.forgetToken();
    grant("access");
  } else {
    show(error.message, true);
    if (error.status === 403 && !rights.has("access")) lock();
    away = error.status === 0;
    if (away) showState("no answer", true);
  }
}

async function give(what, body) {
  if (await attempt(() => api.order(what, body))) show(`Done: ${what} ${body.name ?? body.address ?? ""}`.trim());
  refresh();
}

async function sanction(verb, whom) {
  const target = whom.name ?? whom.address;
  const reason = await ask({
    title: `${verb === "ban" ? "Ban" : "Mute"} ${target}?`, yes: verb === "ban" ? "Ban" : "Mute", reason: "optional",
    text: verb === "ban" ? "The hub closes the connections at once, and refuses new ones." : "Chat messages are refused.",
  });
  if (reason !== undefined) await give(verb, {...whom, ...(reason && {reason})});
}

async function endGame(game) {
  const reason = await ask({title: `End game ${game}?`, text: "It ends without a result. Players read the reason.",
                            yes: "End it", reason: "required"});
  if (!reason) return;
  if (await attempt(() => api.endGame(game, reason))) show(`Game ${game} is told to end.`);
  refresh();
}

async function drain() {
  const sure = await ask({title: "Drain the hub?", yes: "Drain",
                          text: "It takes no more players, lets games end or suspends them, and then the program ends."});
  if (sure !== undefined && await attempt(api.drain)) show("The hub drains.");
  refresh();
}

async function loadGuarded() {
  // The first request decides whether the others are sent.
  await games.load("games", {status: $("status").value});
  if (locked) return;
  if (!rights.has("access") || rights.has("token") !== api.hasToken()) {
    grant("access", ...(api.hasToken() ? ["token"] : []));
    show(api.hasToken() ? "" : "This hub has no token: every program that reaches this port may end games and drain it. " +
      "Sanctions and messages need --admin-token-file.");
  }
  await Promise.all([loadGame(), loadBots(), loadOrders(),
                     ...(rights.has("token") ? [players.load("players", {name: $("part").value}), loadSanctions()] : [])]);
}

let running = false, again = false, timer;

async function refresh() {
  clearTimeout(timer);
  if (running) return void (again = true);
  running = true;
  do {
    again = false;
    await attempt(async () => showStatus(await api.status()));
    if (!locked) await attempt(loadGuarded);
  } while (again);
  running = false;
  if (!document.hidden) timer = setTimeout(refresh, pause);
}

function listen() {
  $("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    api.useToken($("token").value.trim());
    $("token").value = "";
    locked = false;
    refresh();
  });
  $("forget").addEventListener("click", () => {
    api.forgetToken();
    lock();
    show("The token is forgotten.");
  });
  $("look-form").addEventListener("submit", (event) => {
    event.preventDefault();
    look(Number($("number").value));
  });
  $("status").addEventListener("change", () => {
    games.first();
    refresh();
  });
  $("players-form").addEventListener("submit", (event) => {
    event.preventDefault();
    players.first();
    refresh();
  });
  $("say-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = $("say").value.trim();
    await attempt(async () => {
      if (!text) return;
      const said = await api.list("say", {text});
      show(`Said: ${text}`);
      showUnreached(said);
      $("say").value = "";
    });
    refresh();
  });
  $("sanction-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [verb, member] = $("kind").value.split(" ");
    const reason = $("why").value.trim();
    await give(verb, {[member]: $("whom").value.trim(), ...(reason && {reason})});
    event.target.reset();
  });
  $("drain").addEventListener("click", drain);
  $("end").addEventListener("click", () => endGame(looking));
  $("close").addEventListener("click", stopLooking);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });
}

grant();
listen();
refresh();
