# SPDX-License-Identifier: Apache-2.0
"""Types a line into an interactive bash or zsh and presses Tab, as a user would.

    type-in-shell.py SHELL SCRIPT LINE     prints the line after one Tab, then what was listed by it or another

SCRIPT is the completion for the shell; the program is `tracetool` of PATH. Exit status 1 if the shell says nothing.
"""

import os
import pty
import re
import select
import shutil
import sys
import tempfile
import time

SHELL, SCRIPT, LINE = sys.argv[1:]
LIMIT_S = 60

SETUP = {
    "bash": [
        "bind 'set bell-style none' 'set page-completions off' 'set completion-query-items 0'",
        "bind 'set enable-bracketed-paste off'",
        "source %(script)s",
        "bind -x '\"\\C-t\": printf \"\\n<%%s>\\n\" \"$READLINE_LINE\"'",
    ],
    "zsh": [
        "fpath=(%(folder)s $fpath)",
        "autoload -Uz compinit && compinit -u -D",
        "unsetopt beep prompt_cr prompt_sp auto_menu; LISTMAX=1000",
        "show() { print -r -- ''; print -r -- \"<$BUFFER>\" }; zle -N show; bindkey '^T' show",
    ],
}
COMMAND = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


class Terminal:
    def __init__(self, command, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            environment = dict(os.environ, TERM="dumb", PS1="", HOME=folder, COLUMNS="200", LINES="200", HISTFILE="/dev/null")
            environment.pop("ZDOTDIR", None)
            os.execvpe(command[0], command, environment)
        self.text = ""

    def send(self, text):
        os.write(self.fd, text.encode())

    def wait(self, pattern):
        """Reads until @pattern is there, and forgets all up to its end."""
        end = time.monotonic() + LIMIT_S
        while True:
            found = re.search(pattern, self.text)
            if found:
                before = self.text[: found.start()]
                self.text = self.text[found.end() :]
                return before, found
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                sys.exit("type-in-shell.py: nothing like %r in %d s, but: %r" % (pattern, LIMIT_S, self.text))
            try:
                self.text += os.read(self.fd, 65536).decode(errors="replace").replace("\r", "")
            except OSError:
                sys.exit("type-in-shell.py: the shell ended: %r" % self.text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(SCRIPT, os.path.join(folder, "_tracetool"))
        terminal = Terminal(COMMAND[SHELL], folder)
        for line in SETUP[SHELL]:
            terminal.send(line % {"script": SCRIPT, "folder": folder} + "\n")
        terminal.send("echo re''ady\n")
        terminal.wait(r"\nready\n")
        terminal.send(LINE + "\t\x14")
        first, completed = terminal.wait(r"\n<(.*)>\n")
        print(completed[1])
        terminal.send("\t\t\x14")
        listed, _ = terminal.wait(r"\n<(.*)>\n")
        print(first + listed)
        terminal.send("\x15exit\n")
        os.close(terminal.fd)
        os.waitpid(terminal.pid, 0)


main()
