/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of TtPiTrace, for the parts of the reader: threads, layout, warnings. files.c finds the files, trace.c orders
 * the threads, detect.c finds out generation, layout and numbering, open.c does all of that in order.
 */
#pragma once

#include "formats/pi/trace.h"
#include "formats/pi/window.h"

typedef struct
{
  char *name;             /* "main_0" */
  char *path;             /* to name it: "run/main_0.pi_trace", "run.pack: main.pi_trace" */
  char *file;             /* to open it */
  guint64 base;           /* of the contents in the file */
  guint64 packed;         /* bytes of the zstd frame; 0: not packed */
  guint64 size;           /* of the contents */
  TtPiGeneration by_name; /* TT_PI_GENERATION_G3, _NATIVE; _UNKNOWN: one of the raw ones */
  guint listed_at;        /* in the directory or archive */
  int parent;
} TtPiThread;

/* How raw records are laid out. */
typedef struct
{
  gboolean has_backend, has_times;
  gboolean is_literal; /* as the description has it: num_outputs is trusted, no opaque prefix */
  guint64 prefix;
} TtPiRawLayout;

/* What is known of an id under the numbering of the trace. */
typedef struct
{
  const TtPiFunction *function;
  gint8 text;                /* index of the string parameter; -1: none */
  gboolean is_info;          /* one of the five whose number of outputs is wrong (pi.md 4.3 rule 4) */
  gboolean is_text_in_place; /* piProgramBuild, piKernelCreate */
} TtPiKnown;

#define TT_PI_MAX_IDS 512u

struct _TtPiTrace
{
  char *path;
  TtPiOptions options;
  TtPiGeneration generation;
  TtPiIds ids;
  TtPiRawLayout raw;
  char *description;
  GPtrArray *threads; /* of TtPiThread */
  guint *directory_order;
  GPtrArray *archive; /* of TtPiArchived; NULL: a directory or a file */
  char *directory;    /* NULL: none */
  GPtrArray *side_names;
  GPtrArray *warnings;           /* of TtPiWarning */
  GHashTable *warned;            /* key -> TtPiWarning */
  TtPiTimesOfCommand times_func; /* NULL: nobody wants them */
  gpointer times_data;
  TtPiKnown known[TT_PI_MAX_IDS];
};

typedef enum
{
  TT_PI_WARN_UNKNOWN_ID, /* detail: the id */
  TT_PI_WARN_END_BEFORE_START,
  TT_PI_WARN_BACKWARDS,
  TT_PI_WARN_OVERLAP,
  TT_PI_WARN_ARGS, /* detail: the id */
  TT_PI_WARN_TEXT,
  TT_PI_WARN_BACKEND,
  TT_PI_WARN_ZERO_LENGTH,
  TT_PI_WARN_SHORT_RECORD,
  TT_PI_WARN_IN_PROGRESS,
  TT_PI_WARN_EMPTY,
  TT_PI_WARN_DAMAGE,
  TT_PI_WARN_LEFT_ASIDE, /* detail: any */
  TT_PI_WARN_MEMORY,
  TT_PI_WARN_TEXT_RECOVERED,
  TT_PI_WARN_OUTPUTS,
  TT_PI_WARN_LOST,
} TtPiWarn;

typedef struct
{
  const char *path;
  guint64 offset, record; /* G_MAXUINT64: none */
} TtPiPlace;

#define TT_PI_WHOLE_FILE(path) ((TtPiPlace){ (path), G_MAXUINT64, G_MAXUINT64 })

/* Counts; the first of its kind and detail keeps its text and place. */
void tt_pi_trace_warn (TtPiTrace *self, TtPiWarn kind, guint32 detail, const TtPiPlace *place, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
void tt_pi_warning_free (gpointer data);

static inline const TtPiKnown *
tt_pi_trace_known (const TtPiTrace *self, guint32 id)
{
  static const TtPiKnown nothing = { .text = -1 };

  return G_LIKELY (id < TT_PI_MAX_IDS) ? &self->known[id] : &nothing;
}

/* Finds the threads' files and the side files of self->path. */
gboolean tt_pi_trace_find_files (TtPiTrace *self, GError **error);
/* The trace without a look at its calls: its files only. */
TtPiTrace *tt_pi_trace_list (const char *path, const TtPiOptions *options, GError **error);

/* The order of threads: main first, then by the numbers in the names. */
int tt_pi_thread_name_compare (const char *a, const char *b);

void tt_pi_thread_window (const TtPiTrace *self, guint thread, TtPiWindow *window);
