/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections to a database, and the statements prepared in them, are used again instead of made anew: parsing the
 * schema and the same queries takes longer than what most inputs ask for. For targets that name kept-connections.c
 * under "Links:", in which all files hold one schema, and change their change counter with any page.
 */
#pragma once

#include <glib.h>

/* Holds for what is opened from now on: as the program has it (FALSE, as it begins), or kept. */
void fuzz_kept_connections (gboolean are_kept);
