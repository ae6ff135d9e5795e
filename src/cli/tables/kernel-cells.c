/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/tables/kernel-cells.h"

#include <string.h>

TtReportCell
tt_percent_cell (tt_int128 part, tt_int128 whole)
{
  return whole > 0 ? tt_cell_real (100.0 * (double) part / (double) whole) : tt_cell_empty ();
}

TtReportCell
tt_spread_cell (guint cell, const TtSpread *spread, tt_int128 total)
{
  if (cell == TT_SPREAD_COUNT)
    return tt_cell_int (spread->n);
  if (spread->n == 0)
    return tt_cell_empty ();
  switch ((TtSpreadCell) cell)
    {
    case TT_SPREAD_PERCENT:
      return tt_percent_cell (spread->sum, total);
    case TT_SPREAD_TOTAL:
      return tt_cell_int (spread->sum);
    case TT_SPREAD_AVG:
      return tt_cell_real (tt_spread_mean (spread));
    case TT_SPREAD_MEDIAN:
      return tt_cell_real (spread->median);
    case TT_SPREAD_MIN:
      return tt_cell_int (spread->min);
    case TT_SPREAD_MAX:
      return tt_cell_int (spread->max);
    case TT_SPREAD_STDDEV:
      return tt_cell_real (spread->stddev);
    case TT_SPREAD_COUNT:
      break;
    }
  g_return_val_if_reached (tt_cell_empty ());
}

TtReportCell
tt_kernel_name_cell (TtStore *store, guint32 id, gboolean is_raw)
{
  const TtStoredName *name = id == 0 ? NULL : tt_store_name (store, id);

  return name == NULL ? tt_cell_empty () : tt_cell_text (is_raw && name->raw != NULL ? name->raw : name->text);
}

char *
tt_kernel_range_text (const TtStoredName *name)
{
  static const char nvtx[] = "nvtx";
  const char *raw = name->raw != NULL ? name->raw : "", *group = name->group != NULL ? name->group : "";

  if (!g_str_has_prefix (group, nvtx))
    return g_strdup (raw);
  const char *domain = group + strlen (nvtx);
  return g_strdup_printf ("%s:%s", *domain == ' ' ? domain + 1 : "", raw);
}

void
tt_kernel_add_rows (TtReport *report, const GArray *rows, const TtReportView *view)
{
  gsize size = rows->len == 0 ? 0 : g_array_get_element_size ((GArray *) rows);
  guint n = view->top > 0 ? MIN (view->top, rows->len) : rows->len;

  for (guint i = 0; i < n; i++)
    tt_report_row (report, rows->data + i * size);
  if (n < rows->len)
    {
      g_autofree char *more = tt_report_more (view, rows->len - n, NULL);
      tt_report_footer (report, more);
    }
}

TtReportCell
tt_kernel_device_cell (const TtProcess *device)
{
  gsize len = device == NULL || device->owner == device->id ? 0 : strlen (device->pid), at = len;

  while (at > 0 && g_ascii_isdigit (device->pid[at - 1]))
    at--;
  return at == len ? tt_cell_empty () : tt_cell_text (device->pid + at);
}

TtReportCell
tt_kernel_triple_cell (const gint64 triple[3])
{
  if (triple[1] < 0)
    return tt_cell_empty ();
  return tt_cell_take (g_strdup_printf ("%4" G_GINT64_FORMAT " %4" G_GINT64_FORMAT " %4" G_GINT64_FORMAT, triple[0],
                                        triple[1], triple[2]));
}

TtReportCell
tt_kernel_pid_cell (TtStore *store, guint32 thread)
{
  const TtThread *known = tt_store_thread (store, thread);
  const TtProcess *process = known == NULL ? NULL : tt_store_process (store, known->process);

  return process == NULL ? tt_cell_empty () : tt_cell_text (process->pid);
}

TtReportCell
tt_kernel_tid_cell (TtStore *store, guint32 thread)
{
  const TtThread *known = tt_store_thread (store, thread);

  return known == NULL ? tt_cell_empty () : tt_cell_text (known->tid);
}
