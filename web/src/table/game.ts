// The game at the table: who is asked, who looks, and what machine players do.
import type { Carried } from "../link";
import type { Beginning, Hint, TableState, View } from "../protocol";
import { Store } from "../store";
import { confirmed } from "../ui/dialog";
import { fail, failure, say, tell } from "../ui/live";
import { workspace } from "../workspace";
import { forgetGame, keepGame, rulesOf, type KeptGame } from "./kept-games";

/** What a link has brought to the table. */
export const carriedTable = new Store<Carried["table"] | null>(null);

const HUMAN = "human";
/** In place of a seat before the first person has sat down. */
const NOBODY = -2;

/** Milliseconds between two answers of machine players, by name. */
export const PACES: Record<string, number> = { "at once": 0, quick: 350, slow: 1200 };

/** Milliseconds after which a game is kept again while machine players answer. */
const KEEP = 500;

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

class TableGame {
  /** The game as it is shown; `null` before it begins. */
  readonly view = new Store<View | null>(null);
  /** The person to whom the screen is to be handed; `null` if nobody waits. */
  readonly veil = new Store<number | null>(null);
  /** Whether a machine player thinks. */
  readonly thinking = new Store(false);
  /** What the others have done since a person last answered. */
  readonly trace = new Store<string[]>([]);
  readonly pace = new Store("quick");
  readonly hint = new Store<Hint | null>(null);
  /** The thing or the answer that is pointed at. */
  readonly pointed = new Store<Pointed | null>(null);
  /** The seat whose eyes are used; -1 for whoever is asked. */
  readonly eyes = new Store(0);

  /** The number of answers after which the game is to go another way; `null` if it goes on at its end. */
  readonly branch = new Store<number | null>(null);

  beginning: Beginning | null = null;
  private people: number[] = [];
  private turn = 0;
  /** How many lines of the log have been told; `null` before the game is seen for the first time, when none of them is news. */
  private logged: number | null = null;
  private working = false;
  /** The name under which the game is kept. */
  private keptAs = "";
  /** Whether the game is another than is kept, and when it was kept last. */
  private unkept = false;
  private keptAt = 0;
  private readonly changed = new Map<number, Promise<string[]>>();

  /** Whether the game is only looked at, at an earlier answer. */
  isLooking(view: TableState): boolean {
    return view.answered < view.answers && this.branch.value !== view.answered;
  }

  /** Lets the game go on from the answer that is looked at; what came after it is given up with the next answer. */
  goOn = (): void => {
    const view = this.view.value;
    if (!view) return;
    this.branch.set(view.answered);
    this.act(async () => view);
  };

  /** Seats with whose eyes one may look. */
  looks(view: View): number[] {
    if (!view.over && this.people.length) return [this.eyes.value];
    return [-1, ...view.seats.map((_, seat) => seat)];
  }

  async begin(beginning: Beginning): Promise<void> {
    const state = await this.program().begin(beginning);
    await this.start(state, beginning, freshName());
  }

  async open(replay: string, at?: number): Promise<void> {
    let state = await this.program().open(replay);
    if (at !== undefined && at < state.answers) state = await this.program().seek(at);
    await this.start(state, null, freshName());
  }

  /** Goes on with a game that is kept; if the rules are others now, only when one says so, and what is kept stays beside it. */
  async resume(name: string, kept: KeptGame): Promise<void> {
    const program = this.program();
    const state = await program.open(kept.replay);
    const isOther = rulesOf(await program.save()) !== rulesOf(kept.replay);
    if (isOther && !(await confirmed("The rules or cards have been changed since this game was played. Go on by those of now? The game stays kept as it was, too.", "Go on"))) return;
    await this.start(state, kept.beginning, isOther ? freshName() : name);
  }

  private async start(state: TableState, beginning: Beginning | null, name: string): Promise<void> {
    this.turn++;
    this.beginning = beginning;
    this.keptAs = name;
    this.unkept = false;
    this.branch.set(null);
    this.people = state.seats.flatMap((seat, number) => (seat.player === HUMAN ? [number] : []));
    this.eyes.set(this.people.length > 1 ? NOBODY : (this.people[0] ?? -1));
    this.trace.set([]);
    this.veil.set(null);
    this.logged = null;
    await this.settle(state);
  }

  leave(): void {
    this.turn++;
    this.view.set(null);
    this.veil.set(null);
  }

  /** Gives an answer of the open question. */
  answer = (option: number): void => {
    this.act(async (program) => {
      this.trace.set([]);
      return this.touched(await program.answer(option));
    });
  };

  /** Takes the last answer of a person back, with what machine players did after it. */
  undo = (): void => {
    this.act(async (program) => {
      const state = await program.undo(false).catch(async (error: Error) => {
        // Who plays against machines alone has nobody to ask but himself.
        const isAlone = this.people.length === 1 && this.view.value?.back_to != null;
        if (isAlone && (await confirmed(`Take it back all the same? ${error.message}.`, "Take it back"))) return program.undo(true);
        if (isAlone) return program.view(this.eyes.value);
        throw error;
      });
      if (state.answers !== this.view.value?.answers) say("the last answer is taken back");
      this.trace.set([]);
      return this.touched(state);
    });
  };

