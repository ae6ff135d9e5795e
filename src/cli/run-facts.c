/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/run-facts.h"

#include "src/base/units.h"
#include "src/cli/message.h"
#include "src/store/apart.h"
#include "src/store/few.h"
#include "src/store/statistics.h"
#include "src/store/trust.h"

#define SECOND_NS G_GINT64_CONSTANT (1000000000)
#define MAX_LISTED 6u

static gboolean
count_spans (const TtStatistic *row, gpointer data)
{
  *(guint64 *) data += row->count;
  return TRUE;
}

gboolean
tt_run_facts_gather (TtRunFacts *self, TtStore *store, GError **error)
{
  GError *failure = NULL;
  TtStoreCounts counts;
  guint n_sources;
  const TtSource *sources = tt_store_sources (store, &n_sources);

  *self = (TtRunFacts){ .n_processes = tt_store_max_process (store), .n_threads = tt_store_max_thread (store) };
  /* A file with several clocks is several sources. */
  for (guint i = 0; i < n_sources; i++)
    if (i == 0 || g_strcmp0 (sources[i].path, sources[i - 1].path) != 0 ||
        g_strcmp0 (sources[i].hash, sources[i - 1].hash) != 0)
      self->n_source_bytes += sources[i].bytes;

  self->has_time = tt_store_main_range (store, &self->first_ns, &self->last_ns, &failure);
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  if (!tt_store_n_ranks (store, &self->n_ranks, error) ||
      !tt_store_each_statistic (store, TT_STATISTIC_BY_NAME, count_spans, &self->n_spans, error) ||
      !tt_store_counts (store, &counts, error))
    return FALSE;
  self->n_counters = counts.n_counters;
  self->n_metrics = counts.n_metrics;
  self->n_collectives = counts.n_collectives;
  self->n_flows = counts.n_flows;
  self->n_parameters = counts.n_parameters;
  self->n_args = counts.n_args;
  self->n_messages = counts.n_messages;
  self->n_matched = counts.n_matched;
  self->message_bytes = counts.message_bytes;
  self->n_instants = tt_store_n_events (store) - MIN (self->n_spans, tt_store_n_events (store));
  return TRUE;
}

char *
tt_repairs_describe (const TtRepairs *self, const char *path)
{
  GString *text = g_string_new (NULL);

  for (int kind = 0; kind < TT_N_REPAIRS; kind++)
    {
      if (self->count[kind] == 0)
        continue;
      g_autofree char *one = tt_repair_describe (self, kind, path);
      g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", one);
    }
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

gboolean
tt_store_is_ticks (TtStore *store)
{
  guint n;
  const TtSource *sources = tt_store_sources (store, &n);

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (sources[i].clock, tt_clock_text (TT_CLOCK_TICKS)) != 0)
      return FALSE;
  return n > 0;
}

char *
tt_length_text (TtStore *store, gint64 length)
{
  char buffer[TT_TIME_TEXT];

  if (tt_store_is_ticks (store))
    return g_strdup_printf ("%s ticks", tt_count_text (buffer, (guint64) length));
  return g_strdup (tt_time_auto (buffer, length));
}

/* -- traces that are not of one run ------------------------------------------------------------------------------ */

const char tt_apart_advice[] =
    "'tracetool import' each by itself makes a run of each, 'tracetool compare' shows them side by side";

/* In words that people use of times that no run lasts: "659 days". */
static char *
gap_text (gint64 gap_ns)
{
  gint64 minutes = gap_ns / SECOND_NS / 60, hours = minutes / 60;
  char buffer[TT_TIME_TEXT];

  if (minutes == 0)
    return g_strdup (tt_time_auto (buffer, gap_ns));
  if (hours >= 48)
    return g_strdup_printf ("%" G_GINT64_FORMAT " days", hours / 24);
  if (minutes >= 120)
    return g_strdup_printf ("%" G_GINT64_FORMAT " hours", hours);
  return g_strdup_printf ("%" G_GINT64_FORMAT " minute%s", minutes, minutes == 1 ? "" : "s");
}

/* The folder of a file of TAU, of which a run has many. */
static char *
path_to_import (const TtSource *source)
{
  return g_strcmp0 (source->format, "tau") == 0 ? g_path_get_dirname (source->path) : g_strdup (source->path);
}

static char *
two_runs_text (const TtApart *apart)
{
  g_autofree char *before = path_to_import (apart->before), *after = path_to_import (apart->after);
  g_autofree char *why =
      apart->both != NULL ? g_strdup_printf ("both have %s", apart->both)
      : apart->worlds[0] != NULL
          ? g_strdup_printf ("are of worlds of %s and of %s ranks", apart->worlds[0], apart->worlds[1])
          : g_strdup_printf ("have %" G_GUINT64_FORMAT " messages for each other of which none arrives",
                             apart->n_crossing);

  return g_strdup_printf ("'%s' and '%s' %s: hardly traces of one run", before, after, why);
}

