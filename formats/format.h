/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtFormat: one input format: how to know it, which files belong together, how to read them.
 *
 * A format is one `const` descriptor at the end of its file, listed in formats.h. It knows src/base, src/trace, this
 * header and the folders of formats/ below its own; it knows nothing of databases or output, nor of other formats.
 */
#pragma once

#include "formats/input-set.h"
#include "src/trace/nest/nest.h"
#include "src/trace/step-finder.h"

#define TT_PROBE_BYTES 4096
#define TT_PROBE_CERTAIN 100u

/* What a file looks like. */
typedef struct
{
  const char *path;
  const guint8 *head; /* first bytes of the contents, after decompression */
  gsize len;
  guint64 size; /* of the contents; 0 = unknown */
} TtProbe;

typedef struct
{
  gboolean strict; /* repairs are errors */
  gint64 rank;     /* -1; else the rank of input that does not say its own */
  guint n_alike;   /* inputs of the same format that are imported together, this one included; 0: just this */
  const char *pid; /* NULL; else the pid of input that does not say its own */
  char **args;     /* NULL: keep arguments whole; else only these keys, of which there may be none; NULL-ended */
  TtStepRule step_rule;
  /* NULL; else spans of the host whose raw name it takes are the steps, whatever else the source says of steps. */
  gboolean (*is_step) (const char *raw_name, gpointer data);
  gpointer is_step_data;
  gboolean no_align;                  /* leave the clocks of different hosts as they are */
  gboolean salvage;                   /* keep what is whole of a damaged file, with a note, instead of an error */
  const char *pi_generation, *pi_ids; /* NULL: found by content; else words of formats/pi/options.h */
  /* NULL; else an input among others that cannot be read may be left out, if nothing of it has been written: takes @fault
   * and tells it. FALSE: it may not, and @fault stays. */
  gboolean (*leave_out) (const char *path, GError **fault, gpointer data);
  gpointer leave_out_data;
  /* NULL; else an importer may believe of the first file that its records are in order, as far as it has seen. Where they
   * are not it sets this and fails, whatever its error says, and the whole import is begun anew, without. */
  gboolean *found_disorder;
  const char *binaries;     /* NULL; else below which directory files have the paths that a trace of LTTng tells */
  const char *probe_layout; /* NULL; else a file that describes the records of a Neutrino probe */
} TtImportOptions;

typedef gboolean (*TtIsTraceFunc) (const char *path);

typedef struct
{
  const char *name;    /* --format takes this; also `source=` of the name rules */
  const char *summary; /* one line for `import --help` */

  /* 0: not mine ... 100: certain. Looks at bytes first, at the name only as a last resort (<= 20). */
  guint (*probe) (const TtProbe *probe);

  /* Groups @paths (files of this format, in command order; @from_directory: found by a walk) into @inputs (GPtrArray of
   * TtInputSet). Adds to @notes which files it leaves aside on purpose. A format with `claims` is also given a
   * directory, alone, and makes an input set with `root` of it. */
  gboolean (*group) (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error);

  gboolean (*import) (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error);

  /* Whether everything under the directory @path is one input of this format (a job with its hosts and ranks); it is
   * then not walked: `group` makes a set with `root` of it. Asked of each directory of a walk, too. NULL: never.
   * @is_trace: whether some format knows the file at a path. */
  gboolean (*claims) (const char *path, TtIsTraceFunc is_trace);

  /* Directories that are named apart are one input, too (one of each host): `joined` of the first one's set. */
  gboolean joins;

  gboolean takes_step_names; /* TtImportOptions.is_step; others refuse it */

  /* Its traces have calls of the host only: no span says what a device did meanwhile. */
  gboolean is_host_only;

  /* For inputs of several files that become one source: its bytes and hash, by which a run knows it again. @hash NULL:
   * only the bytes are wanted. NULL: each path is a source. */
  gboolean (*fingerprint) (const TtInputSet *input, guint64 *bytes, char **hash, GError **error);
} TtFormat;
