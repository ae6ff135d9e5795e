/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What may stand in the place of the last word of a command line: the completion of all shells.
 */
#pragma once

#include "src/cli/command.h"

/* @words: those after the program, the last one is to be completed and may be empty. Appends a line for each word that
 * is possible, "WORD\tDESCRIPTION"; a line ":files" if it may be a file, too, and ":partial" if a word does not end with
 * what is offered. */
void tt_complete (char **words, const TtContext *context, GString *out);
