#include "config.h"

#include "formats/framework/job-private.h"

#include "src/int128.h"

/* The mean end of the last Sync on each GPU of @host; FALSE: nobody there has one. */
static gboolean
mean_reference (const TtJob *self, guint host, gint64 *mean_ns)
{
  tt_int128 sum = 0;
  gint64 n = 0;

  for (guint i = 0; i < self->processes->len; i++)
    {
      const TtJobProcess *process = &g_array_index (self->processes, TtJobProcess, i);
      if (process->rank->host_index != host || process->reference_ns == TT_NO_TIME)
        continue;
      sum += process->reference_ns;
      n++;
    }
  if (n == 0)
    return FALSE;
  /* Rounded half away from zero. */
  *mean_ns = (gint64) ((sum + (sum < 0 ? -n / 2 : n / 2)) / n);
  return TRUE;
}

static const TtJobRank *
first_of_host (const TtJob *self, guint host)
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
shift_host (TtJob *self, guint host, gint64 shift_ns)
{
  for (guint i = 0; i < self->processes->len; i++)
    {
      TtJobProcess *process = &g_array_index (self->processes, TtJobProcess, i);
      if (process->rank->host_index == host)
        {
          process->shift_ns = shift_ns;
          process->is_aligned = TRUE;
        }
    }
}

/* "+1500.25 us" */
static char *
shift_text (gint64 shift_ns)
{
  guint64 size = shift_ns < 0 ? -(guint64) shift_ns : (guint64) shift_ns;

  return g_strdup_printf ("%c%" G_GUINT64_FORMAT ".%03u us", shift_ns < 0 ? '-' : '+', size / 1000,
                          (guint) (size % 1000));
}

void
tt_job_align_clocks (TtJob *self)
{
  const TtJobLayout *layout = self->layout;
  gboolean is_asked = !self->options->no_align;
  gint64 base_ns, mean_ns, shift_ns;
  g_autoptr (GString) shifts = g_string_new (NULL);

  if (layout->n_hosts < 2)
    return;
  if (!mean_reference (self, 0, &base_ns))
    {
      tt_sink_note (self->sink, "%s: the clocks of its %u hosts are left as they are: '%s' has no Sync events to go by",
                    layout->root, layout->n_hosts, first_of_host (self, 0)->host);
      return;
    }
  if (is_asked)
    shift_host (self, 0, 0);
  for (guint host = 1; host < layout->n_hosts; host++)
    {
      const char *name = first_of_host (self, host)->host;

      if (!mean_reference (self, host, &mean_ns) || __builtin_sub_overflow (base_ns, mean_ns, &shift_ns))
        {
          g_string_append_printf (shifts, "%s%s not (no Sync events)", host > 1 ? ", " : "", name);
          continue;
        }
      g_autofree char *text = shift_text (shift_ns);
      g_string_append_printf (shifts, "%s%s %s", host > 1 ? ", " : "", name, text);
      if (is_asked)
        shift_host (self, host, shift_ns);
    }
  tt_sink_note (self->sink,
                is_asked ? "%s: clocks aligned to '%s' by the end of the last Sync: %s (--no-align leaves them)"
                         : "%s: clocks left as they are; to align them to '%s' they would be shifted: %s",
                layout->root, first_of_host (self, 0)->host, shifts->str);
}
