/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows of tracing. When a lexgion has recorded max_num_traces invocations (window_end_trigger all: when each of its thread
 * has that has a limit), its window_end_action changes the modes of domains for the whole process; so does window_timeout of
 * Lexgion.default, counted from the first event of the process. Each section acts once, and each domain changes once,
 * unless the action turns tracing on again: then what was counted begins anew. INTROSPECT acts after its pause, in which the
 * program stands still; what its script does, and signals, no trace tells.
 */
#include "config.h"

#include "formats/pinsight/filter-private.h"
#include "formats/pinsight/window-end.h"

typedef struct
{
  TtWindowEnd *end;
  gboolean has_fired;
  guint32 generation;
} Latch;

struct _Windows
{
  TtConfigMode *modes; /* by domain */
  char **activities;   /* by domain; NULL: as the configuration has it */
  gint64 *since_ns;    /* by domain: the mode is so after this */
  gboolean *has_changed;
  gconstpointer *by;   /* by domain: the lexgion whose action did it */
  GHashTable *latches; /* TtConfigLexgion -> Latch */
  gint64 deadline_ns;  /* of window_timeout; TT_NO_TIME: none, or over */
  gint64 latest_ns;    /* begin that was asked for */
  gboolean has_begun;
};

static void
latch_free (gpointer data)
{
  tt_window_end_free (((Latch *) data)->end);
  g_free (data);
}

static gboolean
has_action (const TtConfigLexgion *lexgion)
{
  return lexgion != NULL && (lexgion->end_action != NULL || lexgion->timeout_s > 0);
}

gboolean
tt_config_filter_has_windows (const TtConfig *config)
{
  gboolean has_any = has_action (config->lexgion_default);

  for (guint i = 0; i < config->domain_lexgions->len; i++)
    has_any |= has_action (config->domain_lexgions->pdata[i]);
  for (guint i = 0; i < config->lexgions->len; i++)
    has_any |= has_action (config->lexgions->pdata[i]);
  return has_any && !config->ignores_windows;
}

void
tt_config_filter_windows_free (Windows *self, guint n_domains)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < n_domains; i++)
    g_free (self->activities[i]);
  g_free (self->modes);
  g_free (self->activities);
  g_free (self->since_ns);
  g_free (self->has_changed);
  g_free (self->by);
  g_hash_table_unref (self->latches);
  g_free (self);
}

static Windows *
windows_of (const TtConfigFilter *self, Process *process)
{
  guint n = self->config->domains->domains->len;

  if (process->windows != NULL)
    return process->windows;
  Windows *windows = process->windows = g_new0 (Windows, 1);
  windows->modes = g_new0 (TtConfigMode, n);
  windows->activities = g_new0 (char *, n);
  windows->since_ns = g_new0 (gint64, n);
  windows->has_changed = g_new0 (gboolean, n);
  windows->by = g_new0 (gconstpointer, n);
  windows->latches = g_hash_table_new_full (NULL, NULL, NULL, latch_free);
  windows->deadline_ns = TT_NO_TIME;
  for (guint i = 0; i < n; i++)
    windows->modes[i] = self->config->defaults[i].mode;
  return windows;
}

static Latch *
latch_of (const TtConfigFilter *self, Windows *windows, const TtConfigLexgion *lexgion)
{
  Latch *latch = g_hash_table_lookup (windows->latches, lexgion);

  if (latch == NULL)
    {
      latch = g_new0 (Latch, 1);
      latch->end = tt_window_end_new (self->config->domains, lexgion->end_action);
      g_hash_table_insert (windows->latches, (gpointer) lexgion, latch);
    }
  return latch;
}

/* -- the end of a window -------------------------------------------------------------------------------------------- */

static void
arm (const TtConfigFilter *self, Windows *windows, gint64 from_ns)
{
  gint64 seconds = self->config->lexgion_default->timeout_s;
  gint64 length_ns;

  windows->deadline_ns = TT_NO_TIME;
  if (seconds > 0 && !__builtin_mul_overflow (seconds, G_GINT64_CONSTANT (1000000000), &length_ns) &&
      __builtin_add_overflow (from_ns, length_ns, &windows->deadline_ns))
    windows->deadline_ns = TT_NO_TIME;
}

static void
act (TtConfigFilter *self, Windows *windows, const TtConfigLexgion *lexgion, Latch *latch, gint64 ts_ns)
{
  latch->has_fired = TRUE;
  self->n_untimely += windows->has_begun && windows->latest_ns > ts_ns;
  for (guint i = 0; i < latch->end->n; i++)
    {
      const TtWindowTarget *target = &latch->end->targets[i];

      if (target->mode >= 0 && !windows->has_changed[i] && (TtConfigMode) target->mode != windows->modes[i])
        {
          windows->modes[i] = (TtConfigMode) target->mode;
          windows->since_ns[i] = ts_ns;
          windows->has_changed[i] = TRUE;
          windows->by[i] = lexgion;
        }
      if (target->activity != NULL)
        {
          g_free (windows->activities[i]);
          windows->activities[i] = g_strdup (target->activity);
        }
    }
  if (!latch->end->resumes)
    return;
  for (guint i = 0; i < latch->end->n; i++)
    windows->has_changed[i] = FALSE;
  latch->has_fired = FALSE;
  latch->generation++;
  arm (self, windows, ts_ns);
}

