/*
 * What the parts of the PI reader share: the threads of a trace, its layout, warnings; the reader and its decoders.
 *
 * A generation is a decoder: tt_pi_decode_raw(), tt_pi_decode_protobuf(), tt_pi_decode_native(), and one line in reader.c each.
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

#define TT_PI_MOST_IDS 512u

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
  GPtrArray *warnings; /* of TtPiWarning */
  GHashTable *warned;  /* key -> TtPiWarning */
  TtPiKnown known[TT_PI_MOST_IDS];
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

/* Counts; the first of its kind and detail keeps its text and place. @offset, @record G_MAXUINT64: none. */
void tt_pi_trace_warn (TtPiTrace *self,
                       TtPiWarn kind,
                       guint32 detail,
                       const char *path,
                       guint64 offset,
                       guint64 record,
                       const char *format,
                       ...) G_GNUC_PRINTF (7, 8);

static inline const TtPiKnown *
tt_pi_trace_known (const TtPiTrace *self, guint32 id)
{
  static const TtPiKnown nothing = { .text = -1 };

  return G_LIKELY (id < TT_PI_MOST_IDS) ? &self->known[id] : &nothing;
}
void tt_pi_known_init (TtPiKnown *known, TtPiIds ids, guint32 id);

/* The trace without a look at its calls: its files only. */
TtPiTrace *tt_pi_trace_list (const char *path, const TtPiOptions *options, GError **error);
/* Tells generation, layout and numbering of the trace by its contents. FALSE with @error: none fits. */
gboolean tt_pi_trace_detect (TtPiTrace *self, GError **error);

/* The order of threads: main first, then by the numbers in the names. */
int tt_pi_thread_name_compare (const char *a, const char *b);

void tt_pi_thread_window (const TtPiTrace *self, guint thread, TtPiWindow *window);

/* -- reading calls ------------------------------------------------------------------------------- */

typedef enum
{
  TT_PI_STEP_CALL,
  TT_PI_STEP_NONE, /* a record that is no call: go on */
  TT_PI_STEP_END,
  TT_PI_STEP_FAILED,
} TtPiStep;

struct _TtPiReader
{
  TtPiTrace *trace;
  guint thread;
  TtPiWindow window;
  guint64 record; /* of the next one */
  guint64 last_start, last_end, reported;
  gboolean has_last, has_ended, is_quiet;
  guint64 args_size; /* of the last raw call */
  GByteArray *kept;  /* of a record that does not lie together in the window */
  GString *memory_file;
  guint64 record_at;     /* where the record begins that was read last, or could not be */
  char unknown_name[16]; /* "pi#9999" */
  GPtrArray *names;      /* native: functions by their index */
};

/* Begins at the first record. @is_quiet: neither warns nor checks the order of calls. */
void tt_pi_reader_init (TtPiReader *self, TtPiTrace *trace, guint thread, gboolean is_quiet);
void tt_pi_reader_clear (TtPiReader *self);

/* "path: record 3 at byte 200: reason" */
TtPiStep tt_pi_reader_fail (TtPiReader *self, guint64 offset, GError **error, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* Bytes of an output or of a memory block that are kept. */
#define TT_PI_KEPT_OUTPUT ((gsize) 64 << 10)
/* No call has more. */
#define TT_PI_MOST_RECORD ((guint64) 64 << 20)
/* Microseconds that fit in nanoseconds. */
#define TT_PI_LATEST_US ((guint64) G_MAXINT64 / 1000)

TtPiStep tt_pi_decode_raw (TtPiReader *self, TtPiCall *call, GError **error);
TtPiStep tt_pi_decode_protobuf (TtPiReader *self, TtPiCall *call, GError **error);
/* Whether the calls begin in the order of the file, up to where it ends or is damaged, with a look at their starts alone.
 * Moves the reader's window. */
gboolean tt_pi_protobuf_in_order (TtPiReader *self);
TtPiStep tt_pi_decode_native (TtPiReader *self, TtPiCall *call, GError **error);
void tt_pi_native_name_free (gpointer data);

/* What a look at raw records of a layout finds; @call is filled with what detection needs only: id, args' size. */
typedef struct
{
  guint64 at; /* of the header in the contents */
  guint32 id;
  guint8 backend;
  guint64 start, end, n_inputs, n_outputs, args_size;
  gsize header; /* its length */
} TtPiRawHeader;

gsize tt_pi_raw_header_size (const TtPiRawLayout *layout);
void tt_pi_raw_header_read (const TtPiRawLayout *layout, const guint8 *bytes, TtPiRawHeader *header);