  /** Shows the game as it was after so many answers. */
  seek = (count: number): void => {
    this.branch.set(null);
    this.act(async (program) => {
      const state = await program.seek(count);
      this.trace.set([]);
      this.logged = null;
      return state;
    });
  };

  /** Looks with other eyes. */
  look = async (seat: number): Promise<void> => {
    this.eyes.set(seat);
    await this.show().catch(failure);
  };

  /** The person to whom the screen was handed has come. */
  lift = (): void => {
    const seat = this.veil.value;
    if (seat === null) return;
    this.eyes.set(seat);
    this.act((program) => program.view(seat));
  };

  askHint = (): void => {
    void this.program()
      .hint()
      .then((hint) => {
        this.hint.set(hint);
        say(`${hint.words}. ${hint.why}`);
      }, failure);
  };

  save(): Promise<string> {
    return this.program().save();
  }

  /** What an answer would change. */
  changes(option: number): Promise<string[]> {
    const known = this.changed.get(option) ?? this.program().changes(option);
    this.changed.set(option, known);
    return known;
  }

  whyNot(key: string): Promise<string[]> {
    return this.program().whyNot(key);
  }

  private program() {
    const program = workspace.program.value;
    if (!program) throw new Error("the program has not begun");
    return program;
  }

  /** The game is another than is kept. */
  private touched(state: TableState): TableState {
    this.unkept = true;
    return state;
  }

  /** Keeps the game, so that it can be gone on with after the page was closed. What is over is not kept. */
  private async keep(view: View): Promise<void> {
    if (!this.unkept || view.answered < view.answers) return;
    if (!view.over && view.asked?.player !== HUMAN && Date.now() - this.keptAt < KEEP) return;
    this.unkept = false;
    this.keptAt = Date.now();
    if (view.over) await forgetGame(this.keptAs);
    else await keepGame(this.keptAs, view, await this.program().save(), this.beginning);
  }

  private act(what: (program: ReturnType<TableGame["program"]>) => Promise<TableState>): void {
    if (this.working) return;
    this.working = true;
    this.turn++;
    what(this.program())
      .then((state) => {
        this.working = false;
        return this.settle(state);
      })
      .catch(async (error: Error) => {
        this.working = false;
        failure(error);
        // What could not be done stops nobody else: machine players go on.
        if (this.view.value) await this.settle(await this.program().view(this.eyes.value)).catch(failure);
      });
  }

  /** Lets machine players answer until a person is asked, or the game is over. */
  private async settle(begun: TableState): Promise<void> {
    const turn = this.turn;
    for (let state = begun; ; ) {
      this.hint.set(null);
      this.changed.clear();
      const asked = state.asked;
      const isNow = !this.isLooking(state);
      const isVeiled = this.people.length > 1 && state.secrets && isNow && !state.over;
      const next = isNow && asked?.player === HUMAN ? asked.seat : this.eyes.value === NOBODY ? (this.people[0] ?? -1) : undefined;
      if (next !== undefined && next !== this.eyes.value) {
        if (isVeiled) {
          this.veil.set(next);
          say(`hand over to ${state.seats[next]?.name}`);
          return;
        }
        this.eyes.set(next);
      }
      const view = await this.show();
      await this.keep(view).catch((error: Error) => fail(`The game could not be kept: ${error.message}`));
      this.veil.set(null);
      if (this.turn !== turn || !isNow || state.over || !asked || asked.player === HUMAN) break;
      this.thinking.set(true);
      await wait(PACES[this.pace.value] ?? 0);
      if (this.turn !== turn) break;
      try {
        state = this.touched(await this.program().machine());
      } catch (error) {
        failure(error);
        break;
      }
      if (this.turn !== turn) break;
    }
    if (this.turn === turn) this.thinking.set(false);
  }

  private async show(): Promise<View> {
    const view = await this.program().view(this.eyes.value);
    const fresh = view.log.slice(this.logged ?? view.log.length);
    if (fresh.length) {
      say(fresh.join(". "));
      this.trace.set([...this.trace.value, ...fresh].slice(-30));
    }
    this.logged = view.log.length;
    if (this.pointed.value?.piece === undefined) this.pointed.set(null);
    this.view.set(view);
    if (view.over && view.answered === view.answers && !this.thinking.value) tell("the game is over");
    return view;
  }
}

/** A name for a game that begins to be kept. */
function freshName(): string {
  return `${Date.now()}-${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

/** What is pointed at: a card, a space, an answer, or one that is refused. */
export interface Pointed {
  piece?: number;
  space?: string;
  option?: number;
  refused?: string;
}

/** The one game at the table. */
export const game = new TableGame();
