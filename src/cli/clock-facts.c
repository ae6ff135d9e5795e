/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/clock-facts.h"

#include "analyzers/process-order.h"
#include "src/base/units.h"
#include "src/cli/message.h"
#include "src/store/store.h"
#include "src/trace/span.h"

static void
take_residual (TtClockFacts *self, gint64 ns)
{
  self->second_ns = MAX (self->second_ns, MIN (self->first_ns, ns));
  self->first_ns = MAX (self->first_ns, ns);
}

/* Residuals are of the first clock: two others may be off to either side. */
static gint64
apart_ns (const TtClockFacts *self)
{
  return tt_span_end (self->first_ns, self->second_ns);
}

static gboolean
take_fit (const TtClockFit *fit, gpointer data)
{
  TtClockFacts *self = data;

  self->n_bounds += fit->n_bounds;
  self->n_violated += fit->n_violated;
  self->n_left += fit->n_left;
  self->worst_ns = MAX (self->worst_ns, fit->worst_ns);
  self->worst_left_ns = MAX (self->worst_left_ns, fit->worst_left_ns);
  self->is_any_unknown |= fit->residual_ns == TT_NO_TIME;
  if (fit->residual_ns != TT_NO_TIME)
    take_residual (self, fit->residual_ns);
  self->is_corrected |= fit->n_violated > 0 || fit->offset_ns != 0 || fit->drift_ns != 0;
  g_array_append_val (self->fits, *fit);
  return TRUE;
}

static guint
count_clocks (TtStore *store)
{
  guint n, n_leaders = 0;
  const TtProcess *processes = tt_store_processes (store, &n);

  for (guint i = 0; i < n; i++)
    n_leaders += processes[i].owner == processes[i].id;
  return n_leaders;
}

/* Processes of one program may have nothing to wait for in each other. */
static gboolean
are_ranks (TtStore *store)
{
  guint n, n_ranks = 0;
  const TtProcess *processes = tt_store_processes (store, &n);

  for (guint i = 0; i < n; i++)
    n_ranks += processes[i].owner == processes[i].id && processes[i].rank >= 0;
  return n_ranks > 1;
}

/* -- hosts -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  TtClockFacts *facts;
  GHashTable *of_process; /* -> index of its fit + 1 */
  GHashTable *of_host;    /* name -> the same of the first of its processes */
  TtStore *store;
  GHashTable *names;
  guint n_named; /* leaders of ranks with a host */
} Hosts;

/* Offsets are those at the begins of processes: of one clock they differ by no more than it drifts. */
static gboolean
are_of_one_clock (const TtClockFit *a, const TtClockFit *b)
{
  gint64 apart_ns = tt_time_since (a->offset_ns, b->offset_ns);

  return ABS (apart_ns) <= ABS (a->drift_ns) + ABS (b->drift_ns) + 1000;
}

static gboolean
take_metadata (guint32 process, guint32 thread, const char *key, const char *value, gpointer data)
{
  Hosts *self = data;
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_process, GUINT_TO_POINTER (process)));
  const TtProcess *of = tt_store_process (self->store, process);

  if (key == NULL || value == NULL || of == NULL || g_ascii_strcasecmp (key, "hostname") != 0)
    return TRUE;
  g_hash_table_add (self->names, g_strdup (value));
  self->n_named += of->owner == of->id;
  if (index == 0)
    return TRUE;
  guint first = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_host, value));
  if (first == 0)
    g_hash_table_insert (self->of_host, g_strdup (value), GUINT_TO_POINTER (index));
  else if (self->facts->torn_host == NULL &&
           !are_of_one_clock (&g_array_index (self->facts->fits, TtClockFit, first - 1),
                              &g_array_index (self->facts->fits, TtClockFit, index - 1)))
    self->facts->torn_host = g_strdup (value);
  return TRUE;
}

static gboolean
find_hosts (TtClockFacts *self, TtStore *store, GError **error)
{
  g_autoptr (GHashTable) of_process = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) of_host = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Hosts hosts = { self, of_process, of_host, store, names, 0 };
  GHashTableIter iter;
  gpointer host;

  for (guint i = 0; i < self->fits->len; i++)
    g_hash_table_insert (of_process, GUINT_TO_POINTER (g_array_index (self->fits, TtClockFit, i).process),
                         GUINT_TO_POINTER (i + 1));
  if (!tt_store_each_metadata (store, take_metadata, &hosts, error))
    return FALSE;
  g_hash_table_iter_init (&iter, names);
  if (hosts.n_named == count_clocks (store) && g_hash_table_size (names) == 1 &&
      g_hash_table_iter_next (&iter, &host, NULL))
    self->only_host = g_strdup (host);
  return TRUE;
}

