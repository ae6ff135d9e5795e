# SPDX-License-Identifier: Apache-2.0
"""The rows of every table of a database but that of runs, which has the command line and the date: tables.py DATABASE"""
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name != 'run_row' ORDER BY name").fetchall():
    print(name, *db.execute(f"SELECT * FROM {name}"), sep="\n")
