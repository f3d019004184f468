// Modules of generated code that have been loaded, by number. `native/browser.rs` calls these functions.

const loaded = new Map();
let next = 1;

// The parts of the memory of a module that searches over boards read and write (`codegen::memory`).
const RESULT_AT = 40;
const END_OF_SETS = 384;
const END_OF_NUMBERS = 8192;
const HAS_NUMBERS = 2;
// More steps than any board has spaces.
const MOST_STEPS = 1_000_000n;

/**
 * Compiles a module, and makes an instance of it that has the memory of the program: its own part begins at `base`. Searches over boards go to
 * `onBoard`, which finds what it reads at `scratch`, and leaves there what it has found.
 */
export function load(bytes, memory, base, scratch, onBoard) {
  let view = new DataView(memory.buffer);
  let all = new Uint8Array(memory.buffer);
  const search = (asked, board, from, to, steps, given) => {
    if (all.buffer !== memory.buffer) {
      // The memory has grown.
      view = new DataView(memory.buffer);
      all = new Uint8Array(memory.buffer);
    }
    all.copyWithin(scratch, base, base + (given & HAS_NUMBERS ? END_OF_NUMBERS : END_OF_SETS));
    onBoard(asked, board, from, to, steps, given);
    // It may have grown meanwhile.
    if (all.buffer !== memory.buffer) {
      view = new DataView(memory.buffer);
      all = new Uint8Array(memory.buffer);
    }
    all.copyWithin(base, scratch, scratch + END_OF_SETS);
    return view.getBigInt64(base + RESULT_AT, true);
  };
  const inRange = (steps) => Number(steps > MOST_STEPS ? MOST_STEPS : steps < -1n ? -1n : steps);
  const board = {
    group: (board, from) => void search(0, board, from, 0, 0, 0),
    longest_line: (board) => search(1, board, 0, 0, 0, 0),
    largest_group: (board) => search(2, board, 0, 0, 0, 0),
    reach: (board, from, steps, given) => void search(3, board, from, 0, inRange(steps), given),
    distance: (board, from, to, given) => search(4, board, from, to, 0, given),
    areas: (board, given) => void search(5, board, 0, 0, 0, given),
    longest_trail: (board, given) => search(6, board, 0, 0, 0, given),
    // What is due and what pays lies where numbers of spaces do.
    lacking: (counts, end) => search(7, 0, counts, end, 0, HAS_NUMBERS),
    // Code for browsers never asks where parts of cards lie.
    open_ends: () => 0n,
    fits: () => 0n,
    beside: () => {},
  };
  // The bytes lie in the memory of the program, which grows: a copy stays.
  const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes.slice()), { host: { memory }, board });
  const number = next++;
  loaded.set(number, instance.exports.run_into);
  return number;
}

/** Calls a function by its index, which leaves what it gives in memory; false if it traps. */
export function run(number, slot, seat, callee) {
  try {
    loaded.get(number)(slot, seat, callee);
    return true;
  } catch (wrong) {
    if (wrong instanceof WebAssembly.RuntimeError || wrong instanceof RangeError) return false;
    throw wrong;
  }
}

/** Forgets a module. */
export function unload(number) {
  loaded.delete(number);
}
