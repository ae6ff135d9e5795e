/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of a probe: a program in neutrino.language, or the TOML of one (.toml).
 */
#pragma once

#include <glib.h>

/* Its TOML for @target: "ptx", "gfx90a", "gfx942". NULL with @error; or without, when messages were printed and *@status is
 * the exit status. */
char *tt_probe_file_read (const char *path, const char *target, int *status, GError **error);
