/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/banks.h"

#include "analyzers/probes/launches.h"
#include "analyzers/probes/record-args.h"
#include "analyzers/spans/each-event.h"
#include "src/base/compare.h"
#include "src/base/sorter.h"

#include <stdlib.h>

#define SORT_BYTES ((gsize) 16 << 20)
#define WARP 32u
#define MAX_WARPS 32u /* of a block */
/* Beyond what any machine has for a block. */
#define MAX_ADDRESS (1u << 20)
#define MAX_BYTES 16u
#define MAX_WORDS (WARP * (MAX_BYTES / 4 + 1))
/* Behind the bits of a block: its last axis is shorter here. */
#define WARP_SHIFT 59u

/* An access of a thread; sorted by time, and block and warp. */
typedef struct
{
  guint64 time_key, warp;
  guint64 lane;
  guint32 first, last; /* words */
} Record;

typedef struct
{
  TtBanks *banks;
  TtStore *store;
  const TtSelection *selection;
  const guint8 *is_asked;
  const guint32 *first_names;
  TtProbeLaunches launches;
  gint64 first[TT_PROBE_MAX_LAUNCHES], last[TT_PROBE_MAX_LAUNCHES]; /* times, by launch */
  TtSorter *records;
} Collector;

static void
collector_clear (Collector *self)
{
  tt_probe_launches_clear (&self->launches);
  tt_sorter_free (self->records);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

/* -- records ------------------------------------------------------------------------------------------------ */

/* Of NVIDIA's: AMD's machines have other waves and banks. */
static gboolean
is_record (const Collector *self, const TtEvent *event, guint64 *address)
{
  const TtThread *thread = tt_store_thread (self->store, event->thread);

  return event->args != NULL && (thread == NULL || thread->tid == NULL || !g_str_has_prefix (thread->tid, "CU ")) &&
         (self->is_asked == NULL || self->is_asked[self->first_names[event->name]]) &&
         (tt_probe_arg_number (event->args, "addr", address) ||
          tt_probe_arg_number (event->args, "address", address)) &&
         g_strstr_len (event->args, -1, "\"block\"") != NULL && tt_selection_matches (self->selection, event);
}

static gboolean
count_record (const TtEvent *event, gpointer data, GError **error)
{
  Collector *self = data;
  guint64 address;

  (void) error;
  if (!is_record (self, event, &address))
    return TRUE;
  guint n = self->launches.n;
  guint place = tt_probe_launches_add (&self->launches, event->source, self->first_names[event->name]);
  if (place == TT_PROBE_NO_LAUNCH)
    return TRUE;
  if (place == n)
    self->first[place] = self->last[place] = event->ts_ns;
  self->first[place] = MIN (self->first[place], event->ts_ns);
  self->last[place] = MAX (self->last[place], event->ts_ns);
  return TRUE;
}

static gboolean
read_record (const TtBanks *banks, const TtEvent *event, guint64 address, Record *record)
{
  guint64 block, thread, slot = 0, bytes = 4;

  if (!tt_probe_arg_block (event->args, &block) || block >> WARP_SHIFT != 0 ||
      !tt_probe_arg_number (event->args, "thread", &thread) || thread >= WARP * MAX_WARPS || address >= MAX_ADDRESS ||
      (tt_probe_arg_number (event->args, "bytes", &bytes) && (bytes == 0 || bytes > MAX_BYTES)))
    return FALSE;
  if (!banks->has_time && (!tt_probe_arg_number (event->args, "slot", &slot) || slot > G_MAXINT64))
    slot = 0;
  *record = (Record){ tt_sort_key (banks->has_time ? event->ts_ns : (gint64) slot), block | thread / WARP << WARP_SHIFT,
                      thread % WARP, (guint32) (address / 4), (guint32) ((address + bytes - 1) / 4) };
  return TRUE;
}

static gboolean
take_record (const TtEvent *event, gpointer data, GError **error)
{
  Collector *self = data;
  guint64 address;
  Record record;

  if (event->source != self->banks->source || !is_record (self, event, &address) ||
      self->first_names[event->name] != self->banks->name)
    return TRUE;
  if (read_record (self->banks, event, address, &record))
    *(Record *) tt_sorter_add (self->records) = record;
  else
    self->banks->n_odd++;
  return tt_sorter_check (self->records, error);
}

/* -- accesses of warps --------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 time_key, warp;
  guint32 lanes; /* that are there, as bits */
  gboolean is_odd;
  guint64 n_records;
  guint32 words[MAX_WORDS];
  guint n;
} Access;

