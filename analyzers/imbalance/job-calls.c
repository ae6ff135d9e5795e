/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/imbalance/job-calls.h"

#include <string.h>

#include "analyzers/spans/each-event.h"
#include "analyzers/spans/op-table.h"
#include "graphs/step-graph/node-kind.h"
#include "src/base/sorter.h"
#include "src/trace/event.h"
#include "src/trace/native-groups.h"

#define SORT_BYTES ((gsize) 32 << 20)

typedef enum
{
  WORD_NONE,
  WORD_WHOLE, /* a collective as one span */
  WORD_MEETS, /* the wait for all ranks before it */
} Word;

/* As it is sorted: first by time, to be counted, then by what it is counted as. */
typedef struct
{
  guint64 op_step; /* operation << 32 | step + 1 */
  guint64 order;   /* begin; then ordinal << 32 | process */
  guint64 event;
  gint64 begin_ns, dur_ns;
  guint32 process, thread;
  guint64 is_mended;
} Part;

typedef struct
{
  TtStore *store;
  guint8 *words; /* Word, by name */
  guint32 max_name;
  Word wanted;
  gboolean is_horovod; /* nobody else has a fusion buffer; names of collectives others have, too */
  TtOpTable *ops;
  TtSorter *by_time, *by_call;
} Reader;

static void
reader_clear (Reader *self)
{
  g_free (self->words);
  tt_op_table_free (self->ops);
  tt_sorter_free (self->by_time);
  tt_sorter_free (self->by_call);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static Word
word_of (const TtStoredName *name)
{
  static const char *const wholes[] = { "ALLREDUCE", "ALLGATHER", "ALLTOALL", "REDUCESCATTER" };

  if (g_strcmp0 (name->op_cat, "Comm") != 0 || name->sub_op == NULL || name->is_collective ||
      g_strcmp0 (name->group, TT_GROUP_NEGOTIATION) == 0)
    return WORD_NONE;
  if (strcmp (name->sub_op, "Sync") == 0 || g_str_has_prefix (name->sub_op, "NEGOTIATE"))
    return WORD_MEETS;
  for (guint i = 0; i < G_N_ELEMENTS (wholes); i++)
    if (strstr (name->sub_op, wholes[i]) != NULL)
      return WORD_WHOLE;
  return WORD_NONE;
}

static gboolean
take_name (const TtStoredName *name, gpointer data)
{
  Reader *self = data;
  Word word = word_of (name);
  TtStepNodeKind kind = tt_step_node_kind_of_name (name->op_cat, name->sub_op);

  if (name->id <= self->max_name)
    self->words[name->id] = (guint8) word;
  self->wanted = MAX (self->wanted, word);
  self->is_horovod |= kind == TT_STEP_NODE_MEMCPY_IN || kind == TT_STEP_NODE_MEMCPY_OUT;
  return TRUE;
}

static gboolean
take_event (const TtEvent *event, gpointer data, GError **error)
{
  Reader *self = data;
  const TtThread *thread = tt_store_thread (self->store, event->thread);

  if (event->dur_ns == TT_NO_TIME || event->name > self->max_name || self->words[event->name] != self->wanted ||
      (event->flags & TT_FLAG_WINDOW) != 0 || thread == NULL)
    return TRUE;
  guint32 op = tt_op_table_find (self->ops, TT_NO_ID, event->name);
  Part *part = tt_sorter_add (self->by_time);
  *part = (Part){
    .op_step = (guint64) op << 32 | (guint32) (event->step + 1),
    .order = tt_sort_key (event->ts_ns),
    .event = event->id,
    .begin_ns = event->ts_ns,
    .dur_ns = event->dur_ns,
    .process = thread->process,
    .thread = event->thread,
    .is_mended = (event->flags & TT_FLAGS_BOUNDED) != 0,
  };
  return TRUE;
}

/* -- the k-th of each rank in a step ----------------------------------------------------------------------------------- */

typedef struct
{
  guint64 op_step;
  guint32 n;
} Count;

static gboolean
count_parts (Reader *self, GError **error)
{
  g_autofree Count *counts = g_new0 (Count, (gsize) tt_store_max_process (self->store) + 1); /* by leader */
  const Part *part;
  GError *failure = NULL;

  if (!tt_sorter_finish (self->by_time, error))
    return FALSE;
  while ((part = tt_sorter_next (self->by_time, &failure)) != NULL)
    {
      Count *count = &counts[tt_store_process (self->store, part->process)->owner];
      Part *counted;

      if (count->n == 0 || count->op_step != part->op_step)
        *count = (Count){ part->op_step, 0 };
      counted = tt_sorter_add (self->by_call);
      *counted = *part;
      counted->order = (guint64) count->n++ << 32 | part->process;
    }
  if (failure == NULL)
    return tt_sorter_finish (self->by_call, error);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
tell_calls (Reader *self, TtCollectiveFunc func, gpointer data, GError **error)
{
  const Part *part;
  guint64 op_step = 0, number = 0;
  gint64 ordinal = -1;
  GError *failure = NULL;

  while ((part = tt_sorter_next (self->by_call, &failure)) != NULL)
    {
      if (ordinal < 0 || part->op_step != op_step || part->order >> 32 != number)
        ordinal++;
      op_step = part->op_step;
      number = part->order >> 32;
      const TtCollective collective = {
        .name = TT_NO_ID,
        .function = tt_op_table_op (self->ops, (guint32) (op_step >> 32))->label,
        .ordinal = ordinal,
        .process = part->process,
        .thread = part->thread,
        .event = part->event,
        .ts_ns = part->begin_ns,
        .dur_ns = part->dur_ns,
        .root = TT_NO_ID,
        .is_mended = part->is_mended != 0,
      };
      if (!func (&collective, data))
        return TRUE;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
tt_each_job_collective (TtStore *store, TtCollectiveFunc func, gpointer data, GError **error)
{
  g_auto (Reader) self = { .store = store, .max_name = tt_store_max_name (store) };

  self.words = g_new0 (guint8, (gsize) self.max_name + 1);
  if (!tt_store_each_name (store, take_name, &self, error))
    return FALSE;
  if (self.wanted == WORD_NONE || (self.wanted == WORD_WHOLE && !self.is_horovod))
    return TRUE;
  self.ops = tt_op_table_new (store, TRUE);
  self.by_time = tt_sorter_new (sizeof (Part), SORT_BYTES);
  self.by_call = tt_sorter_new (sizeof (Part), SORT_BYTES);
  return tt_each_event (store, TT_SCAN_DEFAULT, take_event, &self, error) && count_parts (&self, error) &&
         tell_calls (&self, func, data, error);
}

/* -- parameter servers --------------------------------------------------------------------------------------------------- */

static gboolean
is_no_link (const TtStoredName *name, gpointer data)
{
  gboolean *has = data;

  *has = tt_step_node_is_link_transfer (tt_step_node_kind_of_name (name->op_cat, name->sub_op));
  return !*has;
}

gboolean
tt_job_has_servers (TtStore *store, gboolean *has, GError **error)
{
  *has = FALSE;
  return tt_store_each_name (store, is_no_link, has, error);
}
