/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a document goes that is not for a terminal: a trace, a graph.
 *
 * -o FILE names a file and -o - standard output, whatever that is. Without -o it is standard output, too, unless that is
 * a terminal: then the document becomes a new file beside what was read, trace.json, or trace-2.json where one stands.
 */
#pragma once

#include "src/base/output.h"
#include "src/store/store.h"

/* Whether @path, of -o or NULL, leaves the document to a file that tracetool names. */
gboolean tt_default_output_is_due (const char *path);
/* NULL and "-" are. */
gboolean tt_default_output_is_stdout (const char *path);

/* That file, new: @name, a number added where it stands. It lies beside the database; of a cache that is not with its
 * traces, beside @source; here where that may not be written. @store: NULL if there is none; @source: the first path on
 * the command line, or NULL. What it is called is known after the close, by tt_output_path(). */
TtOutput *tt_default_output_open (const TtStore *store, const char *source, const char *name, GError **error);
