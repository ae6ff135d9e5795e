/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/blocks.h"

#include "analyzers/probes/launches.h"
#include "analyzers/probes/record-args.h"
#include "analyzers/spans/each-event.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/sorter.h"
#include "src/trace/span.h"

#include <stdlib.h>
#include <string.h>

#define SORT_BYTES ((gsize) 16 << 20)
/* No GPU has as many multiprocessors, or runs so many blocks at once on one. */
#define MAX_UNIT 65535u
#define MAX_PLACES 256u

/* Of a thread or warp; sorted by block and begin. */
typedef struct
{
  guint64 block, begin_key;
  gint64 end;
  guint64 unit;
} Record;

/* Sorted by multiprocessor and begin. */
typedef struct
{
  guint64 unit, begin_key; /* unit: its number */
  gint64 end;
} Whole;

struct _TtBlocksData
{
  TtStore *store;
  const TtSelection *selection;
  const guint8 *is_asked;
  const guint32 *first_names;
  TtProbeLaunches launches;
  TtMap64 units; /* number -> place */
  TtSorter *records, *wholes;
};

/* -- records ----------------------------------------------------------------------------------------------------- */

/* "SM 12:3", "CU 12". FALSE: another thread. */
static gboolean
read_unit (TtStore *store, guint32 thread, guint32 *unit, const char **word)
{
  const TtThread *found = tt_store_thread (store, thread);
  guint64 number = 0;
  const char *at;

  if (found == NULL || found->tid == NULL || found->tid[0] == '\0')
    return FALSE;
  *word = g_str_has_prefix (found->tid, "SM ") ? "SM" : "CU";
  if (!g_str_has_prefix (found->tid, *word) || found->tid[2] != ' ' || !g_ascii_isdigit (found->tid[3]))
    return FALSE;
  for (at = found->tid + 3; g_ascii_isdigit (*at) && number <= MAX_UNIT; at++)
    number = number * 10 + (guint64) (*at - '0');
  *unit = (guint32) number;
  return number <= MAX_UNIT && (*at == '\0' || *at == ':');
}

static gboolean
is_record (const TtBlocksData *self, const TtEvent *event, guint32 *unit, const char **word, guint64 *block)
{
  return event->dur_ns != TT_NO_TIME && event->args != NULL &&
         (self->is_asked == NULL || self->is_asked[self->first_names[event->name]]) &&
         read_unit (self->store, event->thread, unit, word) && tt_probe_arg_block (event->args, block) &&
         tt_selection_matches (self->selection, event);
}

/* -- the first scan: how many records each launch has ------------------------------------------------------------- */

static gboolean
count_record (const TtEvent *event, gpointer data, GError **error)
{
  TtBlocksData *self = ((TtBlocks *) data)->data;
  const char *word;
  guint64 block;
  guint32 unit;

  (void) error;
  if (!is_record (self, event, &unit, &word, &block))
    return TRUE;
  tt_probe_launches_add (&self->launches, event->source, self->first_names[event->name]);
  return TRUE;
}

static void
choose_launch (TtBlocks *self)
{
  TtProbeLaunch launch;
  gboolean is_any = tt_probe_launches_choose (&self->data->launches, &launch);

  self->n_others = launch.n_others;
  if (!is_any)
    return;
  self->source = launch.source;
  self->name = launch.name;
  self->n_records = launch.n_records;
}

/* -- the second scan: its blocks ---------------------------------------------------------------------------------- */

static gboolean
take_record (const TtEvent *event, gpointer data, GError **error)
{
  TtBlocks *self = data;
  guint64 block;
  guint32 unit;

  if (event->source != self->source || !is_record (self->data, event, &unit, &self->word, &block) ||
      self->data->first_names[event->name] != self->name)
    return TRUE;
  Record *record = tt_sorter_add (self->data->records);
  *record = (Record){ block, tt_sort_key (event->ts_ns), tt_span_end (event->ts_ns, event->dur_ns), unit };
  return tt_sorter_check (self->data->records, error);
}

static void
add_whole (TtBlocks *self, const Record *block)
{
  TtBlocksData *data = self->data;
  guint32 place = tt_map64_get (&data->units, block->unit);
  gint64 begin = tt_sort_value (block->begin_key);
  Whole *whole = tt_sorter_add (data->wholes);

  *whole = (Whole){ block->unit, block->begin_key, block->end };
  self->n_blocks++;
  if (place == TT_MAP64_NONE)
    {
      const TtBlockUnit fresh = { (guint32) block->unit, 0, begin, block->end };
      place = self->units->len;
      tt_map64_set (&data->units, block->unit, place);
      g_array_append_val (self->units, fresh);
    }
  TtBlockUnit *unit = &g_array_index (self->units, TtBlockUnit, place);
  unit->n_blocks++;
  unit->first = MIN (unit->first, begin);
  unit->last = MAX (unit->last, block->end);
}

/* The records of a block, which follow each other, become one. */
static gboolean
join_records (TtBlocks *self, GError **error)
{
  GError *failure = NULL;
  const Record *record;
  Record block = { 0 };
  gboolean is_open = FALSE;

  while ((record = tt_sorter_next (self->data->records, &failure)) != NULL)
    {
      if (is_open && record->block == block.block)
        {
          block.end = MAX (block.end, record->end);
          continue;
        }
      if (is_open)
        add_whole (self, &block);
      block = *record;
      is_open = TRUE;
    }
  if (is_open)
    add_whole (self, &block);
  if (failure == NULL)
    return tt_sorter_finish (self->data->wholes, error);
  g_propagate_error (error, failure);
  return FALSE;
}

