/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/calls-ahead.h"

#include "src/base/apart.h"
#include "src/base/readers.h"
#include "src/base/turns.h"

#include <string.h>

#define N_BATCHES 8u
#define CALLS_PER_BATCH 256u
#define BLOCK_BYTES ((gsize) 64 << 10)
/* A batch that has so much is full. */
#define BATCH_BYTES ((gsize) 192 << 10)
/* One that has more, by one long call, is the only one for a while. */
#define LONG_BYTES ((gsize) 2 << 20)
/* Times without a call among them; no more are used. */
#define MAX_TIMES ((guint) 1 << 20)

typedef struct
{
  gsize size, used;
  guint8 bytes[];
} Block;

typedef struct
{
  TtPiReadCall calls[CALLS_PER_BATCH];
  guint n, next;
  GPtrArray *blocks; /* of Block: what the calls borrow */
  guint n_used;      /* blocks with something */
  gsize n_bytes;
  GArray *times; /* of TtPiNativeTimes: in the order of the calls, then those after the last */
  guint n_times; /* of calls */
  gboolean is_last;
  GError *error; /* after the calls */
  guint64 progress;
} Batch;

struct _TtPiCallsAhead
{
  /* Of the thread: */
  TtPiTrace *trace;
  TtPiMerge *merge;
  Batch *filled; /* that is being filled */
  TtPiArgsJson json;
  TtPiArgsForms *forms; /* NULL: texts are wanted */
  TtPiReadFunc read;
  gpointer data;

  char apart[TT_APART_BYTES];
  GThread *thread; /* NULL: batches are filled when they are asked for */
  TtTurns *turns;  /* of the batches */
  Batch *batches[N_BATCHES];
  Batch *current; /* NULL: none yet */
  guint64 progress;
};

/* -- what a batch holds ------------------------------------------------------------------------------------- */

static Batch *
batch_new (void)
{
  Batch *self = g_new0 (Batch, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->times = g_array_new (FALSE, FALSE, sizeof (TtPiNativeTimes));
  return self;
}

static void
batch_free (Batch *self)
{
  g_ptr_array_unref (self->blocks);
  g_array_unref (self->times);
  g_clear_error (&self->error);
  g_free (self);
}

/* Blocks stay, but those of long calls. */
static void
empty_batch (Batch *self)
{
  guint n = 0;

  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = self->blocks->pdata[i];

      if (block->size > BLOCK_BYTES)
        {
          g_free (block);
          continue;
        }
      block->used = 0;
      self->blocks->pdata[n++] = block;
    }
  self->blocks->len = n;
  self->n = self->next = self->n_used = self->n_times = 0;
  g_array_set_size (self->times, 0);
  self->n_bytes = 0;
  self->progress = 0;
}

static gpointer
take_new_block (Batch *self, gsize n)
{
  Block *block;

  if (n <= BLOCK_BYTES && self->n_used < self->blocks->len)
    block = self->blocks->pdata[self->n_used];
  else
    {
      gsize size = MAX (n, BLOCK_BYTES);
      block = g_malloc (sizeof *block + size);
      block->size = size;
      g_ptr_array_insert (self->blocks, (int) self->n_used, block);
    }
  self->n_used++;
  block->used = n;
  return block->bytes;
}

static inline gpointer
take_room (Batch *self, gsize n)
{
  Block *block = self->n_used > 0 ? self->blocks->pdata[self->n_used - 1] : NULL;

  n = (n + 7) & ~(gsize) 7;
  self->n_bytes += n;
  if (G_UNLIKELY (block == NULL || block->size - block->used < n))
    return take_new_block (self, n);
  gpointer room = block->bytes + block->used;
  block->used += n;
  return room;
}

static gpointer
keep (Batch *self, gconstpointer bytes, gsize n)
{
  return bytes == NULL ? NULL : n == 0 ? take_room (self, 1) : memcpy (take_room (self, n), bytes, n);
}

static const char *
keep_text (Batch *self, const char *text)
{
  return text == NULL ? NULL : keep (self, text, strlen (text) + 1);
}

static inline void
keep_bytes (Batch *self, TtPiBytes *bytes)
{
  if (bytes->bytes != NULL)
    bytes->bytes = keep (self, bytes->bytes, bytes->len);
}

static const TtPiCall *
keep_call (Batch *self, const TtPiCall *call)
{
  const gsize outputs_at = G_STRUCT_OFFSET (TtPiCall, outputs), rest_at = G_STRUCT_OFFSET (TtPiCall, pointees);
  const gsize size = G_STRUCT_OFFSET (TtPiCall, args) + call->n_args * sizeof *call->args;
  guint8 *room = take_room (self, size);
  TtPiCall *copy = (TtPiCall *) (gpointer) room;

  memcpy (room, call, outputs_at + call->n_outputs * sizeof *call->outputs);
  memcpy (room + rest_at, (const guint8 *) call + rest_at, size - rest_at);
  for (guint i = 0; i < copy->n_args && !copy->is_plain; i++)
    {
      TtPiArg *arg = &copy->args[i];
      if (G_UNLIKELY (arg->text != NULL))
        arg->text = keep (self, arg->text, arg->text_len);
      keep_bytes (self, &arg->before);
      keep_bytes (self, &arg->after);
    }
  for (guint i = 0; i < copy->n_outputs; i++)
    keep_bytes (self, &copy->outputs[i]);
  if (copy->n_pointees > 0)
    {
      TtPiPointee *pointees = keep (self, call->pointees, call->n_pointees * sizeof *call->pointees);
      for (guint i = 0; i < copy->n_pointees; i++)
        keep_bytes (self, &pointees[i].bytes);
      copy->pointees = pointees;
    }
  if (G_UNLIKELY (copy->function == NULL || copy->name != copy->function->name))
    copy->name = keep_text (self, copy->name);
  copy->memory_file = keep_text (self, copy->memory_file);
  return copy;
}