/* -- all ---------------------------------------------------------------------------------------------------------- */

static int
compare_fits (gconstpointer a, gconstpointer b, gpointer store)
{
  return tt_process_order (store, ((const TtClockFit *) a)->process, ((const TtClockFit *) b)->process);
}

gboolean
tt_clock_facts_gather (TtClockFacts *self, TtStore *store, GError **error)
{
  *self = (TtClockFacts){ .fits = g_array_new (FALSE, FALSE, sizeof (TtClockFit)) };
  /* An import without any bounds needs no hosts, and need not load what it has millions of. */
  if (!tt_store_each_clock_fit (store, take_fit, self, error))
    return FALSE;
  if (self->fits->len == 0 && !tt_store_is_complete (store))
    return TRUE;
  if (!tt_store_complete (store, error))
    return FALSE;
  g_array_sort_with_data (self->fits, compare_fits, store);
  return find_hosts (self, store, error);
}

gboolean
tt_clock_facts_gather_all (TtClockFacts *self, TtStore *store, GError **error)
{
  return tt_clock_facts_gather (self, store, error) &&
         (self->n_left == 0 || tt_store_clock_stretch (store, &self->stretched_ns, error));
}

void
tt_clock_facts_clear (TtClockFacts *self)
{
  g_clear_pointer (&self->fits, g_array_unref);
  g_clear_pointer (&self->torn_host, g_free);
  g_clear_pointer (&self->only_host, g_free);
}

/* How far clocks may differ that nobody corrected. */
static char *
text_of_agreement (const TtClockFacts *self, const char *bounds)
{
  char residual[TT_TIME_TEXT];
  g_autofree char *known =
      self->is_any_unknown ? g_strdup ("these do not tell by how much all of them may differ")
                           : g_strdup_printf ("they differ by %s at most", tt_time_auto (residual, apart_ns (self)));

  return g_strdup_printf (
      "agree: of %s receives and ends of collectives none comes before its cause, and nothing is corrected; %s", bounds,
      known);
}

/* What offset and drift left. */
static char *
text_of_rest (const TtClockFacts *self)
{
  char left[TT_TIME_TEXT], worst_left[TT_TIME_TEXT], stretched[TT_TIME_TEXT];

  if (self->n_left == 0)
    return g_strdup ("corrected by offset and drift, none does then");
  tt_count_text (left, self->n_left);
  tt_time_auto (worst_left, self->worst_left_ns);
  if (self->worst_left_ns > TT_CLOCK_MAX_MOVE_NS)
    return g_strdup_printf (
        "corrected by offset and drift, %s that were left, by up to %s, stay: so much is no matter of clocks", left,
        worst_left);
  return g_strdup_printf (
      "corrected by offset and drift, %s that were left, by up to %s, by moving them after it, which changes"
      " durations by %s in all, none does then",
      left, worst_left, tt_time_auto (stretched, self->stretched_ns));
}

static char *
text_of_bounds (const TtClockFacts *self)
{
  char bounds[TT_TIME_TEXT], violated[TT_TIME_TEXT], worst[TT_TIME_TEXT];

  tt_count_text (bounds, self->n_bounds);
  if (!self->is_corrected)
    return text_of_agreement (self, bounds);
  g_autofree char *rest = text_of_rest (self);
  if (self->n_violated == 0)
    return g_strdup_printf (
        "differ: of %s receives and ends of collectives none comes before its cause, but over and over"
        " ranks leave collectives much earlier than others, or get messages late; %s",
        bounds, rest);
  return g_strdup_printf ("differ: %s of %s receives and ends of collectives came before their cause, by up to %s; %s",
                          tt_count_text (violated, self->n_violated), bounds, tt_time_auto (worst, self->worst_ns),
                          rest);
}

char *
tt_clock_facts_text (const TtClockFacts *self, TtStore *store)
{
  if (count_clocks (store) < 2)
    return NULL;
  if (self->n_bounds == 0)
    return g_strdup ("not compared: no message or collective ties the processes to each other");
  char *text = text_of_bounds (self);
  if (self->torn_host == NULL)
    return text;
  g_autofree char *before = text;
  return g_strdup_printf ("%s; even those of one host do, %s", before, self->torn_host);
}