static int
compare_units (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const TtBlockUnit *) a)->number, ((const TtBlockUnit *) b)->number);
}

/* What times of a multiprocessor are counted from. */
static gint64
zero_of (const TtBlocks *self, const TtBlockUnit *unit)
{
  return self->is_aligned ? unit->first : 0;
}

static void
find_times (TtBlocks *self)
{
  for (guint i = 0; i < self->units->len; i++)
    {
      const TtBlockUnit *unit = &g_array_index (self->units, TtBlockUnit, i);
      gint64 begin = unit->first - zero_of (self, unit), end = unit->last - zero_of (self, unit);

      self->begin = i == 0 ? begin : MIN (self->begin, begin);
      self->end = i == 0 ? end : MAX (self->end, end);
    }
  self->end = MAX (self->end, self->begin + 1);
}

static gboolean
is_ticks (TtStore *store, guint32 id)
{
  const TtSource *source = tt_store_source (store, id);

  return source != NULL && g_strcmp0 (source->clock, "ticks") == 0;
}

TtBlocks *
tt_blocks_new (TtStore *store,
               const TtSelection *selection,
               const guint8 *is_asked,
               const guint32 *first_names,
               GError **error)
{
  g_autoptr (TtBlocks) self = g_new0 (TtBlocks, 1);
  gint64 begin_ns, end_ns;

  *self = (TtBlocks){ .source = TT_NO_ID, .name = TT_NO_ID, .word = "SM", .end = 1, .data = g_new0 (TtBlocksData, 1) };
  self->units = g_array_new (FALSE, FALSE, sizeof (TtBlockUnit));
  *self->data = (TtBlocksData){ .store = store,
                                .selection = selection,
                                .is_asked = is_asked,
                                .first_names = first_names,
                                .records = tt_sorter_new (sizeof (Record), SORT_BYTES),
                                .wholes = tt_sorter_new (sizeof (Whole), SORT_BYTES) };
  tt_selection_window (selection, &begin_ns, &end_ns);
  if (!tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, count_record, self, error))
    return NULL;
  choose_launch (self);
  if (self->name != TT_NO_ID &&
      !tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, take_record, self, error))
    return NULL;
  if (!tt_sorter_finish (self->data->records, error) || !join_records (self, error))
    return NULL;
  self->is_aligned = is_ticks (store, self->source);
  g_array_sort (self->units, compare_units);
  for (guint i = 0; i < self->units->len; i++)
    tt_map64_set (&self->data->units, g_array_index (self->units, TtBlockUnit, i).number, i);
  find_times (self);
  return g_steal_pointer (&self);
}

void
tt_blocks_free (TtBlocks *self)
{
  if (self == NULL)
    return;
  tt_sorter_free (self->data->records);
  tt_sorter_free (self->data->wholes);
  tt_probe_launches_clear (&self->data->launches);
  tt_map64_clear (&self->data->units);
  g_free (self->data);
  g_array_unref (self->units);
  g_free (self);
}

/* -- places ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  guint64 unit;
  guint n;
  gint64 ends[MAX_PLACES];
  guint64 turns[MAX_PLACES];
} Places;

/* The first that is free; where there are too many, the one that is free first. */
static guint
find_place (Places *self, const Whole *whole)
{
  gint64 begin = tt_sort_value (whole->begin_key);
  guint first = 0;

  for (guint i = 0; i < self->n; i++)
    {
      if (self->ends[i] <= begin)
        return i;
      first = self->ends[i] < self->ends[first] ? i : first;
    }
  if (self->n == MAX_PLACES)
    return first;
  self->turns[self->n] = 0;
  return self->n++;
}

static void
find_tail (TtBlocks *self)
{
  self->tail = 0;
  self->tail_begin = self->end;
  for (guint i = 0; i < self->units->len; i++)
    {
      const TtBlockUnit *unit = &g_array_index (self->units, TtBlockUnit, i);
      gint64 last = unit->last - zero_of (self, unit);

      self->tail_begin = MIN (self->tail_begin, last);
      self->tail += self->end - last;
    }
}

gboolean
tt_blocks_each (TtBlocks *self, TtBlockFunc func, gpointer data, GError **error)
{
  g_autofree Places *places = g_new0 (Places, 1);
  GError *failure = NULL;
  const Whole *whole;

  places->unit = G_MAXUINT64;
  while ((whole = tt_sorter_next (self->data->wholes, &failure)) != NULL)
    {
      if (whole->unit != places->unit)
        *places = (Places){ .unit = whole->unit };
      guint unit = tt_map64_get (&self->data->units, whole->unit), place = find_place (places, whole);
      gint64 zero = zero_of (self, &g_array_index (self->units, TtBlockUnit, unit));
      const TtBlock block = { unit, place, places->turns[place]++, tt_sort_value (whole->begin_key) - zero,
                              whole->end - zero };
      places->ends[place] = whole->end;
      self->most = MAX (self->most, places->n);
      self->busy += block.end - block.begin;
      func (&block, data);
    }
  find_tail (self);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}