/* Whether all that the action would change has been changed. */
static gboolean
is_over (const Windows *windows, const TtWindowEnd *end)
{
  gboolean has_target = FALSE;

  for (guint i = 0; i < end->n; i++)
    {
      if (end->targets[i].mode < 0)
        continue;
      has_target = TRUE;
      if (!windows->has_changed[i])
        return FALSE;
    }
  return has_target;
}

static void
pass_deadline (TtConfigFilter *self, Windows *windows, gint64 ts_ns)
{
  while (windows->deadline_ns != TT_NO_TIME && ts_ns > windows->deadline_ns)
    {
      gint64 deadline_ns = windows->deadline_ns;
      const TtConfigLexgion *lexgion = self->config->lexgion_default;
      Latch *latch = latch_of (self, windows, lexgion);

      windows->deadline_ns = TT_NO_TIME;
      if (latch->has_fired || is_over (windows, latch->end))
        return;
      act (self, windows, lexgion, latch, deadline_ns);
      /* Where nothing is told apart by so many windows, the next begins now. */
      if (windows->deadline_ns != TT_NO_TIME && ts_ns > windows->deadline_ns)
        arm (self, windows, ts_ns - (ts_ns - deadline_ns) % (windows->deadline_ns - deadline_ns));
    }
}

/* -- questions ------------------------------------------------------------------------------------------------------ */

void
tt_config_filter_see_begin (TtConfigFilter *self, const Thread *thread, gint64 ts_ns)
{
  Windows *windows = windows_of (self, tt_config_filter_process (self, thread->process));

  if (!windows->has_begun)
    {
      arm (self, windows, ts_ns);
      windows->latest_ns = ts_ns;
    }
  windows->has_begun = TRUE;
  pass_deadline (self, windows, ts_ns);
  windows->latest_ns = MAX (windows->latest_ns, ts_ns);
}

TtConfigMode
tt_config_filter_mode (TtConfigFilter *self, const Thread *thread, guint domain, gint64 ts_ns, gconstpointer *by)
{
  const Windows *windows =
      !self->has_windows ? NULL : windows_of (self, tt_config_filter_process (self, thread->process));

  *by = NULL;
  if (windows == NULL || windows->by[domain] == NULL || ts_ns <= windows->since_ns[domain])
    return self->config->defaults[domain].mode;
  *by = windows->by[domain];
  return windows->modes[domain];
}

const char *
tt_config_filter_activity (TtConfigFilter *self, const Thread *thread, guint domain)
{
  const char *changed = !self->has_windows
                            ? NULL
                            : windows_of (self, tt_config_filter_process (self, thread->process))->activities[domain];

  return changed != NULL ? changed : self->config->defaults[domain].device_activity;
}

void
tt_config_filter_renew (TtConfigFilter *self, const Thread *thread, Site *site)
{
  if (!self->has_windows || site->lexgion->rule.most < 0)
    return;
  const Latch *latch =
      latch_of (self, windows_of (self, tt_config_filter_process (self, thread->process)), site->lexgion);
  if (site->generation == latch->generation)
    return;
  site->generation = latch->generation;
  site->state.trace_counter = 0;
  if (site->is_capped)
    ((Thread *) thread)->n_capped--;
  site->is_capped = FALSE;
}

void
tt_config_filter_count (TtConfigFilter *self, Thread *thread, Site *site, gint64 end_ns)
{
  const TtConfigLexgion *lexgion = site->lexgion;
  gconstpointer by;

  if (self->has_windows && tt_config_filter_mode (self, thread, site->domain, end_ns, &by) != TT_MODE_TRACING)
    return;
  tt_sampling_end (&site->state);
  if (!self->has_windows || lexgion->rule.most < 0 || (gint64) site->state.trace_counter < lexgion->rule.most)
    return;
  if (!site->is_capped)
    thread->n_capped++;
  site->is_capped = TRUE;
  gboolean wants_all = g_strcmp0 (lexgion->end_trigger, "all") == 0;
  Windows *windows = windows_of (self, tt_config_filter_process (self, thread->process));
  Latch *latch = latch_of (self, windows, lexgion);
  if (!latch->has_fired && (!wants_all || thread->n_capped >= thread->n_limited))
    act (self, windows, lexgion, latch, end_ns);
}

guint64
tt_config_filter_untimely (const TtConfigFilter *self)
{
  return self->n_untimely;
}
