/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page of `tracetool COMMAND --help`, and the pages that list commands: no wider than 80 columns, or than the
 * terminal where that is narrower. Command lines are not broken.
 */
#pragma once

#include "src/cli/command.h"

/* Of @entries those that are not hidden. Free it. */
char *tt_help_page (const TtCommand *command, const GOptionEntry *entries);
/* Prints a page: all its lines are wrapped but for those that begin with two blanks and "tracetool". */
gboolean tt_help_print (const char *page, GError **error);
/* The same to standard error, for who typed too little. */
void tt_help_show_mistaken (const char *page);
