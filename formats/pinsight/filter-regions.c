#include "config.h"

#include "formats/pinsight/filter-private.h"

/* Regions that may be around a time looked at, newest first: a process has few encountering threads at once. */
#define LOOKED_AT 16u

/* The regions of one code pointer that their source has numbered. */
typedef struct
{
  guint64 codeptr;
  gint64 latest;
  GArray *recorded; /* of guint32, in order */
  const TtConfigLexgion *lexgion;
} Numbered;

typedef struct
{
  gint64 begin_ns, end_ns; /* end G_MAXINT64: open */
  guint32 token;           /* 0: ended */
  guint32 thread;
  Region region;
} Stretch;

void
filter_numbered_free (gpointer data)
{
  Numbered *numbered = data;

  g_array_unref (numbered->recorded);
  g_free (numbered);
}

/* -- by number ------------------------------------------------------------------------------------ */

/* Where @number is among the recorded, or would be. */
static guint
find_number (const Numbered *self, guint32 number)
{
  guint low = 0, high = self->recorded->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (self->recorded, guint32, middle) < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
has_number (const TtSpanFacts *facts)
{
  return facts->parallel_codeptr != 0 && facts->parallel_record_id >= 0;
}

static void
note_numbered (Process *process, const TtSpanFacts *facts, const Open *open)
{
  Numbered *numbered = g_hash_table_lookup (process->numbered, &facts->parallel_codeptr);
  guint32 number = (guint32) facts->parallel_record_id;

  if (numbered == NULL)
    {
      numbered = g_new0 (Numbered, 1);
      numbered->codeptr = facts->parallel_codeptr;
      numbered->latest = -1;
      numbered->recorded = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_hash_table_insert (process->numbered, &numbered->codeptr, numbered);
    }
  numbered->lexgion = open->lexgion;
  numbered->latest = MAX (numbered->latest, facts->parallel_record_id);
  if (!open->is_recorded)
    return;
  guint at = find_number (numbered, number);
  if (at == numbered->recorded->len || g_array_index (numbered->recorded, guint32, at) != number)
    g_array_insert_val (numbered->recorded, at, number);
}

static gboolean
find_numbered (const Process *process, const TtSpanFacts *facts, Region *region)
{
  const Numbered *numbered = g_hash_table_lookup (process->numbered, &facts->parallel_codeptr);

  if (numbered == NULL || facts->parallel_record_id > numbered->latest)
    return FALSE;
  guint32 number = (guint32) facts->parallel_record_id;
  guint at = find_number (numbered, number);
  region->lexgion = numbered->lexgion;
  region->is_recorded = at < numbered->recorded->len && g_array_index (numbered->recorded, guint32, at) == number;
  return TRUE;
}

/* -- by time -------------------------------------------------------------------------------------- */

/* The number of those that begin by @ts_ns. */
static guint
count_until (const GArray *by_time, gint64 ts_ns)
{
  guint low = 0, high = by_time->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (by_time, Stretch, middle).begin_ns <= ts_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
note_time (Process *process, guint32 token, const Open *open, const TtFilterBegin *begin)
{
  const Stretch stretch = { begin->ts_ns,
                            begin->end_ns == TT_NO_TIME ? G_MAXINT64 : begin->end_ns,
                            token,
                            open->thread,
                            { open->is_recorded, open->lexgion } };

  if (process->by_time == NULL)
    process->by_time = g_array_new (FALSE, FALSE, sizeof (Stretch));
  g_array_insert_val (process->by_time, count_until (process->by_time, begin->ts_ns), stretch);
}

/* Stretches of one thread that follow each other and were decided alike become one, so that few are kept. */
static void
end_time (Process *process, guint32 token, gint64 end_ns)
{
  GArray *by_time = process->by_time;
  guint i = by_time == NULL ? 0 : by_time->len;

  while (i > 0 && g_array_index (by_time, Stretch, i - 1).token != token)
    i--;
  if (i == 0)
    return;
  Stretch *ended = &g_array_index (by_time, Stretch, i - 1);
  ended->end_ns = end_ns;
  ended->token = 0;
  if (i < 2)
    return;
  Stretch *before = ended - 1;
  if (before->token == 0 && before->thread == ended->thread && before->end_ns <= ended->begin_ns &&
      before->region.is_recorded == ended->region.is_recorded && before->region.lexgion == ended->region.lexgion)
    {
      before->end_ns = end_ns;
      g_array_remove_index (by_time, i - 1);
    }
}

static gboolean
find_by_time (const Process *process, gint64 ts_ns, Region *region)
{
  guint end = process->by_time == NULL ? 0 : count_until (process->by_time, ts_ns);

  for (guint i = end; i > 0 && end - i < LOOKED_AT; i--)
    {
      const Stretch *stretch = &g_array_index (process->by_time, Stretch, i - 1);
      if (stretch->end_ns > ts_ns)
        {
          *region = stretch->region;
          return TRUE;
        }
    }
  return FALSE;
}

/* -- all ------------------------------------------------------------------------------------------ */

void
filter_open_region (TtConfigFilter *self, guint32 token, const TtSpanFacts *facts, const TtFilterBegin *begin)
{
  const Open *open = open_of (self, token);
  Thread *thread = filter_thread (self, open->thread);
  Process *process = filter_process (self, thread->process);

  if (has_number (facts))
    note_numbered (process, facts, open);
  else if (thread->regions->len == 0)
    note_time (process, token, open, begin);
  g_array_append_val (thread->regions, token);
}

void
filter_close_region (TtConfigFilter *self, guint32 token, gint64 end_ns)
{
  const Open *open = open_of (self, token);
  Thread *thread = filter_thread (self, open->thread);

  for (guint i = thread->regions->len; i-- > 0;)
    if (g_array_index (thread->regions, guint32, i) == token)
      {
        g_array_remove_index (thread->regions, i);
        break;
      }
  end_time (filter_process (self, thread->process), token, end_ns);
}

gboolean
filter_region_on_thread (const TtConfigFilter *self, const Thread *thread, Region *region)
{
  if (thread->regions->len == 0)
    return FALSE;
  const Open *open = open_of (self, g_array_index (thread->regions, guint32, thread->regions->len - 1));
  region->is_recorded = open->is_recorded;
  region->lexgion = open->lexgion;
  return TRUE;
}

gboolean
filter_find_region (TtConfigFilter *self, const Thread *thread, const TtSpanFacts *facts, gint64 ts_ns, Region *region)
{
  const Process *process = filter_process (self, thread->process);

  return (has_number (facts) && find_numbered (process, facts, region)) ||
         filter_region_on_thread (self, thread, region) || find_by_time (process, ts_ns, region);
}