/* Of ranks that keep their time because nothing ties them to others nothing is said: nobody waits for these. */
static gint64
worst_doubt (const TtClockFacts *self)
{
  for (guint i = 0; i < self->fits->len; i++)
    {
      const TtClockFit *fit = &g_array_index (self->fits, TtClockFit, i);

      if (fit->residual_ns == TT_NO_TIME && (!self->is_corrected || fit->offset_ns != 0 || fit->drift_ns != 0))
        return TT_NO_TIME;
    }
  return apart_ns (self);
}

/* By how much what one rank does may be wrong beside what another does; TT_NO_TIME: nothing tells. */
static gint64
find_doubt (const TtClockFacts *self)
{
  return self->n_bounds == 0 ? TT_NO_TIME : worst_doubt (self);
}

/* That no wait is found says nothing then. */
static gboolean
may_hide_all (gint64 doubt_ns, TtStore *store)
{
  return doubt_ns == TT_NO_TIME && are_ranks (store);
}

static char *
doubt_text (const TtClockFacts *self, gint64 doubt_ns)
{
  char residual[TT_TIME_TEXT];

  tt_time_auto (residual, doubt_ns == TT_NO_TIME ? 0 : doubt_ns);
  if (!self->is_corrected && self->only_host != NULL)
    return g_strdup_printf ("clocks: taken for one, of one host (%s); %s%s%s", self->only_host,
                            self->n_bounds == 0      ? "nothing else ties them"
                            : doubt_ns == TT_NO_TIME ? "bounds alone leave one side open"
                                                     : "bounds alone leave ",
                            doubt_ns == TT_NO_TIME ? "" : residual, doubt_ns == TT_NO_TIME ? "" : " open");
  if (doubt_ns == TT_NO_TIME)
    return g_strdup ("clocks: it is not known how far they differ");
  return g_strdup_printf ("clocks: known to %s", residual);
}

char *
tt_clock_facts_doubt (const TtClockFacts *self, TtStore *store, guint64 n, double waits_ns)
{
  gint64 doubt_ns = find_doubt (self);

  if (count_clocks (store) < 2 || (n == 0 && !may_hide_all (doubt_ns, store)) ||
      (doubt_ns != TT_NO_TIME && (double) doubt_ns * (double) n <= waits_ns / 50))
    return NULL;
  g_autofree char *text = doubt_text (self, doubt_ns);
  if (!self->is_corrected && self->only_host != NULL)
    return g_steal_pointer (&text);
  if (n == 0)
    return g_strconcat (text, ",\n  and waits for other ranks may be hidden", NULL);
  return g_strconcat (text,
                      doubt_ns == TT_NO_TIME ? ",\n  and each wait for another rank may be wrong by as much"
                                             : "; each wait for another rank may be wrong by as much",
                      NULL);
}

char *
tt_clock_facts_path_doubt (const TtClockFacts *self, TtStore *store, const GArray *waited_ns, gint64 length_ns)
{
  gint64 doubt_ns = find_doubt (self);
  guint n_shorter = 0, n = waited_ns->len;

  for (guint i = 0; i < n; i++)
    n_shorter += doubt_ns == TT_NO_TIME || g_array_index (waited_ns, gint64, i) < doubt_ns;
  if (count_clocks (store) < 2 || (n == 0 && !may_hide_all (doubt_ns, store)) ||
      (doubt_ns != TT_NO_TIME && n_shorter == 0 && (double) doubt_ns * (double) n <= (double) length_ns / 50))
    return NULL;
  g_autofree char *text = doubt_text (self, doubt_ns);
  if (!self->is_corrected && self->only_host != NULL)
    return g_steal_pointer (&text);
  if (doubt_ns == TT_NO_TIME)
    return g_strconcat (text, ",\n  and the path may go by other ranks", NULL);
  return g_strdup_printf ("%s;\n  %u of %u waits on the path for another rank %s shorter: it may go by other ranks",
                          text, n_shorter, n, n_shorter == 1 ? "is" : "are");
}

gboolean
tt_clock_facts_tell (TtStore *store, GError **error)
{
  g_auto (TtClockFacts) facts = { NULL };

  if (!tt_clock_facts_gather_all (&facts, store, error))
    return FALSE;
  if (!facts.is_corrected)
    return TRUE;
  g_autofree char *text = tt_clock_facts_text (&facts, store);
  if (text != NULL)
    tt_message (
        "the clocks of the processes %s; 'tracetool info' shows them, '--clock original' leaves times as they were",
        text);
  return TRUE;
}
