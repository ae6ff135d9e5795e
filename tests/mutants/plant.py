#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants mutants into a copy of the sources.

    plant.py [--seed N] [--mutants N] TREE LIST FOLDER... -- COMPILER-FLAG...

TREE is a configured copy, which is changed; FOLDERs of it are sampled. LIST gets a line a mutant: number, file, line,
kind, function, the text and what it becomes. A file is drawn in proportion to its lines, then a kind, then a place.
All mutants are in one build (mutant schemata) and TT_MUTANT chooses one; see mutant.h. Needs clang.cindex.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict

try:
    from clang.cindex import CursorKind as K, Index, TranslationUnit, TypeKind
except ImportError:
    sys.exit("mutants: no clang.cindex; install python3-clang-14 and libclang-common-14-dev, and set PYTHON to a "
             "python3 that sees them (/usr/bin/python3)")

BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "<<": ">>", ">>": "<<",
             "&&": "||", "||": "&&"}
UPDATES = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=", "*=": "/=", "/=": "*=", "<<=": ">>=", ">>=": "<<="}
STEPS = {"++": "--", "--": "++"}
# What only gives memory back: the sanitizers and valgrind judge it, no output shows it.
FREEING = re.compile(r"(^|_)(free|unref|destroy|finalize|free_full)$")


class Mutant:
    """A place in a file and what is put there; `#` in the new text is the mutant's number."""

    def __init__(self, path, start, end, kind, old, new, text, line, function):
        self.path, self.start, self.end, self.kind = path, start, end, kind
        self.old, self.new, self.text, self.line, self.function = old, new, text, line, function


