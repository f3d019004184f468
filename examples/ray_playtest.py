"""Spreads a run of houserule over the workers of Ray, and puts the parts together.

    pip install ray
    python3 examples/ray_playtest.py --parts 8 --out runs -- playtest nations -n 100000 --agents greedy

What stands behind `--` is a command line of `houserule playtest` or `compare`. Each part is a task that runs it with `--shard I/N` and one thread;
what it saves comes back as bytes, so that no disk is shared. A part that was lost with its machine is played again. The report is that of the run
in one piece; further words for `houserule merge` go into --merge.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import ray


def play(program: str, line: list[str], part: int, parts: int) -> bytes:
    """Plays a part of the run, and gives back what it has saved."""
    with tempfile.TemporaryDirectory() as folder:
        saved = pathlib.Path(folder) / "part.run"
        command = [program, *line, "--shard", f"{part}/{parts}", "--threads", "1", "--save", str(saved)]
        done = subprocess.run(command, capture_output=True, text=True)
        # 1: games met a fault, which the report will say.
        if done.returncode not in (0, 1) or not saved.exists():
            raise RuntimeError(f"part {part} ended with {done.returncode}:\n{done.stderr}")
        return saved.read_bytes()


def main() -> int:
    own, line = sys.argv[1:], []
    if "--" in own:
        at = own.index("--")
        own, line = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", type=int, required=True, help="into how many parts the run goes; several for each worker")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the saved parts")
    parser.add_argument("--program", default="houserule", help="houserule, where the workers find it")
    parser.add_argument("--merge", default="", help="words for `houserule merge`, such as '--json all.json'")
    parser.add_argument("--cpus", type=int, help="start Ray here with so many workers, instead of joining a cluster")
    args = parser.parse_args(own)
    if not line:
        parser.error("what is to be played stands behind `--`")

    if args.cpus:
        ray.init(num_cpus=args.cpus, include_dashboard=False)
    else:
        ray.init(address="auto")
    task = ray.remote(num_cpus=1, max_retries=3)(play)
    waiting = {task.remote(args.program, line, part, args.parts): part for part in range(1, args.parts + 1)}
    args.out.mkdir(parents=True, exist_ok=True)
    files = []
    while waiting:
        (done,), _ = ray.wait(list(waiting), num_returns=1)
        part = waiting.pop(done)
        file = args.out / f"part-{part}.run"
        file.write_bytes(ray.get(done))
        files.append(str(file))
        print(f"part {part} of {args.parts} is there", file=sys.stderr)
    ray.shutdown()
    return subprocess.run([args.program, "merge", *files, *args.merge.split()]).returncode


if __name__ == "__main__":
    sys.exit(main())
