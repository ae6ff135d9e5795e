/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtSink: where importers put what they read.
 *
 * It hands out ids, makes standard names, counts repairs and fills batches; whole batches go to its back (sink-back.h).
 * Whoever makes a sink may put further backs before the first one.
 *
 * Appending never fails: an error of the back is kept, later rows are dropped, and the importer
 * learns of it from tt_sink_check(), which it calls once per block of input.
 * One importer thread uses a sink. Every string is borrowed for the call only.
 */
#pragma once

#include "src/base/progress.h"
#include "src/base/text-ids.h"
#include "src/trace/held-args.h"
#include "src/trace/names/names.h"
#include "src/trace/repairs.h"
#include "src/trace/sink-back.h"
#include "src/trace/sink-diary.h"
#include "src/trace/span-filter.h"

typedef struct _TtSink TtSink;

struct _TtSink
{
  TtSinkBack *back;
  TtBatch *batch;
  TtNames *names;
  const TtNameMarks *collectives; /* of `names` */
  TtRepairs repairs;              /* of the current source */
  GHashTable *repaired;           /* of TtProcessRepairs: the same by process; NULL: none is known */
  TtProgress *progress;           /* may be NULL; borrowed */
  TtSinkDiary *diary;             /* NULL: nobody keeps one; borrowed */
  TtSpanFilter *filter;           /* nest asks it for every span and instant; may be NULL; borrowed */
  GHashTable *facts;              /* args id -> TtFilterFacts of those that have not begun; NULL: no filter */
  GPtrArray *notes;               /* of char *: see tt_sink_note() */
  TtActivityPool *held;           /* see tt_sink_hold_activity(); NULL: never needed */
  TtHeldArgs *held_args;          /* see tt_sink_hold_args(); NULL: never needed */
  GError *error;                  /* first error of the back */
  guint32 next_source, next_process, next_thread, next_series, next_owner;
  guint64 next_event;
  guint64 next_place;
  guint64 next_args;
  gboolean tells_places;  /* the back wants the places of events; set before the first row */
  gboolean takes_forms;   /* the back takes arguments as numbers of forms; likewise */
  gboolean takes_no_hash; /* nobody looks at the hash of a source; likewise */
  GHashTable *forms;      /* format -> TtArgsForm; NULL: none yet */
  guint64 source_first_event;
  guint32 source_first_process;
  guint32 source; /* current; TT_NO_ID between sources */
  TtTextIds *ids; /* of processes, threads and series */
  guint64 n_spans, n_instants, n_counters, n_halves, n_metrics;
  gint64 first_ns, last_ns; /* over all events; TT_NO_TIME before the first */
};

/* Every next id is 1; who continues a database sets them higher and seeds the tables below before the first row. @back,
 * @names: taken. */
TtSink *tt_sink_new (TtSinkBack *back, TtNames *names);
/* One that keeps nothing. */
TtSink *tt_null_sink_new (TtNames *names);
void tt_sink_seed_process (TtSink *self, guint32 id, const char *pid);
void tt_sink_seed_thread (TtSink *self, guint32 id, guint32 process, const char *tid);
void tt_sink_seed_series (TtSink *self, guint32 id, const char *name);

/* Frees front and back. */
void tt_sink_free (TtSink *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtSink, tt_sink_free)

/* From now on batches, @n_batches at a time (sink-back.h), go to the backs that are there on a thread of their own, called
 * @name, if there is a processor for it. Before the first row, and so is the next. */
void tt_sink_add_thread (TtSink *self, const char *name, guint n_batches);
/* From now on @observe gets every batch before the backs that were there take it, on the thread that is added next, else on
 * that of the importer. */
void tt_sink_add_observer (TtSink *self, TtBatchObserver observe, gpointer data);

/* -- definitions ---------------------------------------------------------------------------- */

/* Every row belongs to a source; sources follow one another. Returns the source's id. */
guint32 tt_sink_begin_source (TtSink *self, const char *format, const char *path, TtClock clock);
/* @hash: text, "" where the sink takes none; @bytes: size of the file as it lies on disk. Writes repairs and resets
 * them. */
void tt_sink_end_source (TtSink *self, guint64 bytes, const char *hash, TtClock clock);

