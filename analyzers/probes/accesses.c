/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/probes/accesses.h"

#include "analyzers/arg-value.h"
#include "analyzers/probes/launches.h"
#include "analyzers/probes/record-args.h"
#include "analyzers/spans/each-event.h"
#include "src/base/compare.h"

#include <string.h>

#define MAX_TENSORS 256u

/* What a launch accesses. */
typedef struct
{
  gboolean has_clock;
  gint64 first, last;
  guint shift;
  GHashTable *pages; /* of guint64 *, addresses; NULL: nothing yet */
} Launch;

typedef struct
{
  TtAccesses *accesses;
  const guint8 *is_asked;
  const guint32 *first_names;
  TtProbeLaunches launches;
  Launch of_place[TT_PROBE_MAX_LAUNCHES];
} Collector;

static void
collector_clear (Collector *self)
{
  for (guint i = 0; i < self->launches.n; i++)
    g_hash_table_unref (self->of_place[i].pages);
  tt_probe_launches_clear (&self->launches);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Collector, collector_clear)

static void
free_tensor (gpointer data)
{
  TtAccessTensor *self = data;

  g_free (self->label);
  g_free (self);
}

/* -- arguments --------------------------------------------------------------------------------------------------- */

/* The text of a string without escapes; empty: there is none. Free it. */
static char *
read_text (const char *args, const char *key)
{
  const char *value = tt_arg_value (args, key);
  gsize len = value == NULL || *value != '"' ? 0 : tt_arg_value_length (value);

  return len < 2 ? g_strdup ("") : g_strndup (value + 1, len - 2);
}

typedef struct
{
  guint64 address;
  gint64 time;
  gboolean has_clock;
} Access;

static gboolean
read_access (const TtEvent *event, Access *access)
{
  guint64 clock;

  if (!tt_probe_arg_number (event->args, "addr", &access->address) &&
      !tt_probe_arg_number (event->args, "address", &access->address))
    return FALSE;
  access->has_clock = tt_probe_arg_number (event->args, "clock", &clock) && clock <= G_MAXINT64;
  access->time = access->has_clock ? (gint64) clock : event->ts_ns;
  return TRUE;
}

/* -- tensors ----------------------------------------------------------------------------------------------------- */

static void
take_tensor (TtAccesses *self, const TtEvent *event)
{
  guint64 address, bytes;

  if (event->args == NULL || self->tensors->len >= MAX_TENSORS ||
      !tt_probe_arg_number (event->args, "address", &address) || !tt_probe_arg_number (event->args, "bytes", &bytes) ||
      bytes == 0)
    return;
  for (guint i = 0; i < self->tensors->len; i++)
    if (((const TtAccessTensor *) self->tensors->pdata[i])->address == address)
      return;
  g_autofree char *variable = read_text (event->args, "variable"), *shape = read_text (event->args, "shape");
  TtAccessTensor *tensor = g_new0 (TtAccessTensor, 1);
  tensor->address = address;
  tensor->bytes = bytes;
  tensor->label = g_strdup_printf ("%s%s%s", variable, *variable == '\0' ? "" : " ", shape);
  g_ptr_array_add (self->tensors, tensor);
}

const TtAccessTensor *
tt_accesses_tensor (const TtAccesses *self, guint64 page)
{
  guint64 end = page + (((guint64) 1 << self->shift) - 1);

  for (guint i = 0; i < self->tensors->len; i++)
    {
      const TtAccessTensor *tensor = self->tensors->pdata[i];
      if (tensor->address <= end && page - MIN (page, tensor->address) < tensor->bytes)
        return tensor;
    }
  return NULL;
}

/* What Neutrino's helper says of calls of the program, not what a probe saved. */
static gboolean
is_of_helper (TtStore *store, const TtEvent *event)
{
  const TtThread *thread = tt_store_thread (store, event->thread);

  return thread != NULL && g_strcmp0 (thread->tid, "tensors") == 0;
}

/* -- the first scan: launches and their pages --------------------------------------------------------------------- */

static guint64
page_of (guint64 address, guint shift)
{
  return address >> shift << shift;
}

static void
add_page (GHashTable *pages, guint64 page)
{
  if (!g_hash_table_contains (pages, &page))
    g_hash_table_add (pages, g_memdup2 (&page, sizeof page));
}

