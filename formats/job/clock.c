/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/job/clock.h"

#include "src/base/int128.h"

/* The Sync that clocks are aligned by: the last that all GPUs have which have any. */
typedef struct
{
  guint64 n;        /* it is the n-th; 0: there is none */
  gboolean is_last; /* on all of them */
  gboolean is_one;  /* has one name on all of them */
} Reference;

static TtJobImportSync
read_sync (const TtJobImport *self, const TtJobImportProcess *process, guint64 n)
{
  TtJobImportSync sync;

  tt_tape_read (self->syncs, process->syncs + (n - 1) * sizeof sync, &sync, sizeof sync);
  return sync;
}

static Reference
find_reference (const TtJobImport *self)
{
  Reference found = { .is_last = TRUE, .is_one = TRUE };
  guint64 name = TT_NO_ID;

  for (guint i = 0; i < self->processes->len; i++)
    {
      guint64 n = g_array_index (self->processes, TtJobImportProcess, i).n_syncs;
      found.is_last = found.is_last && (n == 0 || found.n == 0 || n == found.n);
      if (n > 0 && (found.n == 0 || n < found.n))
        found.n = n;
    }
  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtJobImportProcess *process = &g_array_index (self->processes, TtJobImportProcess, i);
      if (process->n_syncs == 0)
        continue;
      TtJobImportSync sync = read_sync (self, process, found.n);
      found.is_one = found.is_one && (name == TT_NO_ID || sync.name == name);
      name = sync.name;
    }
  return found;
}

/* The mean end of the @n-th Sync on the GPUs of @host; FALSE: none there has one. */
static gboolean
mean_end (const TtJobImport *self, guint host, guint64 n, gint64 *mean_ns)
{
  tt_int128 sum = 0;
  gint64 n_ends = 0;

  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtJobImportProcess *process = &g_array_index (self->processes, TtJobImportProcess, i);
      if (process->rank->host_index != host || process->n_syncs == 0)
        continue;
      sum += read_sync (self, process, n).end_ns;
      n_ends++;
    }
  if (n_ends == 0)
    return FALSE;
  /* Rounded half away from zero. */
  *mean_ns = (gint64) ((sum + (sum < 0 ? -n_ends / 2 : n_ends / 2)) / n_ends);
  return TRUE;
}

static const TtJobRank *
find_first_of_host (const TtJobImport *self, guint host)
{
  for (guint i = 0; i < self->layout->ranks->len; i++)
    {
      const TtJobRank *rank = self->layout->ranks->pdata[i];
      if (rank->host_index == host)
        return rank;
    }
  return NULL;
}

static void
shift_host (TtJobImport *self, guint host, gint64 shift_ns)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtJobImportProcess *process = &g_array_index (self->processes, TtJobImportProcess, i);
      if (process->rank->host_index == host)
        {
          process->shift_ns = shift_ns;
          process->is_aligned = TRUE;
        }
    }
}

/* "+1500.25 us" */
static char *
format_shift (gint64 shift_ns)
{
  guint64 size = shift_ns < 0 ? -(guint64) shift_ns : (guint64) shift_ns;

  return g_strdup_printf ("%c%" G_GUINT64_FORMAT ".%03u us", shift_ns < 0 ? '-' : '+', size / 1000,
                          (guint) (size % 1000));
}

/* Shifts every host but the first, if @is_asked; returns a text that lists the shifts. Free it. */
static char *
shift_hosts (TtJobImport *self, guint64 n, gint64 base_ns, gboolean is_asked)
{
  GString *text = g_string_new (NULL);
  gint64 mean_ns, shift_ns;

  for (guint host = 1; host < self->layout->n_hosts; host++)
    {
      g_string_append_printf (text, "%s%s ", host > 1 ? ", " : "", find_first_of_host (self, host)->host);
      if (!mean_end (self, host, n, &mean_ns) || __builtin_sub_overflow (base_ns, mean_ns, &shift_ns))
        {
          g_string_append (text, "not (no Sync events)");
          continue;
        }
      g_autofree char *shift = format_shift (shift_ns);
      g_string_append (text, shift);
      if (is_asked)
        shift_host (self, host, shift_ns);
    }
  return g_string_free (text, FALSE);
}

void
tt_job_import_align_clocks (TtJobImport *self)
{
  const TtJobLayout *layout = self->layout;
  gboolean is_asked = !self->options->no_align;
  gint64 base_ns;

  if (layout->n_hosts < 2)
    return;
  const char *first = find_first_of_host (self, 0)->host;
  Reference reference = find_reference (self);
  if (reference.n == 0 || !mean_end (self, 0, reference.n, &base_ns))
    {
      tt_sink_note (self->sink, "%s: the clocks of its %u hosts are left as they are: '%s' has no Sync events to go by",
                    layout->root, layout->n_hosts, first);
      return;
    }
  if (!reference.is_one)
    {
      tt_sink_note (self->sink,
                    "%s: the clocks of its %u hosts are left as they are: Sync number %" G_GUINT64_FORMAT
                    " is not that of the same tensors on all GPUs",
                    layout->root, layout->n_hosts, reference.n);
      return;
    }
  if (is_asked)
    shift_host (self, 0, 0);
  g_autofree char *shifts = shift_hosts (self, reference.n, base_ns, is_asked);
  tt_sink_note (self->sink,
                is_asked ? "%s: clocks aligned to '%s' by the end of the last Sync%s: %s (--no-align leaves them)"
                         : "%s: clocks left as they are; aligned to '%s' by the last Sync%s they would be shifted: %s",
                layout->root, first, reference.is_last ? "" : " that all have", shifts);
}