/* Same @pid, same id: label, node and rank of the first call count. @rank -1: none. label, node may be NULL. */
guint32 tt_sink_process (TtSink *self, const char *pid, const char *label, const char *node, gint64 rank);
gboolean tt_sink_has_process (TtSink *self, const char *pid);
/* The process if it was defined before, else TT_NO_ID. */
guint32 tt_sink_find_process (TtSink *self, const char *pid);
/* Whether a process was given this rank since the sink was made. */
gboolean tt_sink_has_rank (TtSink *self, gint64 rank);
/* Same @tid of the same process, same id. @order: position among its siblings in a viewer. */
guint32 tt_sink_thread (TtSink *self, guint32 process, const char *tid, const char *label, gint64 order);
/* The thread if it was defined before, else TT_NO_ID. */
guint32 tt_sink_find_thread (TtSink *self, guint32 process, const char *tid);
/* A counter's or metric's name. @unit may be NULL. */
guint32 tt_sink_series (TtSink *self, const char *name, const char *unit, gboolean is_monotonic);
/* @thread may be TT_NO_ID. */
void tt_sink_metadata (TtSink *self, guint32 process, guint32 thread, const char *key, const char *value);
/* Records of @process (@thread: TT_NO_ID or where) are missing after its own time @after_ns: see lost-order.h. */
void tt_sink_lose_order (TtSink *self, guint32 process, guint32 thread, gint64 after_ns);
/* What became known after the process or thread was defined (metadata at the end of a trace). NULL, -1: keep. */
void tt_sink_label_process (TtSink *self, guint32 process, const char *label, gint64 rank);
/* @process is part of the rank that @owner leads: a device of this program, or what a source keeps apart from it. Not
 * needed for processes that have a rank's number. The last call counts. */
void tt_sink_own_process (TtSink *self, guint32 process, guint32 owner);
/* So are all processes that the current source was the first to name; @owner TT_NO_ID: the first of them leads. */
void tt_sink_own_new_processes (TtSink *self, guint32 owner);
void tt_sink_label_thread (TtSink *self, guint32 thread, const char *label, gint64 order);
/* A tensor of the model. @shape: "512x1024", @origin: the file it was read from; NULL: unknown. @update_id -1: none. */
void tt_sink_parameter (TtSink *self,
                        gint64 tensor_id,
                        const char *tensor_name,
                        const char *shape,
                        const char *dtype,
                        gint64 update_id,
                        const char *origin);