/* "'a', 'b' and 4 more": files, or processes where a file has others as well. */
static char *
list_earlier (const TtApart *apart)
{
  GString *text = g_string_new (NULL);
  const GPtrArray *of = apart->earlier_sources->len > 0 ? apart->earlier_sources : apart->earlier.pids;
  guint n = of->len <= MAX_LISTED ? of->len : MAX_LISTED - 1;

  for (guint i = 0; i < n; i++)
    {
      const void *one = g_ptr_array_index (of, i);
      g_string_append_printf (text, "%s'%s'", i > 0 ? ", " : "",
                              of == apart->earlier.pids ? (const char *) one : ((const TtSource *) one)->path);
    }
  if (n < of->len)
    g_string_append_printf (text, " and %u more", of->len - n);
  return g_string_free (text, FALSE);
}

static char *
earlier_text (const TtApart *apart)
{
  const TtEarlier *earlier = &apart->earlier;
  g_autofree char *gap = gap_text (earlier->gap_ns);
  g_autofree char *host =
      earlier->host == NULL ? g_strdup ("") : g_strdup_printf (" on one machine ('%s')", earlier->host);
  g_autofree char *list = list_earlier (apart);

  return g_strdup_printf ("%u of %u ranks end %s before the others begin%s, which yet they call: hardly traces of one "
                          "run; of the earlier: %s",
                          earlier->n_before, earlier->n_before + earlier->n_after, gap, host, list);
}

gboolean
tt_apart_text (TtStore *store, char **text, GError **error)
{
  g_auto (TtApart) apart = { 0 };

  *text = NULL;
  if (!tt_apart_find (&apart, store, error))
    return FALSE;
  if (!tt_apart_is (&apart))
    return TRUE;
  if (apart.earlier.gap_ns != 0)
    {
      *text = earlier_text (&apart);
      return TRUE;
    }
  if (apart.gap_ns == 0)
    {
      *text = two_runs_text (&apart);
      return TRUE;
    }
  g_autofree char *gap = gap_text (apart.gap_ns);
  g_autofree char *hosts = apart.host_before == NULL ? g_strdup ("")
                                                     : g_strdup_printf (" on another machine ('%s', not '%s')",
                                                                        apart.host_after, apart.host_before);
  *text = g_strdup_printf ("'%s' begins %s after the end of '%s'%s: hardly traces of one run", apart.after->path, gap,
                           apart.before->path, hosts);
  return TRUE;
}

/* Whether the end of the import found the run's files or events doubtful: who did not, need not be asked again. */
static gboolean
find_doubts (TtStore *store, gboolean *has_files, gboolean *has_events, GError **error)
{
  g_auto (TtTrustBrief) brief = { 0 };

  if (!tt_store_trust_brief (store, &brief, error))
    return FALSE;
  *has_files = brief.n_doubtful_files > 0;
  *has_events = brief.n_doubtful > 0;
  return TRUE;
}

static gboolean
tell_apart (TtStore *store, GError **error)
{
  g_autofree char *text = NULL;

  if (!tt_apart_text (store, &text, error))
    return FALSE;
  if (text != NULL)
    tt_message ("%s; %s", text, tt_apart_advice);
  return TRUE;
}

/* "begins 10 s after them", "lasts 7 s" */
static char *
few_times_text (const TtFew *few)
{
  char buffer[TT_TIME_TEXT];

  if (few->ts_ns > few->last_ns)
    return g_strdup_printf ("begins %s after them", tt_time_auto (buffer, few->ts_ns - few->last_ns));
  if (few->end_ns < few->first_ns)
    return g_strdup_printf ("ends %s before them", tt_time_auto (buffer, few->first_ns - few->end_ns));
  return g_strdup_printf ("lasts %s", tt_time_auto (buffer, few->end_ns - few->ts_ns));
}

gboolean
tt_few_text (TtStore *store, char **text, GError **error)
{
  TtFew few;
  char run[TT_TIME_TEXT], others[TT_TIME_TEXT], count[TT_TIME_TEXT];

  *text = NULL;
  if (!tt_few_find (&few, store, error))
    return FALSE;
  if (few.n == 0)
    return TRUE;
  if (!tt_store_complete (store, error))
    return FALSE;
  const TtThread *thread = tt_store_thread (store, few.thread);
  const TtProcess *process = thread == NULL ? NULL : tt_store_process (store, thread->process);
  const TtStoredName *name = tt_store_peek_name (store, few.name);
  g_autofree char *times = few_times_text (&few);

  *text = g_strdup_printf ("%u of the events alone %s the run %s long, the other %s take %s: '%s' of %s %s; "
                           "a long wait or a damaged time, left as it is",
                           few.n, few.n == 1 ? "makes" : "make", tt_time_auto (run, few.run_ns),
                           tt_count_text (count, few.n_others), tt_time_auto (others, few.last_ns - few.first_ns),
                           name == NULL || name->text == NULL ? "?" : name->text,
                           process == NULL || process->pid == NULL ? "?" : process->pid, times);
  return TRUE;
}

static gboolean
tell_few (TtStore *store, GError **error)
{
  g_autofree char *text = NULL;

  if (!tt_few_text (store, &text, error))
    return FALSE;
  if (text != NULL)
    tt_message ("%s", text);
  return TRUE;
}

gboolean
tt_doubts_tell (TtStore *store, GError **error)
{
  gboolean has_files, has_events;

  return find_doubts (store, &has_files, &has_events, error) && (!has_files || tell_apart (store, error)) &&
         (!has_events || tell_few (store, error));
}
