/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/stats-clock.h"

#include "src/cli/run-facts.h"

void
tt_stats_clock_clear (TtStatsClock *self)
{
  g_clear_pointer (&self->left_out, g_free);
}

/* Leaves out the processes of the other clock than @is_ticks says. Returns their pids. Free it. */
static char *
leave_out (TtSelection *selection, TtStore *store, char *const *ticks_pids, gboolean is_ticks)
{
  guint n;
  const TtProcess *processes = tt_store_processes (store, &n);
  g_autoptr (GHashTable) others = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) pids = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    if (g_strv_contains ((const char *const *) ticks_pids, processes[i].pid) != is_ticks)
      {
        g_hash_table_add (others, GUINT_TO_POINTER (processes[i].id));
        g_ptr_array_add (pids, processes[i].pid);
      }
  g_ptr_array_add (pids, NULL);
  tt_selection_leave_out (selection, others);
  return is_ticks ? g_strjoinv (",", (char **) pids->pdata) : g_strjoinv (",", (char **) ticks_pids);
}

static gboolean
has_sms (TtStore *store, const TtSelection *selection)
{
  gint64 begin_ns, end_ns;
  guint n;
  const TtThread *threads = tt_store_threads (store, &n);

  tt_selection_window (selection, &begin_ns, &end_ns);
  for (guint i = 0; i < n; i++)
    if (tt_group_thread_has_sm (&threads[i]) && tt_selection_matches_point (selection, threads[i].id, begin_ns))
      return TRUE;
  return FALSE;
}

gboolean
tt_stats_clock_choose (TtStatsClock *self,
                       TtStore *store,
                       TtSelection *selection,
                       const TtGroupKeys *keys,
                       GError **error)
{
  g_auto (GStrv) pids = tt_store_ticks_pids (store, error);
  gboolean has[2] = { FALSE, FALSE }, has_sm[2] = { FALSE, FALSE };
  gint64 begin_ns, end_ns;
  guint n;

  *self = (TtStatsClock){ .is_ticks = tt_store_is_ticks (store) };
  self->lacks_sms = tt_group_keys_has (keys, TT_KEY_SM) && !has_sms (store, selection);
  if (pids == NULL || pids[0] == NULL)
    return pids != NULL;

  const TtThread *threads = tt_store_threads (store, &n);
  tt_selection_window (selection, &begin_ns, &end_ns);
  for (guint i = 0; i < n; i++)
    {
      const TtProcess *process = tt_store_process (store, threads[i].process);
      if (process == NULL || !tt_selection_matches_point (selection, threads[i].id, begin_ns))
        continue;
      gboolean is_ticks = g_strv_contains ((const char *const *) pids, process->pid);
      has[is_ticks] = TRUE;
      has_sm[is_ticks] |= tt_group_thread_has_sm (&threads[i]);
    }
  self->is_ticks =
      has[TRUE] && (!has[FALSE] || (tt_group_keys_has (keys, TT_KEY_SM) && has_sm[TRUE] && !has_sm[FALSE]));
  if (!has[TRUE] || !has[FALSE])
    return TRUE;

  self->left_out = leave_out (selection, store, pids, self->is_ticks);
  return TRUE;
}