/* A task of the task graph of @process, an edge of it. */
void tt_sink_task (TtSink *self, guint32 process, const TtTaskNode *task);
void tt_sink_task_edge (TtSink *self, guint32 process, const TtTaskEdge *edge);
/* Something that the user should know of the import as a whole: said once it is done. */
void tt_sink_note (TtSink *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Standard name for a raw one; see names.h. */
guint32 tt_sink_name (TtSink *self, const TtRawName *raw);

/* -- rows ----------------------------------------------------------------------------------- */

/* Hands the batch to the back even if it is not full. */
void tt_sink_flush (TtSink *self);

/* The place of an event that begins now: they are counted as events begin, of all threads. Spans that never get a row
 * leave a hole. */
static inline guint64
tt_sink_take_place (TtSink *self)
{
  return self->next_place++;
}

/* Returns the new event's id. @args: id from tt_sink_args(), or 0. @place: of events of one thread, depth and begin the
 * one that ended first has the lower place; TT_NO_PLACE where that is not certain. Importers call nest, nest calls this. */
static inline guint64
tt_sink_placed_event (TtSink *self,
                      guint64 place,
                      guint32 thread,
                      guint32 name,
                      gint64 ts_ns,
                      gint64 dur_ns,
                      gint64 self_ns,
                      guint32 depth,
                      guint32 flags,
                      gint32 step,
                      guint64 args)
{
  TtEventColumns *events = &self->batch->events;
  guint i = events->n;

  if (i == 0)
    events->first_event = self->next_event;
  events->thread[i] = thread;
  events->name[i] = name;
  events->ts_ns[i] = ts_ns;
  events->dur_ns[i] = dur_ns;
  events->self_ns[i] = self_ns;
  events->depth[i] = depth;
  events->flags[i] = flags;
  events->step[i] = step;
  events->args[i] = args;
  if (self->tells_places)
    events->place[i] = place;
  events->n = i + 1;
  guint64 id = self->next_event++;
  if (G_UNLIKELY (events->n == TT_BATCH_ROWS))
    tt_sink_flush (self);
  return id;
}

/* The same of one without a place. */
static inline guint64
tt_sink_event (TtSink *self,
               guint32 thread,
               guint32 name,
               gint64 ts_ns,
               gint64 dur_ns,
               gint64 self_ns,
               guint32 depth,
               guint32 flags,
               gint32 step,
               guint64 args)
{
  return tt_sink_placed_event (self, TT_NO_PLACE, thread, name, ts_ns, dur_ns, self_ns, depth, flags, step, args);
}

void tt_sink_counter_int (TtSink *self, guint32 series, guint32 thread, gint64 ts_ns, gint64 value);
void tt_sink_counter_real (TtSink *self, guint32 series, guint32 thread, gint64 ts_ns, double value);
void tt_sink_metric (TtSink *self, guint64 event, guint32 series, gint64 inclusive, gint64 exclusive);
/* The owner of what hangs on a span that the filter leaves out: a half or flow point of it is left out, too. */
#define TT_OWNER_LEFT_OUT G_MAXUINT32
void tt_sink_half (TtSink *self,
                   gboolean is_send,
                   TtOnesided onesided,
                   guint32 thread,
                   guint32 own,
                   guint32 peer,
                   gint64 tag,
                   gint64 comm,
                   gint64 ts_ns,
                   gint64 bytes,
                   guint32 owner);
void tt_sink_owner (TtSink *self, guint32 owner, guint64 event);
/* The call of a collective that @owner is has @root (TT_NO_ID: none is told), is one of @comm (-1: as its name says), and has
 * the number @sequence there (-1: it is not told). */
void tt_sink_call (TtSink *self, guint32 owner, guint32 root, gint64 comm, gint64 sequence);
void tt_sink_flow (TtSink *self, guint64 from_event, guint64 to_event, const TtFlowKind *kind);

typedef struct
{
  guint64 key;
  const TtFlowKind *kind;
  TtFlowPhase phase;
  guint32 owner;
  gint64 ts_ns;
} TtSinkFlowPoint;
/* A point of a flow at a span that is still open: see TtFlowPointColumns. */
void tt_sink_flow_point (TtSink *self, const TtSinkFlowPoint *point);
/* Keeps what a span that is still open does with a device, until tt_sink_activity(); returns its number. */
guint32 tt_sink_hold_activity (TtSink *self, const TtActivity *activity);
/* @number: what is held belongs to @event; 0: to none. It is then no longer held. */
void tt_sink_activity (TtSink *self, guint32 number, guint64 event);
/* A new owner for halves or flow points; tt_sink_owner() names its event when that has ended. */
guint32 tt_sink_new_owner (TtSink *self);
/* Keeps a JSON object (whole, as it stands in the source) for an event to come; returns its id. */
guint64 tt_sink_args (TtSink *self, const char *json, gsize len);
/* The same piece by piece, for one that is larger than memory should hold: @total bytes in all, first piece
 * at 0, each right after the last, with no other call of the sink in between. Returns the id. */
guint64 tt_sink_args_piece (TtSink *self, guint64 total, guint64 at, const char *piece, gsize len);
/* Whether arguments of the source that begins may come as numbers of a form. FALSE: they are to come as texts. */
gboolean tt_sink_takes_forms (const TtSink *self);
/* The form with this format and so many numbers; the same format, the same form. Of texts of at most
 * TT_ARGS_FORM_MOST_BYTES; at most TT_ARGS_FORMS_OF_SOURCE of a source, of a sink that takes forms. */
const TtArgsForm *tt_sink_args_form (TtSink *self, const char *format, guint n_numbers);
/* As tt_sink_args(), of a sink that takes forms: @form with its @numbers, which would be a text of @len bytes. */
guint64 tt_sink_filled_args (TtSink *self, const TtArgsForm *form, const gint64 *numbers, gsize len);
/* As tt_sink_args(), for what belongs to a span that is open, or to its end: kept aside until the span has its row, so that what
 * joins it costs the store nothing. For nest alone, which settles it. */
guint64 tt_sink_hold_args (TtSink *self, const char *json, gsize len);
/* The same of a plain object (held-args.h). */
guint64 tt_sink_hold_plain_args (TtSink *self, const char *json, gsize len);
/* The id for the row of a span, which comes next. */
static inline guint64 tt_sink_settle_args (TtSink *self, guint64 args);
/* @more's members join those of @args, neither of them 0; returns what stands for both. */
guint64 tt_sink_join_args (TtSink *self, guint64 args, guint64 more);
/* The same of ids from tt_sink_args(). */
void tt_sink_args_merge (TtSink *self, guint64 args, guint64 more);
/* No event will have them; 0: there are none. */
void tt_sink_args_drop (TtSink *self, guint64 args);

/* Of ids: it is the number of one that is held. */
#define TT_ARGS_HELD (G_GUINT64_CONSTANT (1) << 63)
guint64 tt_sink_write_held_args (TtSink *self, guint64 args);

static inline guint64
tt_sink_settle_args (TtSink *self, guint64 args)
{
  return (args & TT_ARGS_HELD) == 0 ? args : tt_sink_write_held_args (self, args);
}

/* Before the first definition. @filter: borrowed. */
void tt_sink_set_filter (TtSink *self, TtSpanFilter *filter);
/* Asks the filter, which there must be, whether what begins is kept. @args: its id, or 0. */
TtFilterVerdict tt_sink_ask (TtSink *self, const TtFilterBegin *begin, guint64 args);

static inline void
tt_sink_repair (TtSink *self, TtRepairKind kind, guint64 offset)
{
  tt_repairs_add (&self->repairs, kind, offset);
}

/* The same where it is known whose it is. */
void tt_sink_repair_of (TtSink *self, guint32 process, TtRepairKind kind, guint64 offset);
/* @n of those that were counted without a process are of this one. */
void tt_sink_own_repairs (TtSink *self, guint32 process, TtRepairKind kind, guint64 n);

/* Adds @bytes_done to the progress bar; FALSE with @error when the back failed or the user
 * pressed Ctrl-C. Once per block of input. */
gboolean tt_sink_check (TtSink *self, guint64 bytes_done, GError **error);
/* Flushes and finishes. */
gboolean tt_sink_finish (TtSink *self, GError **error);