static int
compare_words (const void *a, const void *b)
{
  return TT_COMPARE (*(const guint32 *) a, *(const guint32 *) b);
}

/* Keeps each word once. */
static void
sort_words (Access *self)
{
  guint n = 0;

  qsort (self->words, self->n, sizeof *self->words, compare_words);
  for (guint i = 0; i < self->n; i++)
    if (n == 0 || self->words[n - 1] != self->words[i])
      self->words[n++] = self->words[i];
  self->n = n;
}

static void
end_access (TtBanks *banks, Access *self)
{
  guint of_bank[TT_BANKS] = { 0 }, passes = 0, least;

  if (self->n_records == 0)
    return;
  if (self->is_odd)
    {
      banks->n_odd += self->n_records;
      return;
    }
  sort_words (self);
  for (guint i = 0; i < self->n; i++)
    of_bank[self->words[i] % TT_BANKS]++;
  for (guint bank = 0; bank < TT_BANKS; bank++)
    passes = MAX (passes, of_bank[bank]);
  least = (self->n + TT_BANKS - 1) / TT_BANKS;
  for (guint bank = 0; bank < TT_BANKS; bank++)
    *(passes > least ? &banks->conflicting[bank] : &banks->plain[bank]) += of_bank[bank];
  banks->n_accesses++;
  banks->n_conflicts += passes > least;
  banks->n_words += self->n;
  banks->n_passes += passes;
  banks->n_least += least;
  (passes > least ? banks->caused : banks->needed)[MIN (passes, TT_BANKS_MAX_PASSES)]++;
}

static void
add_record (Access *self, const Record *record)
{
  guint32 bit = 1u << record->lane;

  self->n_records++;
  self->is_odd |= (self->lanes & bit) != 0;
  self->lanes |= bit;
  for (guint32 word = record->first; word <= record->last && !self->is_odd; word++)
    self->words[self->n++] = word;
}

static gboolean
join_records (Collector *self, GError **error)
{
  g_autofree Access *access = g_new0 (Access, 1);
  GError *failure = NULL;
  const Record *record;

  while ((record = tt_sorter_next (self->records, &failure)) != NULL)
    {
      if (access->n_records > 0 && (record->time_key != access->time_key || record->warp != access->warp))
        {
          end_access (self->banks, access);
          *access = (Access){ 0 };
        }
      access->time_key = record->time_key;
      access->warp = record->warp;
      add_record (access, record);
    }
  end_access (self->banks, access);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
tt_banks_find (TtBanks *self,
               TtStore *store,
               const TtSelection *selection,
               const guint8 *is_asked,
               const guint32 *first_names,
               GError **error)
{
  g_auto (Collector) collector = { .banks = self,
                                   .store = store,
                                   .selection = selection,
                                   .is_asked = is_asked,
                                   .first_names = first_names,
                                   .records = tt_sorter_new (sizeof (Record), SORT_BYTES) };
  TtProbeLaunch launch;
  gint64 begin_ns, end_ns;

  *self = (TtBanks){ .source = TT_NO_ID, .name = TT_NO_ID };
  tt_selection_window (selection, &begin_ns, &end_ns);
  if (!tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, count_record, &collector, error))
    return FALSE;
  gboolean is_any = tt_probe_launches_choose (&collector.launches, &launch);
  self->n_others = launch.n_others;
  if (!is_any)
    return TRUE;
  self->source = launch.source;
  self->name = launch.name;
  self->n_records = launch.n_records;
  self->has_time = collector.first[launch.place] < collector.last[launch.place];
  return tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, take_record, &collector, error) &&
         tt_sorter_finish (collector.records, error) && join_records (&collector, error);
}
