// What the page and the program say to each other. The program answers with JSON; these are the shapes of it.

/** A file that the program knows: of the games inside of it, or one's own. */
export interface FileEntry {
  path: string;
  built_in: boolean;
  /** Whether one's own file stands in the place of a built-in one. */
  changed: boolean;
}

/** What a command has answered. */
export interface RunResult {
  status: number;
  out: string;
  err: string;
  /** Text files that it wrote, by path. */
  written: Record<string, string>;
  /** Other files that it wrote, in base64. */
  binary: Record<string, string>;
}

/** How far a command is. */
export interface Progress {
  event: "progress";
  done: number;
  of: number;
  what: string;
}

/** A choice that is made before a game begins. */
export interface GameOption {
  name: string;
  values: string[];
  /** What holds if nothing is chosen. */
  default: string[];
  /** Whether several values may be taken. */
  many: boolean;
  /** Whether each player may have another. */
  of_seat: boolean;
}

/** A game that can be played. */
export interface GameEntry {
  name: string;
  title: string;
  /** Least and most players. */
  players: [number, number];
  options: GameOption[];
  /** Packs for this game, by their folders. */
  packs: string[];
  variants: { name: string; words: string }[];
  /** Kinds of its cards. */
  kinds: string[];
}

/** How a game at the table begins. */
export interface Beginning {
  game: string;
  players: number;
  /** Who sits where: `human`, or a machine player such as `greedy`. */
  seats: string[];
  seed: number;
  options: string[];
  packs: string[];
  with: string[];
}

/** An answer that can be given. */
export interface TableOption {
  key: string;
  words: string;
  note?: string | null;
  pieces?: number[];
  spaces?: string[];
}

/** An answer that cannot be given, and why. */
export interface RefusedOption {
  key: string;
  words: string;
  reasons: string[];
  pieces?: number[];
}

/** What a machine player would answer. */
export interface Hint {
  option: number;
  words: string;
  /** How much better it is than the next; empty if that player does not say. */
  why: string;
}

/** The open question. */
export interface Asked {
  seat: number;
  player: string;
  question: string;
  options: TableOption[];
  /** The option that was chosen, while the game is looked at as it was earlier. */
  chosen: number | null;
  refused?: RefusedOption[];
}

/** A card that lies somewhere. */
export interface TableCard {
  piece: number;
  card: string;
  name: string;
  kind: string;
  notes?: string[];
  /** Its figures, if it has any, as one line; then what it says. */
  text?: string[];
  slot?: number | null;
}

/** A place with its cards, or a board. */
export interface TablePlace {
  name: string;
  title: string;
  shape: "grid" | "slots" | "deck" | "board" | "pool";
  columns?: number | null;
  rings?: number | null;
  /** Which of the spaces of a grid there are. */
  spaces?: boolean[];
  /** How many cards lie there that this seat does not know. */
  hidden?: number;
  facts?: string[];
  cards?: TableCard[];
  svg?: string | null;
}

/** What is common, or what a seat has. */
export interface TableSection {
  title: string;
  seat: number | null;
  facts: string[];
  places: TablePlace[];
}

/** A player's name, who plays, and how it stands. */
export interface SeatEntry {
  name: string;
  player: string;
  points: number | null;
  place?: number | null;
}

/** What a player has in the end, row by row. */
export interface FinalEntry {
  seat: string;
  place: number;
  points: number | null;
  rows: [string, number | string | null][];
}

/** How far a game is, and who is to do something. */
export interface TableState {
  over: boolean;
  /** How many answers lie behind what is shown, and how many the game has. */
  answered: number;
  answers: number;
  /** How many answers lie ahead of the last one of a person; `null` if no person has answered. */
  back_to: number | null;
  seats: { name: string; player: string }[];
  /** Whether anything is hidden between seats. */
  secrets: boolean;
  asked: { seat: number; player: string } | null;
}

/** A game as a seat sees it. */
export interface View extends TableState {
  game: string;
  title: string;
  seed: number;
  round: number;
  seats: SeatEntry[];
  asked: Asked | null;
  viewer: number;
  areas: TableSection[];
  log: string[];
  final: FinalEntry[] | null;
}
