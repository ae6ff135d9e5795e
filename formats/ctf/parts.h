/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfParts: the directories of one trace. A session that is rotated, or of which snapshots are taken, leaves a directory
 * each time; their metadata have one UUID, and one host.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *paths; /* of char *, NULL-ended */
  char *root;       /* above all of them */
  char *host;       /* NULL: not known */
  char *uuid;       /* NULL: none, or nothing can be read */
} TtCtfParts;

/* The traces in @directories, in the order of their first; of TtCtfParts. */
GPtrArray *tt_ctf_parts_find (const GPtrArray *directories);
/* Whether pids need the host before them: a pid alone names a process only on one host. */
gboolean tt_ctf_parts_have_hosts (const GPtrArray *traces);
