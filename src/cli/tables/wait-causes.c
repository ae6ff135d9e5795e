/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/wait-causes.h"

#include <string.h>

#include "src/cli/run-facts.h"
#include "src/cli/tables/wait-doubt.h"
#include "src/cli/trust-marks.h"

typedef struct
{
  TtStore *store;
  const TtWaitCauses *causes;
} Answer;

typedef struct
{
  const TtWaitCause *cause;
  char *path;
} Row;

enum
{
  ROW_COST,
  ROW_DIRECT,
  ROW_PROPAGATED,
  ROW_WAITS,
};

static TtReportCell
row_number (const TtReportField *self, const void *row, const void *context)
{
  const TtWaitCause *cause = ((const Row *) row)->cause;
  const tt_int128 numbers[] = {
    [ROW_COST] = cause->direct_ns + cause->propagated_ns,
    [ROW_DIRECT] = cause->direct_ns,
    [ROW_PROPAGATED] = cause->propagated_ns,
    [ROW_WAITS] = cause->n_waits,
  };

  return tt_cell_int (numbers[self->id]);
}

static TtReportCell
row_percent (const TtReportField *self, const void *row, const void *context)
{
  const TtWaitCause *cause = ((const Row *) row)->cause;
  tt_int128 all_ns = ((const Answer *) context)->causes->waits_ns;

  return all_ns == 0 ? tt_cell_empty ()
                     : tt_cell_real (100.0 * (double) (cause->direct_ns + cause->propagated_ns) / (double) all_ns);
}

static const char *
pid_of (TtStore *store, guint32 id)
{
  const TtProcess *process = tt_store_process (store, id);

  return process == NULL ? "?" : process->pid;
}

static TtReportCell
row_pid (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (pid_of (((const Answer *) context)->store, ((const Row *) row)->cause->process));
}

static TtReportCell
row_path (const TtReportField *self, const void *row, const void *context)
{
  return tt_cell_text (((const Row *) row)->path);
}

static const TtReportField fields[] = {
  { TT_COLUMN_TIME, "Cost", "cost", row_number, ROW_COST },
  { TT_COLUMN_PERCENT, "Waits %", "waits_percent", row_percent },
  { TT_COLUMN_TIME, "Direct", "direct", row_number, ROW_DIRECT },
  { TT_COLUMN_TIME, "Propagated", "propagated", row_number, ROW_PROPAGATED },
  { TT_COLUMN_COUNT, "Waits", "waits", row_number, ROW_WAITS },
  { TT_COLUMN_TEXT, "Pid", "pid", row_pid },
  { TT_COLUMN_TEXT, "Call path", "path", row_path },
};

char *
tt_wait_cause_text (TtStore *store, const TtWaitCauses *causes, const TtWaitCause *cause)
{
  if (cause->path == TT_PATH_ROOT)
    return g_strdup ("(not in computation)");
  if (causes->timeline != NULL)
    return tt_timeline_path_text (causes->timeline, cause->path);
  const TtStoredName *name = tt_store_name (store, cause->path);
  return g_strdup (name == NULL || name->text == NULL ? "?" : name->text);
}

char *
tt_wait_cause_leaf (TtStore *store, const TtWaitCauses *causes, const TtWaitCause *cause)
{
  if (cause->path == TT_PATH_ROOT || causes->timeline == NULL)
    return tt_wait_cause_text (store, causes, cause);
  const TtStoredName *name = tt_store_name (store, tt_timeline_path_name (causes->timeline, cause->path));
  return g_strdup (name == NULL || name->op_name == NULL ? "?" : name->op_name);
}

/* "node2 makes others wait 1.2 s by assemble, 63.1 % of all waits". Free it. */
static char *
heading_of (TtStore *store, const TtWaitCauses *causes)
{
  if (causes->causes->len == 0)
    return g_strdup ("No causes of waits");
  const TtWaitCause *first = &g_array_index (causes->causes, TtWaitCause, 0);
  g_autofree char *leaf = tt_wait_cause_leaf (store, causes, first);
  tt_int128 cost_ns = first->direct_ns + first->propagated_ns;
  g_autofree char *length = tt_length_text (store, (gint64) MIN (cost_ns, G_MAXINT64));
  return g_strdup_printf ("%s makes others wait %s by %s:\n  %.1f %% of %s waits", pid_of (store, first->process),
                          length, leaf, 100.0 * (double) cost_ns / (double) causes->waits_ns,
                          causes->is_all ? "all" : "these");
}

static TtTrustPlace
place_of (const void *row, const void *data)
{
  return (TtTrustPlace){ ((const Row *) row)->cause->process, TT_NO_ID, TT_NO_ID, TRUE };
}

TtReport *
tt_wait_causes_table (TtStore *store, const TtWaitCauses *causes, const TtReportView *view, GError **error)
{
  const Answer answer = { store, causes };
  g_autoptr (TtTrustMarks) marks = tt_trust_marks_new (store, error);
  if (marks == NULL)
    return NULL;
  g_autoptr (TtReport) report = tt_report_of_fields (fields, G_N_ELEMENTS (fields), view, &answer);
  tt_trust_marks_declare (marks, report, view, place_of, NULL);
  if (causes->n_waits > 0)
    {
      g_autofree char *heading = heading_of (store, causes);
      tt_report_heading (report, heading);
    }
  tt_report_limit (report, view);
  for (guint i = 0; i < causes->causes->len; i++)
    {
      const TtWaitCause *cause = &g_array_index (causes->causes, TtWaitCause, i);
      g_autofree char *path = tt_wait_cause_text (store, causes, cause);
      const Row row = { cause, path };

      tt_report_row (report, &row);
    }
  return tt_wait_doubt_tell (report, store, &causes->of_ranks, causes->n_locks, error) ? g_steal_pointer (&report)
                                                                                       : NULL;
}
