/*
 * TtFormat: one input format: how to know it, which files belong together, how to read them.
 *
 * To add a format: write its folder, declare its descriptor below, list it in format.c and in
 * Makefile.am. Importers include only this header, src/trace/sink.h, src/trace/nest/nest.h, src/base/input.h and the
 * vocabulary: they know nothing of databases or output.
 */
#pragma once

#include "src/trace/nest/nest.h"

#define TT_PROBE_BYTES 4096

/* What a file looks like. */
typedef struct
{
  const char *path;
  const guint8 *head; /* first bytes of the contents, after decompression */
  gsize len;
  guint64 size; /* of the contents; 0 = unknown */
} TtProbe;

/* Files that are one input; paths[0] names it in messages. */
typedef struct
{
  GPtrArray *paths;  /* of char *, owned */
  char *root;        /* the directory that was claimed whole, or NULL */
  GPtrArray *joined; /* of char *, owned: further such directories that are read with it (TtFormat.joins) */
} TtInputSet;

TtInputSet *tt_input_set_new (void);
void tt_input_set_free (TtInputSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtInputSet, tt_input_set_free)

/* How steps are told where the source does not (framework-jobs.md 4.3). */
typedef enum
{
  TT_STEP_RULE_SEED,   /* a new step where I/O or FW follows anything else */
  TT_STEP_RULE_STRICT, /* only where it follows UPDATE */
  TT_STEP_RULE_NONE,   /* only steps that the source gives */
} TtStepRule;

typedef struct
{
  gboolean strict; /* repairs are errors */
  gint64 rank;     /* -1; else the rank of input that does not say its own */
  const char *pid; /* NULL; else the pid of input that does not say its own */
  char **args;     /* NULL: keep arguments whole; else only these keys, of which there may be none; NULL-ended */
  TtStepRule step_rule;
  gboolean no_align;                  /* leave the clocks of different hosts as they are */
  gboolean salvage;                   /* what is whole of a damaged file is kept, with a word, instead of an error */
  const char *pi_generation, *pi_ids; /* NULL: told by content; else words of formats/pi/options.h */
  const char *probe_layout;           /* NULL; else a file that tells the records of a Neutrino probe */
} TtImportOptions;

typedef struct
{
  const char *name;    /* --format takes this; also `source=` of the name rules */
  const char *summary; /* one line for `import --help` */

  /* 0: not mine ... 100: certain. Looks at bytes first, at the name only as a last resort (<= 20). */
  guint (*probe) (const TtProbe *probe);

  /* Groups @paths (files of this format, in command order; @from_directory: found by a walk) into
   * inputs (GPtrArray of TtInputSet). What is left aside deliberately is said with @notes. A format with `claims` is also
   * given a directory, alone, and makes an input set with `root` of it. */
  gboolean (*group) (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error);

  gboolean (*import) (const TtInputSet *input, const TtImportOptions *options, TtSink *sink, GError **error);

  /* Whether everything under the directory @path is one input of this format (a job with its hosts and ranks); it is then
   * not walked: `group` makes a set with `root` of it. Asked of each directory of a walk, too. NULL: never. */
  gboolean (*claims) (const char *path);

  /* Directories that are named apart are one input, too (one of each host): `joined` of the first one's set. */
  gboolean joins;

  /* For inputs of several files that become one source: its bytes and hash, by which a run knows it again. @hash NULL: only
   * the bytes are asked. NULL: each path is a source. */
  gboolean (*fingerprint) (const TtInputSet *input, guint64 *bytes, char **hash, GError **error);
} TtFormat;

extern const TtFormat tt_format_tau, tt_format_job, tt_format_ctf;
extern const TtFormat tt_format_chrome, tt_format_plain, tt_format_standard;
extern const TtFormat tt_format_kineto, tt_format_pi, tt_format_neutrino;
extern const TtFormat tt_format_tensorflow, tt_format_mxnet, tt_format_horovod, tt_format_nccl, tt_format_byteps;

/* NULL-ended, in order of preference. */
extern const TtFormat *const tt_formats[];

const TtFormat *tt_format_by_name (const char *name, GError **error);
/* The best match; NULL with @error naming what it is not. */
const TtFormat *tt_format_recognise (const char *path, GError **error);

/* One thing to import. */
typedef struct
{
  const TtFormat *format;
  TtInputSet *set;
} TtPlannedInput;

/* Turns command-line paths (files, directories, "-") into inputs. Refuses FIFOs, sockets, devices.
 * @forced: NULL or the --format. @notes: GPtrArray of char * for the user. Free with g_ptr_array_unref(). */
GPtrArray *tt_format_plan (char **paths, const TtFormat *forced, GPtrArray *notes, GError **error);

/* Total size on disk, for the progress bar. */
guint64 tt_format_plan_bytes (const GPtrArray *plan);
