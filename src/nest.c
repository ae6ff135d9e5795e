#include "config.h"

#include "src/nest.h"

#include "src/spill.h"

#include <string.h>

/* Items of a stack kept in memory at least and at most; the rest lies in the nest's spill. */
#define KEEP_ITEMS 4096u
#define MOST_ITEMS (2 * KEEP_ITEMS)
/* More items than one span has metrics must be at hand. */
#define REFILL_BELOW 64u
#define SPILL_CACHE ((gsize) 4 << 20)

/* Up to this depth a walk down the stack finds an open name faster than a table. */
#define DEEP 64
#define SHALLOW 32

typedef struct
{
  gint64 ts_ns;
  gint64 end_ns; /* of a complete span, else TT_NO_TIME */
  gint64 child_ns;
  guint64 offset;
  guint64 args; /* of a complete span */
  guint32 name;
  guint32 owner;
  guint32 flags;
  gint32 step;
} Frame;

/* A hardware counter's value at the enter of the span at `depth`. */
typedef struct
{
  guint64 depth;
  gint64 enter_value;
  gint64 child_sum;
  guint32 series;
  guint32 reserved;
} MetricEntry;

/* A stack whose bottom may lie in a file. */
typedef struct
{
  guint8 *items;
  gsize item_size;
  guint n, allocated;
  GArray *slots; /* of guint64: where in the spill the blocks below are, bottom first; NULL: none */
} Stack;

typedef enum
{
  LAST_NOTHING,
  LAST_ENTER,
  LAST_LEAVE,
} LastRecord;

struct _TtNestThread
{
  guint32 id, process;
  gint64 last_ns; /* latest time seen */
  guint64 depth;
  Stack frames;
  Stack metrics;
  GHashTable *open_names; /* name -> how often open; only while the stack is deep */
  LastRecord last;
  guint64 ended_event; /* the span that the last leave ended, with its metric entries */
  GArray *ended;       /* of MetricEntry */
};

struct _TtNest
{
  TtSink *sink;
  GPtrArray *threads; /* by thread id; holes are NULL */
  TtSpill *spill;
  guint64 next_slot;
  GArray *free_slots; /* of guint64 */
};

/* -- stacks that spill ------------------------------------------------------------------------- */

/* Slots are as large as the largest item needs, so that frames and metrics share them. */
static guint64
slot_offset (guint64 slot)
{
  return slot * KEEP_ITEMS * sizeof (Frame);
}

static void
stack_sink_half (TtNest *self, Stack *stack)
{
  guint64 slot;

  if (self->free_slots->len > 0)
    {
      slot = g_array_index (self->free_slots, guint64, self->free_slots->len - 1);
      g_array_set_size (self->free_slots, self->free_slots->len - 1);
    }
  else
    slot = self->next_slot++;

  if (self->spill == NULL)
    self->spill = tt_spill_new (SPILL_CACHE);
  if (stack->slots == NULL)
    stack->slots = g_array_new (FALSE, FALSE, sizeof (guint64));
  tt_spill_write (self->spill, slot_offset (slot), stack->items, KEEP_ITEMS * stack->item_size);
  g_array_append_val (stack->slots, slot);
  stack->n -= KEEP_ITEMS;
  memmove (stack->items, stack->items + KEEP_ITEMS * stack->item_size, stack->n * stack->item_size);
}

static void *
stack_push (TtNest *self, Stack *stack)
{
  if (G_UNLIKELY (stack->n == stack->allocated))
    {
      if (stack->n == MOST_ITEMS)
        stack_sink_half (self, stack);
      else
        {
          stack->allocated = stack->allocated == 0 ? 16 : stack->allocated * 2;
          stack->items = g_realloc (stack->items, stack->allocated * stack->item_size);
        }
    }
  return stack->items + stack->n++ * stack->item_size;
}

static void *
stack_top (const Stack *stack)
{
  return stack->items + (stack->n - 1) * stack->item_size;
}

static void
stack_pop (TtNest *self, Stack *stack)
{
  stack->n--;
  if (G_UNLIKELY (stack->n < REFILL_BELOW && stack->slots != NULL && stack->slots->len > 0))
    {
      guint64 slot = g_array_index (stack->slots, guint64, stack->slots->len - 1);

      g_array_set_size (stack->slots, stack->slots->len - 1);
      memmove (stack->items + KEEP_ITEMS * stack->item_size, stack->items, stack->n * stack->item_size);
      tt_spill_read (self->spill, slot_offset (slot), stack->items, KEEP_ITEMS * stack->item_size);
      stack->n += KEEP_ITEMS;
      g_array_append_val (self->free_slots, slot);
    }
}

