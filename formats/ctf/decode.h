/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that runs libbabeltrace2 for an import (see frames.h): this program again, called as
 * `tracetool ctf-decode DIRECTORY` or `tracetool ctf-facts DIRECTORY` by reader.c only.
 */
#pragma once

#include <glib.h>

#define TT_CTF_DECODE "ctf-decode"
#define TT_CTF_FACTS "ctf-facts"

/* Writes the frames of the trace in the directory @path to @fd. Returns the exit status. */
int tt_ctf_decode (const char *path, gboolean only_facts, int fd);