static GHashTable *
new_pages (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

/* Twice as large until they are few enough. */
static void
enlarge_pages (Launch *self)
{
  while (g_hash_table_size (self->pages) > TT_ACCESSES_MAX_PAGES && self->shift < 63)
    {
      GHashTable *fewer = new_pages ();
      GHashTableIter iter;
      gpointer page;

      self->shift++;
      g_hash_table_iter_init (&iter, self->pages);
      while (g_hash_table_iter_next (&iter, &page, NULL))
        add_page (fewer, page_of (*(const guint64 *) page, self->shift));
      g_hash_table_unref (self->pages);
      self->pages = fewer;
    }
}

static gboolean
find_access (const TtEvent *event, gpointer data, GError **error)
{
  Collector *self = data;
  Access access;

  (void) error;
  if (event->args == NULL || !read_access (event, &access))
    return TRUE;
  if (is_of_helper (self->accesses->store, event))
    {
      take_tensor (self->accesses, event);
      return TRUE;
    }
  if ((self->is_asked != NULL && !self->is_asked[self->first_names[event->name]]) ||
      !tt_selection_matches (self->accesses->selection, event))
    return TRUE;
  guint place = tt_probe_launches_add (&self->launches, event->source, self->first_names[event->name]);
  if (place == TT_PROBE_NO_LAUNCH)
    return TRUE;
  Launch *launch = &self->of_place[place];
  if (launch->pages == NULL)
    *launch = (Launch){ access.has_clock, access.time, access.time, TT_ACCESSES_PAGE_SHIFT, new_pages () };
  launch->has_clock &= access.has_clock;
  launch->first = MIN (launch->first, access.time);
  launch->last = MAX (launch->last, access.time);
  add_page (launch->pages, page_of (access.address, launch->shift));
  if (g_hash_table_size (launch->pages) > TT_ACCESSES_MAX_PAGES)
    enlarge_pages (launch);
  return TRUE;
}

/* -- the launch that is shown ---------------------------------------------------------------------------------------- */

static int
compare_pages (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const guint64 *) a, *(const guint64 *) b);
}

static void
choose_launch (Collector *self)
{
  TtAccesses *accesses = self->accesses;
  TtProbeLaunch launch;
  GHashTableIter iter;
  gpointer value;
  gboolean is_any = tt_probe_launches_choose (&self->launches, &launch);

  accesses->n_others = launch.n_others;
  if (!is_any)
    return;
  const Launch *best = &self->of_place[launch.place];
  accesses->source = launch.source;
  accesses->name = launch.name;
  accesses->n_launches = self->launches.n;
  accesses->n = launch.n_records;
  accesses->has_clock = best->has_clock;
  accesses->first = best->first;
  accesses->last = best->last;
  accesses->shift = best->shift;
  g_hash_table_iter_init (&iter, best->pages);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    g_array_append_vals (accesses->pages, value, 1);
  g_array_sort (accesses->pages, compare_pages);
}

TtAccesses *
tt_accesses_new (TtStore *store,
                 const TtSelection *selection,
                 const guint8 *is_asked,
                 const guint32 *first_names,
                 GError **error)
{
  g_autoptr (TtAccesses) self = g_new0 (TtAccesses, 1);
  g_auto (Collector) collector = { .accesses = self, .is_asked = is_asked, .first_names = first_names };
  gint64 begin_ns, end_ns;

  *self = (TtAccesses){
    .store = store, .selection = selection, .source = TT_NO_ID, .name = TT_NO_ID, .shift = TT_ACCESSES_PAGE_SHIFT
  };
  self->pages = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->tensors = g_ptr_array_new_with_free_func (free_tensor);
  tt_selection_window (selection, &begin_ns, &end_ns);
  if (!tt_each_event_between (store, TT_SCAN_ARGS, begin_ns, end_ns, find_access, &collector, error))
    return NULL;
  choose_launch (&collector);
  return g_steal_pointer (&self);
}

void
tt_accesses_free (TtAccesses *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pages);
  g_ptr_array_unref (self->tensors);
  g_free (self);
}

/* -- the second scan ------------------------------------------------------------------------------------------------- */

typedef struct
{
  const TtAccesses *accesses;
  const guint32 *first_names;
  TtAccessFunc func;
  gpointer data;
} Second;

static gboolean
give_access (const TtEvent *event, gpointer data, GError **error)
{
  const Second *self = data;
  const TtAccesses *accesses = self->accesses;
  Access access;
  guint page;

  (void) error;
  if (event->source != accesses->source || self->first_names[event->name] != accesses->name || event->args == NULL ||
      !tt_selection_matches (accesses->selection, event) || !read_access (event, &access))
    return TRUE;
  guint64 address = page_of (access.address, accesses->shift);
  /* Records without a clock among those that have one are nowhere in it. */
  gint64 time = accesses->has_clock || !access.has_clock ? access.time : event->ts_ns;
  if (time >= accesses->first && time <= accesses->last &&
      g_array_binary_search (accesses->pages, &address, compare_pages, &page))
    self->func (page, time, self->data);
  return TRUE;
}

gboolean
tt_accesses_each (const TtAccesses *self, TtAccessFunc func, gpointer data, GError **error)
{
  g_autofree guint32 *first_names = tt_store_first_names (self->store, error);
  const Second second = { self, first_names, func, data };
  gint64 begin_ns, end_ns;

  if (first_names == NULL)
    return FALSE;
  tt_selection_window (self->selection, &begin_ns, &end_ns);
  return self->name == TT_NO_ID ||
         tt_each_event_between (self->store, TT_SCAN_ARGS, begin_ns, end_ns, give_access, (gpointer) &second, error);
}