static void
stack_clear (Stack *stack)
{
  g_free (stack->items);
  if (stack->slots != NULL)
    g_array_unref (stack->slots);
  memset (stack, 0, sizeof *stack);
}

/* -- threads ------------------------------------------------------------------------------------- */

TtNest *
tt_nest_new (TtSink *sink)
{
  TtNest *self = g_new0 (TtNest, 1);

  G_STATIC_ASSERT (sizeof (MetricEntry) <= sizeof (Frame));
  self->sink = sink;
  self->threads = g_ptr_array_new ();
  self->free_slots = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

static void
free_thread (TtNestThread *thread)
{
  stack_clear (&thread->frames);
  stack_clear (&thread->metrics);
  g_clear_pointer (&thread->open_names, g_hash_table_unref);
  g_clear_pointer (&thread->ended, g_array_unref);
  g_free (thread);
}

static void
forget_threads (TtNest *self)
{
  for (guint i = 0; i < self->threads->len; i++)
    if (self->threads->pdata[i] != NULL)
      free_thread (self->threads->pdata[i]);
  g_ptr_array_set_size (self->threads, 0);
  g_clear_pointer (&self->spill, tt_spill_free);
  self->next_slot = 0;
  g_array_set_size (self->free_slots, 0);
}

void
tt_nest_free (TtNest *self)
{
  if (self == NULL)
    return;
  forget_threads (self);
  g_ptr_array_unref (self->threads);
  g_array_unref (self->free_slots);
  g_free (self);
}

TtNestThread *
tt_nest_thread (TtNest *self, guint32 thread, guint32 process)
{
  if (thread >= self->threads->len)
    g_ptr_array_set_size (self->threads, (int) thread + 1);

  TtNestThread *found = self->threads->pdata[thread];
  if (found == NULL)
    {
      found = g_new0 (TtNestThread, 1);
      found->id = thread;
      found->process = process;
      found->last_ns = TT_NO_TIME;
      found->frames.item_size = sizeof (Frame);
      found->metrics.item_size = sizeof (MetricEntry);
      self->threads->pdata[thread] = found;
    }
  return found;
}

guint64
tt_nest_depth (const TtNestThread *thread)
{
  return thread->depth;
}

static inline void
see_time (TtNest *self, TtNestThread *thread, gint64 ts_ns, guint64 offset)
{
  if (G_UNLIKELY (ts_ns < thread->last_ns))
    tt_sink_repair (self->sink, TT_REPAIR_TIME_BACKWARDS, offset);
  else
    thread->last_ns = ts_ns;
}

void
tt_nest_touch (TtNest *self, TtNestThread *thread, gint64 ts_ns)
{
  thread->last_ns = MAX (thread->last_ns, ts_ns);
}

/* -- open names ------------------------------------------------------------------------------------ */

static void
count_open (TtNestThread *thread, guint32 name, int by)
{
  gpointer key = GUINT_TO_POINTER (name);
  gsize count = GPOINTER_TO_SIZE (g_hash_table_lookup (thread->open_names, key)) + (gsize) (gssize) by;

  if (count == 0)
    g_hash_table_remove (thread->open_names, key);
  else
    g_hash_table_insert (thread->open_names, key, GSIZE_TO_POINTER (count));
}

static gboolean
is_open (const TtNestThread *thread, guint32 name)
{
  if (thread->open_names != NULL)
    return g_hash_table_contains (thread->open_names, GUINT_TO_POINTER (name));

  const Frame *frames = (const Frame *) (gconstpointer) thread->frames.items;
  for (guint i = thread->frames.n; i-- > 0;)
    if (frames[i].name == name)
      return TRUE;
  return FALSE;
}

static void
note_opened (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    {
      if (G_LIKELY (thread->depth < DEEP))
        return;
      thread->open_names = g_hash_table_new (NULL, NULL);
      const Frame *frames = (const Frame *) (gconstpointer) thread->frames.items;
      for (guint i = 0; i < thread->frames.n; i++)
        count_open (thread, frames[i].name, 1);
    }
  else
    count_open (thread, name, 1);
}

static void
note_closed (TtNestThread *thread, guint32 name)
{
  if (G_LIKELY (thread->open_names == NULL))
    return;
  if (thread->depth <= SHALLOW)
    g_clear_pointer (&thread->open_names, g_hash_table_unref);
  else
    count_open (thread, name, -1);
}

/* -- spans ------------------------------------------------------------------------------------------ */

static Frame *
push_frame (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  gboolean is_recursive = thread->depth > 0 && is_open (thread, name);
  Frame *frame = stack_push (self, &thread->frames);

  *frame = (Frame){
    .ts_ns = ts_ns,
    .end_ns = TT_NO_TIME,
    .offset = offset,
    .name = name,
    .flags = is_recursive ? TT_FLAG_RECURSIVE : 0,
    .step = TT_NO_STEP,
  };
  thread->depth++;
  note_opened (thread, name);
  return frame;
}

static gint64
add_saturated (gint64 a, gint64 b)
{
  gint64 sum;

  return __builtin_add_overflow (a, b, &sum) ? G_MAXINT64 : sum;
}

static gint64
duration (TtNest *self, const Frame *frame, gint64 end_ns, guint32 *flags)
{
  gint64 dur_ns;

  if (G_UNLIKELY (end_ns < frame->ts_ns))
    {
      tt_sink_repair (self->sink, TT_REPAIR_END_BEFORE_START, frame->offset);
      *flags |= TT_FLAG_END_BEFORE_START;
      return 0;
    }
  return __builtin_sub_overflow (end_ns, frame->ts_ns, &dur_ns) ? G_MAXINT64 : dur_ns;
}

static void
keep_metrics_of_ended (TtNest *self, TtNestThread *thread, guint64 event)
{
  thread->ended_event = event;
  if (thread->ended == NULL)
    thread->ended = g_array_new (FALSE, FALSE, sizeof (MetricEntry));
  g_array_set_size (thread->ended, 0);
  while (thread->metrics.n > 0)
    {
      MetricEntry *entry = stack_top (&thread->metrics);
      if (entry->depth <= thread->depth)
        break;
      g_array_append_vals (thread->ended, entry, 1);
      stack_pop (self, &thread->metrics);
    }
}

static void
pop_frame (TtNest *self, TtNestThread *thread, gint64 end_ns, guint32 extra_flags)
{
  TtSink *sink = self->sink;
  const Frame frame = *(Frame *) stack_top (&thread->frames);
  guint32 flags = frame.flags | extra_flags;
  gint64 dur_ns = duration (self, &frame, end_ns, &flags);
  gint64 self_ns = dur_ns - frame.child_ns;

  if (G_UNLIKELY (self_ns < 0))
    {
      self_ns = 0;
      flags |= TT_FLAG_SELF_CLAMPED;
      tt_sink_repair (sink, TT_REPAIR_SELF_CLAMPED, frame.offset);
    }
  if (tt_names_is_collective (sink->names, frame.name))
    flags |= TT_FLAG_COLLECTIVE;

  stack_pop (self, &thread->frames);
  thread->depth--;
  note_closed (thread, frame.name);
  if (thread->depth > 0)
    {
      Frame *parent = stack_top (&thread->frames);
      parent->child_ns = add_saturated (parent->child_ns, dur_ns);
    }

  guint64 event = tt_sink_event (sink, thread->id, frame.name, frame.ts_ns, dur_ns, self_ns,
                                 (guint32) MIN (thread->depth, G_MAXUINT32), flags, frame.step, frame.args);
  if (frame.owner != 0)
    tt_sink_owner (sink, frame.owner, event);
  if (thread->metrics.n > 0 || (thread->ended != NULL && thread->ended->len > 0))
    keep_metrics_of_ended (self, thread, event);
}

void
tt_nest_enter (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  see_time (self, thread, ts_ns, offset);
  push_frame (self, thread, name, ts_ns, offset);
  thread->last = LAST_ENTER;
}

void
tt_nest_leave (TtNest *self, TtNestThread *thread, guint32 name, gint64 ts_ns, guint64 offset)
{
  see_time (self, thread, ts_ns, offset);
  if (G_UNLIKELY (thread->depth == 0 || ((Frame *) stack_top (&thread->frames))->name != name))
    {
      if (thread->depth == 0 || !is_open (thread, name))
        {
          tt_sink_repair (self->sink, TT_REPAIR_LEAVE_WITHOUT_ENTER, offset);
          thread->last = LAST_NOTHING;
          return;
        }
      tt_sink_repair (self->sink, TT_REPAIR_LEAVE_NOT_TOP, offset);
      while (((Frame *) stack_top (&thread->frames))->name != name)
        pop_frame (self, thread, ts_ns, TT_FLAG_UNCLOSED);
    }
  pop_frame (self, thread, ts_ns, 0);
  thread->last = LAST_LEAVE;
}

void
tt_nest_complete (TtNest *self,
                  TtNestThread *thread,
                  guint32 name,
                  gint64 ts_ns,
                  gint64 end_ns,
                  guint32 flags,
                  gint32 step,
                  guint64 args,
                  guint64 offset)
{
  see_time (self, thread, ts_ns, offset);
  while (thread->depth > 0)
    {
      const Frame *top = stack_top (&thread->frames);
      if (top->end_ns == TT_NO_TIME || top->end_ns > ts_ns ||
          (top->end_ns == ts_ns && top->ts_ns == ts_ns && end_ns == ts_ns))
        break;
      pop_frame (self, thread, top->end_ns, 0);
    }

  Frame *frame = push_frame (self, thread, name, ts_ns, offset);
  frame->end_ns = end_ns;
  frame->flags |= flags;
  frame->step = step;
  frame->args = args;
  thread->last = LAST_NOTHING;
}

void
tt_nest_instant (TtNest *self,
                 TtNestThread *thread,
                 guint32 name,
                 gint64 ts_ns,
                 gint32 step,
                 guint64 args,
                 guint64 offset)
{
  see_time (self, thread, ts_ns, offset);
  tt_sink_event (self->sink, thread->id, name, ts_ns, TT_NO_TIME, 0, (guint32) MIN (thread->depth, G_MAXUINT32), 0,
                 step, args);
  thread->last = LAST_NOTHING;
}

/* -- what hangs on spans ----------------------------------------------------------------------------- */

static void
metric_at_leave (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  for (guint i = 0; thread->ended != NULL && i < thread->ended->len; i++)
    {
      MetricEntry *ended = &g_array_index (thread->ended, MetricEntry, i);
      if (ended->series != series)
        continue;

      gint64 inclusive, exclusive;
      if (__builtin_sub_overflow (value, ended->enter_value, &inclusive) ||
          __builtin_sub_overflow (inclusive, ended->child_sum, &exclusive))
        break;
      tt_sink_metric (self->sink, thread->ended_event, series, inclusive, exclusive);

      /* The parent's entries of all series lie on top of the metric stack. */
      MetricEntry *entries = (MetricEntry *) (gpointer) thread->metrics.items;
      for (guint k = thread->metrics.n; k-- > 0 && entries[k].depth == thread->depth;)
        if (entries[k].series == series)
          {
            entries[k].child_sum = add_saturated (entries[k].child_sum, inclusive);
            break;
          }
      g_array_remove_index_fast (thread->ended, i);
      return;
    }
  tt_sink_repair (self->sink, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
}

void
tt_nest_metric (TtNest *self, TtNestThread *thread, guint32 series, gint64 value, guint64 offset)
{
  switch (thread->last)
    {
    case LAST_ENTER:
      *(MetricEntry *) stack_push (self, &thread->metrics) =
          (MetricEntry){ .depth = thread->depth, .enter_value = value, .series = series };
      break;
    case LAST_LEAVE:
      metric_at_leave (self, thread, series, value, offset);
      break;
    case LAST_NOTHING:
      tt_sink_repair (self->sink, TT_REPAIR_METRIC_WITHOUT_SPAN, offset);
      break;
    }
}

void
tt_nest_half (TtNest *self,
              TtNestThread *thread,
              gboolean is_send,
              gboolean is_onesided,
              guint32 peer,
              gint64 tag,
              gint64 comm,
              gint64 ts_ns,
              gint64 bytes)
{
  guint32 owner = 0;

  tt_nest_touch (self, thread, ts_ns);
  if (thread->depth > 0)
    {
      Frame *top = stack_top (&thread->frames);
      if (top->owner == 0)
        top->owner = self->sink->next_owner++;
      owner = top->owner;
    }
  tt_sink_half (self->sink, is_send, is_onesided, thread->id, thread->process, peer, tag, comm, ts_ns, bytes, owner);
}

void
tt_nest_finish (TtNest *self)
{
  for (guint i = 0; i < self->threads->len; i++)
    {
      TtNestThread *thread = self->threads->pdata[i];

      while (thread != NULL && thread->depth > 0)
        {
          const Frame *top = stack_top (&thread->frames);
          if (top->end_ns != TT_NO_TIME)
            pop_frame (self, thread, top->end_ns, 0);
          else
            {
              tt_sink_repair (self->sink, TT_REPAIR_UNCLOSED, top->offset);
              pop_frame (self, thread, MAX (thread->last_ns, top->ts_ns), TT_FLAG_UNCLOSED);
            }
        }
    }
  forget_threads (self);
}