/* -- reading ------------------------------------------------------------------------------------------------ */

static void
take_times (const TtPiNativeTimes *times, gpointer data)
{
  TtPiCallsAhead *self = data;

  if (self->filled->times->len < MAX_TIMES)
    g_array_append_val (self->filled->times, *times);
}

/* The array has grown meanwhile. */
static void
give_times (Batch *batch)
{
  const TtPiNativeTimes *times = (const TtPiNativeTimes *) (gpointer) batch->times->data;

  for (guint i = 0; i < batch->n; i++)
    {
      batch->calls[i].times = times;
      times += batch->calls[i].n_times;
    }
}

static void
keep_args (TtPiCallsAhead *self, Batch *batch, const TtPiCall *call, TtPiReadCall *read)
{
  gint64 numbers[TT_ARGS_FORM_MOST_NUMBERS];

  read->json = NULL;
  read->form = self->forms == NULL ? NULL : tt_pi_args_forms_find (self->forms, call, numbers, &read->json_len);
  if (read->form != NULL)
    read->numbers = keep (batch, numbers, read->form->n_numbers * sizeof *numbers);
  else if (tt_pi_args_json_make (&self->json, call))
    {
      read->json = keep (batch, self->json.text, self->json.len);
      read->json_len = self->json.len;
    }
}

static void
fill (TtPiCallsAhead *self, Batch *batch)
{
  empty_batch (batch);
  self->filled = batch;
  while (batch->n < CALLS_PER_BATCH && batch->n_bytes < BATCH_BYTES)
    {
      TtPiReadCall *read = &batch->calls[batch->n];
      const TtPiCall *call = tt_pi_merge_next (self->merge, &read->thread, &batch->error);

      if (call == NULL)
        {
          batch->is_last = TRUE;
          break;
        }
      read->n_times = batch->times->len - batch->n_times;
      batch->n_times = batch->times->len;
      self->read (call, read->thread, self->data);
      read->is_in_order = tt_pi_merge_is_in_order (self->merge);
      read->is_last = tt_pi_merge_is_last (self->merge);
      keep_args (self, batch, call, read);
      read->call = keep_call (batch, call);
      batch->n++;
    }
  give_times (batch);
  batch->progress = tt_pi_merge_progress (self->merge);
}

static gpointer
read_ahead (gpointer data)
{
  TtPiCallsAhead *self = data;
  gboolean is_last = FALSE;
  guint place;

  while (!is_last && tt_turns_next_empty (self->turns, &place))
    {
      Batch *batch = self->batches[place];

      fill (self, batch);
      is_last = batch->is_last;
      if (G_UNLIKELY (batch->n_bytes > LONG_BYTES))
        tt_turns_wait_for_all (self->turns);
      tt_turns_fill (self->turns, is_last);
    }
  return NULL;
}

/* -- asking --------------------------------------------------------------------------------------------------- */

TtPiCallsAhead *
tt_pi_calls_ahead_new (TtPiTrace *trace,
                       TtPiMerge *merge,
                       char **keys,
                       gboolean has_forms,
                       TtPiReadFunc read,
                       gpointer data)
{
  TtPiCallsAhead *self = g_new0 (TtPiCallsAhead, 1);
  guint n_threads;

  self->trace = trace;
  self->merge = merge;
  self->read = read;
  self->data = data;
  tt_pi_args_json_init (&self->json, keys);
  if (has_forms)
    self->forms = tt_pi_args_forms_new (&self->json);
  self->turns = tt_turns_new (N_BATCHES);
  for (guint i = 0; i < N_BATCHES; i++)
    self->batches[i] = batch_new ();
  tt_pi_trace_tell_times (trace, take_times, self);
  tt_readers_wanted (1, &n_threads);
  if (n_threads > 0)
    self->thread = g_thread_try_new ("reader", read_ahead, self, NULL);
  return self;
}

void
tt_pi_calls_ahead_free (TtPiCallsAhead *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      tt_turns_stop (self->turns);
      g_thread_join (self->thread);
    }
  tt_pi_trace_tell_times (self->trace, NULL, NULL);
  for (guint i = 0; i < N_BATCHES; i++)
    batch_free (self->batches[i]);
  tt_turns_free (self->turns);
  tt_pi_args_forms_free (self->forms);
  tt_pi_args_json_clear (&self->json);
  g_free (self);
}

/* Another batch in place of the current one. */
static void
turn (TtPiCallsAhead *self)
{
  if (self->thread != NULL)
    {
      if (self->current != NULL)
        tt_turns_empty (self->turns);
      self->current = self->batches[tt_turns_next_full (self->turns)];
    }
  else
    {
      self->current = self->batches[0];
      fill (self, self->current);
    }
  self->progress += self->current->progress;
}

const TtPiReadCall *
tt_pi_calls_ahead_next (TtPiCallsAhead *self, GError **error)
{
  while (self->current == NULL || self->current->next == self->current->n)
    {
      if (self->current != NULL && self->current->is_last)
        {
          if (self->current->error != NULL)
            g_propagate_error (error, g_steal_pointer (&self->current->error));
          return NULL;
        }
      turn (self);
    }
  return &self->current->calls[self->current->next++];
}

const TtPiNativeTimes *
tt_pi_calls_ahead_last_times (const TtPiCallsAhead *self, guint *n)
{
  const Batch *last = self->current;

  *n = last->times->len - last->n_times;
  return (const TtPiNativeTimes *) (gpointer) last->times->data + last->n_times;
}

guint64
tt_pi_calls_ahead_progress (TtPiCallsAhead *self)
{
  guint64 done = self->progress;

  self->progress = 0;
  return done;
}
