/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where CTF traces lie below a directory, and which files are theirs.
 */
#pragma once

#include "formats/format.h"

/* Directories with a trace at @path or below, in order; links to directories are not followed. */
GPtrArray *tt_ctf_layout_traces (const char *path);

/* All traces of @input, each once; NULL with @error: not all are found again. */
GPtrArray *tt_ctf_layout_find (const TtInputSet *input, GError **error);

/* Whether all that is a trace at @path or below is CTF: then it is one input. */
gboolean tt_ctf_layout_claims (const char *path, TtIsTraceFunc is_trace);
