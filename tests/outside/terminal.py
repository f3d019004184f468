"""A program in a terminal of its own, by pexpect, and what that terminal shows, by pyte."""

import copy
import errno
import os
import select
import time

import pexpect
import pyte

# Nothing takes longer than this, however slow the machine is.
PATIENCE = 120

# Mode of a terminal by which a program has a screen of its own, and gives back what was there before.
ALTERNATE = 1049


class Screen(pyte.Screen):
    """What a terminal shows. To what pyte knows it adds the second screen of a terminal, and which lines flow into the next one."""

    before = None
    drawing = False

    @property
    def alternate(self):
        return self.before is not None

    def set_mode(self, *modes, **more):
        super().set_mode(*modes, **more)
        if more.get("private") and ALTERNATE in modes and not self.alternate:
            self.before = (copy.deepcopy(self.buffer), copy.copy(self.cursor))
            self.buffer.clear()

    def reset_mode(self, *modes, **more):
        super().reset_mode(*modes, **more)
        if more.get("private") and ALTERNATE in modes and self.alternate:
            (self.buffer, self.cursor), self.before = self.before, None

    def draw(self, data):
        self.drawing = True
        super().draw(data)
        self.drawing = False

    def linefeed(self):
        # A line feed while something is drawn is none of the program's: the line is full.
        if self.drawing:
            self.buffer[self.cursor.y].flows = True
        super().linefeed()

    def row(self, number):
        """A line, with blanks up to its end. A letter that is two columns wide stands once."""
        line = self.buffer[number]
        return "".join([line[column].data for column in range(self.columns)])

    def text(self):
        """All lines without blanks at their ends; one that flows into the next is one line with it."""
        text = ""
        for number in range(self.lines):
            row = self.row(number)
            text += row if getattr(self.buffer[number], "flows", False) else row.rstrip() + "\n"
        return text.rstrip("\n")

    def before_cursor(self):
        """The line of the cursor, up to it."""
        return self.row(self.cursor.y)[: self.cursor.x]

    def is_coloured(self):
        """Whether any letter has a colour."""
        return any(char.fg != "default" for line in self.buffer.values() for char in line.values())


class Terminal:
    """A program, the keys that are typed, and what is seen."""

    def __init__(self, command, size, folder, environment):
        self.size = columns, lines = size
        self.screen = Screen(columns, lines)
        self.stream = pyte.ByteStream(self.screen)
        program, *args = map(str, command)
        # A name without a value is taken out.
        environment = {name: str(value) for name, value in {**os.environ, **environment}.items() if value is not None}
        self.child = pexpect.spawn(program, args, cwd=str(folder), env=environment, dimensions=(lines, columns))
        # Keys are typed at once.
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = 0
        self.at_end = False

    def read(self, seconds):
        """Reads what comes within so long, and says whether anything did."""
        # pexpect itself takes a program that has ended for one that has nothing more to say.
        if not self.at_end and select.select([self.child.child_fd], [], [], seconds)[0]:
            try:
                came = os.read(self.child.child_fd, 1 << 16)
            except OSError as fault:
                if fault.errno != errno.EIO:
                    raise
                came = b""
            self.at_end = not came
            self.stream.feed(came)
            return bool(came)
        return False

    def settle(self):
        """Reads until nothing has come for a moment."""
        while self.read(0.025):
            pass

    def text(self):
        """What is shown, as a text."""
        return self.screen.text()

    def press(self, keys):
        """Types keys."""
        self.child.send(keys)

    def wait(self, what, so):
        """Waits until something is so of the text that is shown; `what` says it in words."""
        begun = time.monotonic()
        while not so(self.text()):
            waits = not self.at_end and time.monotonic() < begun + PATIENCE
            assert waits, f"{what} does not come{', and the program has ended' if self.at_end else ''}:\n{self.text()}"
            self.read(0.1)

    def ended(self):
        """Waits until the program has ended, and gives its status."""
        begun = time.monotonic()
        while not self.at_end or self.child.isalive():
            assert time.monotonic() < begun + PATIENCE, f"the program does not end:\n{self.text()}"
            if self.at_end:
                time.sleep(0.005)
            else:
                self.read(0.1)
        assert self.child.signalstatus is None, f"signal {self.child.signalstatus} has ended the program:\n{self.text()}"
        return self.child.exitstatus

    def kill(self):
        """Ends the program, unless it has ended by itself."""
        self.child.close(force=True)
