// The game at the table: who is asked, who looks, and what machine players do.
import type { Carried } from "../link";
import type { Beginning, TableState, View } from "../protocol";
import { Store } from "../store";
import { failure, say, tell } from "../ui/live";
import { workspace } from "../workspace";

/** What a link has brought to the table. */
export const carriedTable = new Store<Carried["table"] | null>(null);

const HUMAN = "human";
/** In place of a seat before the first person has sat down. */
const NOBODY = -2;

/** Milliseconds between two answers of machine players, by name. */
export const PACES: Record<string, number> = { "at once": 0, quick: 350, slow: 1200 };

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
  readonly hint = new Store<{ option: number; words: string } | null>(null);
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
    this.beginning = beginning;
    await this.start(state);
  }

  async open(replay: string, at?: number): Promise<void> {
    let state = await this.program().open(replay);
    if (at !== undefined && at < state.answers) state = await this.program().seek(at);
    this.beginning = null;
    await this.start(state);
  }

  private async start(state: TableState): Promise<void> {
    this.turn++;
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
      return program.answer(option);
    });
  };

  /** Takes the last answer of a person back, with what machine players did after it. */
  undo = (): void => {
    this.act(async (program) => {
      const state = await program.undo();
      this.trace.set([]);
      say("the last answer is taken back");
      return state;
    });
  };

  /** Shows the game as it was after so many answers. */
  seek = (count: number): void => {
    this.branch.set(null);
    this.act((program) => program.seek(count));
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
        say(hint.words);
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

  private act(what: (program: ReturnType<TableGame["program"]>) => Promise<TableState>): void {
    if (this.working) return;
    this.working = true;
    this.turn++;
    what(this.program())
      .then((state) => {
        this.working = false;
        return this.settle(state);
      })
      .catch((error: Error) => {
        this.working = false;
        failure(error);
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
      await this.show();
      this.veil.set(null);
      if (this.turn !== turn || !isNow || state.over || !asked || asked.player === HUMAN) break;
      this.thinking.set(true);
      await wait(PACES[this.pace.value] ?? 0);
      if (this.turn !== turn) break;
      try {
        state = await this.program().machine();
      } catch (error) {
        failure(error);
        break;
      }
      if (this.turn !== turn) break;
    }
    if (this.turn === turn) this.thinking.set(false);
  }

  private async show(): Promise<void> {
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
  }
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
