/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/blocks.h"

#include "analyzers/probes/launches.h"
#include "analyzers/probes/record-args.h"
#include "analyzers/probes/unit-clock.h"
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
  TtSorter *readings; /* of both clocks, of Reading */
  guint64 n_readings;
  GArray *clocks; /* of TtUnitClock, as units; NULL: cycles stay */
};

/* Sorted by multiprocessor and cycles; what is of one cycle comes in any order. */
typedef struct
{
  guint64 unit, cycles_key;
  gint64 ns;
} Reading;

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

/* The time of the device when a record began, beside its cycles. */
static gboolean
read_device_time (const TtEvent *event, gint64 *ns)
{
  static const char *const keys[] = { "time", "gtime", "timestamp", "gstart", "gbegin" };
  guint64 value;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (tt_probe_arg_number (event->args, keys[i], &value) && value <= G_MAXINT64)
      {
        *ns = (gint64) value;
        return TRUE;
      }
  return FALSE;
}

static gboolean
take_reading (TtBlocks *self, const TtEvent *event, guint32 unit, GError **error)
{
  gint64 ns;

  if (!self->is_aligned || !read_device_time (event, &ns))
    return TRUE;
  self->data->n_readings++;
  *(Reading *) tt_sorter_add (self->data->readings) = (Reading){ unit, tt_sort_key (event->ts_ns), ns };
  return tt_sorter_check (self->data->readings, error);
}

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
  return tt_sorter_check (self->data->records, error) && take_reading (self, event, unit, error);
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

/* -- clocks ------------------------------------------------------------------------------------------------------ */

static void
clear_clock (gpointer clock)
{
  tt_unit_clock_clear (clock);
}

/* Of one cycle, the least and the greatest time. */
static gboolean
add_readings (TtBlocks *self, GArray *clocks, GError **error)
{
  GError *failure = NULL;
  const Reading *reading;
  Reading least = { 0 };
  gint64 most = 0;
  gboolean is_open = FALSE;
  TtUnitClock *clock = NULL;

  while (TRUE)
    {
      reading = tt_sorter_next (self->data->readings, &failure);
      if (is_open && reading != NULL && reading->unit == least.unit && reading->cycles_key == least.cycles_key)
        {
          least.ns = MIN (least.ns, reading->ns);
          most = MAX (most, reading->ns);
          continue;
        }
      guint32 place = is_open ? tt_map64_get (&self->data->units, least.unit) : TT_MAP64_NONE;
      if (place != TT_MAP64_NONE)
        {
          clock = &g_array_index (clocks, TtUnitClock, place);
          tt_unit_clock_add (clock, tt_sort_value (least.cycles_key), least.ns);
          if (most > least.ns)
            tt_unit_clock_add (clock, tt_sort_value (least.cycles_key), most);
        }
      if (reading == NULL)
        break;
      least = *reading;
      most = reading->ns;
      is_open = TRUE;
    }
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* All of them, or none: the longest lends its rate to those without one. */
static gboolean
fit_all (GArray *clocks)
{
  const TtUnitClock *lender = NULL;

  for (guint i = 0; i < clocks->len; i++)
    {
      TtUnitClock *clock = &g_array_index (clocks, TtUnitClock, i);
      if (tt_unit_clock_fit (clock) && (lender == NULL || clock->run > lender->run))
        lender = clock;
    }
  for (guint i = 0; i < clocks->len && lender != NULL; i++)
    {
      TtUnitClock *clock = &g_array_index (clocks, TtUnitClock, i);
      if (!clock->is_fitted && !tt_unit_clock_borrow (clock, lender))
        return FALSE;
    }
  return lender != NULL;
}

/* Where each record has both clocks. */
static gboolean
fit_clocks (TtBlocks *self, GError **error)
{
  g_autoptr (GArray) clocks = g_array_new (FALSE, TRUE, sizeof (TtUnitClock));

  if (!tt_sorter_finish (self->data->readings, error))
    return FALSE;
  if (!self->is_aligned || self->data->n_readings < self->n_records || self->units->len == 0)
    return TRUE;
  g_array_set_clear_func (clocks, clear_clock);
  g_array_set_size (clocks, self->units->len);
  for (guint i = 0; i < clocks->len; i++)
    tt_unit_clock_init (&g_array_index (clocks, TtUnitClock, i));
  if (!add_readings (self, clocks, error))
    return FALSE;
  if (!fit_all (clocks))
    return TRUE;
  for (guint i = 0; i < clocks->len; i++)
    {
      const TtUnitClock *clock = &g_array_index (clocks, TtUnitClock, i);
      gint64 off = tt_unit_clock_error (clock);

      self->n_borrowed += clock->is_borrowed;
      if (i == 0 || off > self->error_ns)
        self->error_unit = g_array_index (self->units, TtBlockUnit, i).number;
      self->error_ns = MAX (self->error_ns, off);
    }
  self->is_aligned = FALSE;
  self->is_fitted = TRUE;
  self->data->clocks = g_steal_pointer (&clocks);
  return TRUE;
}

/* What a time of the multiprocessor at @place is in the picture. */
static gint64
time_of (const TtBlocks *self, guint place, gint64 time)
{
  if (self->is_fitted)
    return tt_unit_clock_ns (&g_array_index (self->data->clocks, TtUnitClock, place), time);
  return self->is_aligned ? time - g_array_index (self->units, TtBlockUnit, place).first : time;
}

static void
find_times (TtBlocks *self)
{
  for (guint i = 0; i < self->units->len; i++)
    {
      const TtBlockUnit *unit = &g_array_index (self->units, TtBlockUnit, i);
      gint64 begin = time_of (self, i, unit->first), end = time_of (self, i, unit->last);

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
                                .wholes = tt_sorter_new (sizeof (Whole), SORT_BYTES),
                                .readings = tt_sorter_new (sizeof (Reading), SORT_BYTES) };
  tt_selection_window (selection, &begin_ns, &end_ns);
  if (!tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, count_record, self, error))
    return NULL;
  choose_launch (self);
  self->is_aligned = self->name != TT_NO_ID && is_ticks (store, self->source);
  if (self->name != TT_NO_ID &&
      !tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, take_record, self, error))
    return NULL;
  if (!tt_sorter_finish (self->data->records, error) || !join_records (self, error))
    return NULL;
  g_array_sort (self->units, compare_units);
  for (guint i = 0; i < self->units->len; i++)
    tt_map64_set (&self->data->units, g_array_index (self->units, TtBlockUnit, i).number, i);
  if (!fit_clocks (self, error))
    return NULL;
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
  tt_sorter_free (self->data->readings);
  g_clear_pointer (&self->data->clocks, g_array_unref);
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
      gint64 last = time_of (self, i, unit->last);

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
      const TtBlock block = { unit, place, places->turns[place]++,
                              time_of (self, unit, tt_sort_value (whole->begin_key)),
                              time_of (self, unit, whole->end) };
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
