// What the page's modules pass to each other, for the type checker of tests/page. Not a part of the page.

interface Clock { milliseconds_left: (number | null)[]; runs: string[]; periods?: number[]; }
interface Away { player: string; name?: string; milliseconds_left?: number; claim_milliseconds?: number; }
interface Offer {
  what?: string; player?: string; name?: string; answer?: string; cause?: string; update_id?: number;
  accepted?: {player: string, name: string}[];
}

// What an engine says of its looks; all of it is optional.
interface Face {
  blurb?: string;
  rules?: string[];
  board?: string;
  pieces?: string[];
  marks?: string[];
  line?: number;
  drops?: boolean;
  actions?: Record<string, string>;
  groups?: {title: string, actions: string[]}[];
  score_label?: string;
  icon?: string;
}

interface OptionSchema {
  type?: string; enum?: (string | number)[]; default?: any; minimum?: number; maximum?: number; maxLength?: number;
}

interface Engine {
  engine: string; title: string; players?: number; rows: number; columns: number; marks?: string;
  options: {properties?: {[name: string]: OptionSchema}};
  levels: string[]; face?: Face; takeback?: boolean;
}

interface Summary {
  game_id: string; engine: string; options?: {[name: string]: any}; status: string; players: string[]; kinds?: string[];
  winner?: string; code?: string; opened?: string; reserved_for?: string; last_update_id: number; seats?: number;
  clock_rule?: string;
}

// The answer of me/games.
interface OwnGame {
  game_id: string; engine: string; status: string; player?: string; opponents: {name: string}[]; turn?: string;
  winner?: string; your_turn: boolean; clock_rule?: string; milliseconds_left?: number; turn_until?: string;
}

interface ClockBounds {
  milliseconds_min: number; move_milliseconds_max: number; game_milliseconds_max: number; none: boolean;
}

interface GamePage { games: Summary[]; next: string | null; }

// The answer of games/{game_id}.
interface Standing extends Summary {
  player?: string; board: string; rows?: number; columns?: number; turn?: string; view?: any; actions?: string[];
  positions?: number[]; turn_milliseconds?: number; turn_milliseconds_left?: number; clock?: Clock; away?: Away[];
  score?: (number | null)[]; summary?: string; history?: Update[]; offers?: Offer[]; ranks?: number[]; forfeits?: string[];
}

interface Update {
  type: string; update_id: number; board?: string; turn?: string; winner?: string | null; player?: string;
  playerX?: string; playerO?: string; name?: string; old_name?: string; position?: number | null; action?: string;
  view?: any; actions?: string[]; positions?: number[]; clock?: Clock; milliseconds_left?: number; message?: string;
  reason?: string; code?: string; score?: (number | null)[]; summary?: string; timestamp?: string; players?: string[];
  what?: string; answer?: string; cause?: string; game_id?: string; taken_back?: number; claim_milliseconds?: number;
  ranks?: number[]; forfeits?: string[];
}

// One position of a game, with the move that led to it.
interface Position {
  board: string; view?: any; turn?: string; winner?: string | null; by?: string; cell?: number; action?: string;
  score?: (number | null)[]; summary?: string; number?: number;
}

interface Invitation {
  host?: string; engine: string; options?: {[name: string]: any}; side?: string; status: string; yours?: boolean;
  game_id?: string; rows?: number; columns?: number; clock_rule?: string;
}

interface Leader {
  rank: number; name: string; rating: number; deviation: number; wins: number; draws: number; losses: number;
  online: boolean;
}

// What an operator says to all; `until`: in milliseconds, as Date.now().
interface Notice { type: string; message: string; timestamp: string; until: number; }

// What the reader of a game says, and what it is told (feed.js).
interface Heard {
  asked?: string; update?: Update; heard?: number; live?: boolean; gone?: {code: number, message: string};
  done?: boolean; notice?: Notice;
}
interface Follow { id: number; follow?: string; secret?: string; own?: boolean; visible?: boolean; stop?: boolean; }

interface Window { navigation?: unknown; trustedTypes?: any; }