class Source:
    """The mutants that one file has room for."""

    def __init__(self, tree, path, flags, index):
        self.path = path
        with open(os.path.join(tree, path), "rb") as file:
            self.bytes = file.read()
        unit = index.parse(os.path.join(tree, path), args=flags,
                           options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        errors = [d for d in unit.diagnostics if d.severity >= 3]
        if errors:
            raise SystemExit("mutants: %s: %s" % (path, errors[0].spelling))
        self.found = []
        self.macros = {}
        for node in unit.cursor.get_children():
            if node.kind == K.MACRO_INSTANTIATION and self.is_here(node):
                self.macros[node.extent.start.offset] = node.extent.end.offset
        for node in unit.cursor.get_children():
            if node.kind == K.FUNCTION_DECL and node.is_definition() and self.is_here(node):
                self.function = node
                for child in node.get_children():
                    if child.kind == K.COMPOUND_STMT:
                        self.walk(child, None)

    def is_here(self, node):
        file = node.extent.start.file
        return file is not None and file.name.endswith(self.path)

    def text(self, start, end):
        return self.bytes[start:end].decode("utf-8", "replace")

    def source(self, node):
        return self.text(node.extent.start.offset, node.extent.end.offset)

    def add(self, kind, node, new, shown):
        start, end = node.extent.start.offset, node.extent.end.offset
        if start >= end or any(a < start < b or a < end < b for a, b in self.macros.items()):
            return
        self.found.append(Mutant(self.path, start, end, kind, self.text(start, end), shown, new,
                                 node.extent.start.line, self.function.spelling))

    def is_call_of_macro(self, node):
        end = self.macros.get(node.extent.start.offset)
        return end == node.extent.end.offset and "(" in self.source(node)

    def walk(self, node, parent):
        if self.is_call_of_macro(node):
            return
        children = list(node.get_children())
        method = {
            K.IF_STMT: self.on_condition, K.WHILE_STMT: self.on_condition, K.DO_STMT: self.on_condition,
            K.FOR_STMT: self.on_condition, K.CONDITIONAL_OPERATOR: self.on_condition,
            K.BINARY_OPERATOR: self.on_binary, K.COMPOUND_ASSIGNMENT_OPERATOR: self.on_update,
            K.UNARY_OPERATOR: self.on_unary, K.INTEGER_LITERAL: self.on_constant, K.RETURN_STMT: self.on_return,
        }.get(node.kind)
        if method is not None:
            method(node, parent, children)
        self.on_statement(node, parent)
        for child in children:
            if node.kind == K.CASE_STMT and child.kind == K.INTEGER_LITERAL:
                continue
            if node.kind == K.VAR_DECL and node.type.kind == TypeKind.CONSTANTARRAY and child.kind == K.INTEGER_LITERAL:
                continue
            self.walk(child, node)

    def negate(self, node):
        text = self.source(node)
        self.add("condition", node, "(tt_mutant (#) ? !(%s) : !!(%s))" % (text, text), "!(%s)" % text)

    def on_condition(self, node, _parent, children):
        if node.kind == K.FOR_STMT:
            tests = [c for c in children[:-1] if c.kind == K.BINARY_OPERATOR
                     and self.operator(c) in {**BOUNDARIES, "!=": 0, "==": 0, "&&": 0, "||": 0}]
        else:
            tests = [children[-1] if node.kind == K.DO_STMT else children[0]]
        for test in tests[:1]:
            if test.extent.end.offset < node.extent.end.offset or node.kind == K.DO_STMT:
                self.negate(test)

    def operator(self, node):
        left, right = list(node.get_children())
        return self.text(left.extent.end.offset, right.extent.start.offset).strip()

    def on_binary(self, node, _parent, children):
        if len(children) != 2:
            return
        left, right = (self.source(c) for c in children)
        sign = self.operator(node)
        if sign in BOUNDARIES or sign in OPERATORS:
            other = BOUNDARIES.get(sign) or OPERATORS[sign]
            self.add("boundary" if sign in BOUNDARIES else "operator", node,
                     "(tt_mutant (#) ? (%s) %s (%s) : (%s) %s (%s))" % (left, other, right, left, sign, right),
                     "%s %s %s" % (left, other, right))
        if sign in ("&&", "||"):
            for child in children:
                if child.kind != K.BINARY_OPERATOR or self.operator(child) not in ("&&", "||"):
                    self.negate(child)

    def on_update(self, node, _parent, children):
        sign = self.operator(node)
        if sign in UPDATES:
            left, right = (self.source(c) for c in children)
            self.add("operator", node, "(tt_mutant (#) ? (%s %s (%s)) : (%s %s (%s)))"
                     % (left, UPDATES[sign], right, left, sign, right), "%s %s %s" % (left, UPDATES[sign], right))

    def on_unary(self, node, _parent, children):
        operand, text = self.source(children[0]), self.source(node)
        for sign, other in STEPS.items():
            if text.startswith(sign):
                self.add("operator", node, "(tt_mutant (#) ? %s%s : %s)" % (other, operand, text), other + operand)
            elif text.endswith(sign):
                self.add("operator", node, "(tt_mutant (#) ? %s%s : %s)" % (operand, other, text), operand + other)

    def on_constant(self, node, _parent, _children):
        text = self.source(node)
        if re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*", text):
            for sign in "+-":
                self.add("constant", node, "(%s %s tt_mutant (#))" % (text, sign), "%s %s 1" % (text, sign))

    def on_return(self, node, _parent, children):
        result = self.function.result_type
        kind = result.get_canonical().kind
        if not children or self.source(node) == "return":
            return
        # Not the child: what is returned may be a macro, whose parts have no place of their own.
        text = self.source(node)[len("return"):].strip()
        if kind == TypeKind.POINTER:
            if text == "NULL":
                return
            other = "0"
        elif result.spelling in ("gboolean", "bool", "_Bool"):
            other = {"TRUE": "FALSE", "FALSE": "TRUE"}.get(text, "!(%s)" % text)
        elif kind in (TypeKind.RECORD, TypeKind.VOID):
            return
        else:
            other = "(%s) + 1" % text
        self.add("return", node, "return tt_mutant (#) ? %s : (%s)" % (other, text), "return " + other)

    def on_statement(self, node, parent):
        """A statement of its own, which can be left out."""
        if parent is None or parent.kind not in (K.COMPOUND_STMT, K.IF_STMT, K.FOR_STMT, K.WHILE_STMT, K.CASE_STMT,
                                                 K.DEFAULT_STMT):
            return
        after = self.bytes[node.extent.end.offset:node.extent.end.offset + 40].lstrip()
        if not after.startswith(b";"):
            return
        if parent.kind == K.FOR_STMT and list(parent.get_children())[-1] != node:
            return
        if node.kind == K.CALL_EXPR:
            if FREEING.search(node.spelling or ""):
                return
        elif node.kind == K.BINARY_OPERATOR:
            if self.operator(node) != "=":
                return
        elif node.kind == K.UNARY_OPERATOR:
            if not re.search(r"^(\+\+|--)|(\+\+|--)$", self.source(node)):
                return
        elif node.kind == K.RETURN_STMT:
            if self.source(node) != "return":
                return
        elif node.kind not in (K.COMPOUND_ASSIGNMENT_OPERATOR, K.BREAK_STMT, K.CONTINUE_STMT):
            return
        # With an else, so that an else after it stays with the if before it.
        self.add("statement", node, "if (tt_mutant (#)) { } else %s" % self.source(node), "")


def rewrite(data, mutants, n_mutants):
    """The source with its mutants, its lines where they were. MUTANTS are pairs of number and mutant."""
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutant.h")
    out, at = [], 0
    for number, mutant in sorted(mutants, key=lambda pair: pair[1].start):
        new = mutant.text.replace("#", str(number), 1)
        out += [data[at:mutant.start], new.encode()]
        at = mutant.end
    out.append(data[at:])
    first = '#define TT_N_MUTANTS %d\n#include "%s"\n#line 1\n' % (n_mutants, header)
    return first.encode() + b"".join(out)


def compiles(tree, path, data, flags):
    with tempfile.NamedTemporaryFile(suffix=".c", dir=os.path.join(tree, os.path.dirname(path))) as file:
        file.write(data)
        file.flush()
        return subprocess.run(["gcc", "-fsyntax-only", "-w", "-Wint-conversion", "-Werror=int-conversion", *flags,
                               file.name], stderr=subprocess.DEVNULL, check=False).returncode == 0


def draw(tree, folders, flags, n_mutants, seed):
    chance = random.Random(seed)
    paths = sorted(os.path.relpath(os.path.join(folder, name), tree) for top in folders
                   for folder, _, names in os.walk(os.path.join(tree, top)) for name in names if name.endswith(".c"))
    lengths = []
    for path in paths:
        with open(os.path.join(tree, path), "rb") as file:
            lengths.append(file.read().count(b"\n"))
    index, sources, drawn = Index.create(), {}, []
    while len(drawn) < n_mutants:
        path = chance.choices(paths, lengths)[0]
        if path not in sources:
            sources[path] = Source(tree, path, flags, index)
        source = sources[path]
        if not source.found:
            continue
        kind = chance.choice(sorted({mutant.kind for mutant in source.found}))
        mutant = chance.choice([mutant for mutant in source.found if mutant.kind == kind])
        if any(m.path == path and m.start < mutant.end and mutant.start < m.end for m in drawn):
            continue
        if not compiles(tree, path, rewrite(source.bytes, [(1, mutant)], 1), flags):
            continue
        drawn.append(mutant)
        if len(drawn) % 20 == 0:
            print("mutants: %d of %d drawn" % (len(drawn), n_mutants), file=sys.stderr)
    return drawn, sources


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("tree")
    parser.add_argument("list")
    parser.add_argument("folders", nargs="+")
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:cut])
    flags = sys.argv[cut + 1:]
    drawn, sources = draw(options.tree, options.folders, flags, options.mutants, options.seed)
    planted = defaultdict(list)
    for number, mutant in enumerate(drawn, 1):
        planted[mutant.path].append((number, mutant))
    for path, mutants in planted.items():
        with open(os.path.join(options.tree, path), "wb") as file:
            file.write(rewrite(sources[path].bytes, mutants, len(drawn)))
    with open(options.list, "w", encoding="utf-8") as file:
        for number, mutant in enumerate(drawn, 1):
            texts = (" ".join(text.split()) for text in (mutant.old, mutant.new))
            file.write("\t".join([str(number), mutant.path, str(mutant.line), mutant.kind, mutant.function, *texts]) + "\n")


if __name__ == "__main__":
    main()
