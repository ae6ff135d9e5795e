/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/store/gaps.h"

#include "src/store/private.h"

typedef struct
{
  const char *text;
  const char *condition; /* over a row s of source_row */
} Gap;

static const Gap gaps[TT_N_GAPS] = {
  [TT_GAP_NCCL] = { "NCCL details (nccl_shape, nccl_edge)", "s.schema < 3 AND s.format IN ('nccl', 'job')" },
  [TT_GAP_TASKS] = { "the task graph (task, task_edge)",
                     "s.schema < 4 AND s.format = 'pi' AND"
                     " NOT EXISTS (SELECT 1 FROM task_row t WHERE t.source = s.id)" },
  [TT_GAP_ACTIVITY] = { "work on devices (activity)", "s.first_activity = 0 AND s.format IN ('kineto', 'ctf')" },
};

static gboolean
count_sources (TtStore *self, const char *what, const char *condition, guint *n, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM source_row s WHERE s.run BETWEEN %u AND %u AND %s", what,
                                          self->first_run, self->last_run, condition);
  gint64 found;

  if (!tt_connection_get_int (self->connection, sql, &found, error))
    return FALSE;
  *n = (guint) found;
  return TRUE;
}

const char *
tt_gap_text (TtGap gap)
{
  return gaps[gap].text;
}

gboolean
tt_store_count_gap (TtStore *self, TtGap gap, guint *n_sources, GError **error)
{
  return count_sources (self, "count (*)", gaps[gap].condition, n_sources, error);
}

gboolean
tt_store_count_older (TtStore *self, guint *n_sources, guint *version, GError **error)
{
  static const char older[] = "s.schema < " G_STRINGIFY (TT_SCHEMA_VERSION);

  return count_sources (self, "count (*)", older, n_sources, error) &&
         count_sources (self, "min (s.schema)", older, version, error);
}
