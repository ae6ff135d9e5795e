/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/median.h"

#include "src/base/compare.h"

#include <stdlib.h>

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (*(const gint64 *) a, *(const gint64 *) b);
}

gint64
tt_median_ns (GArray *times)
{
  if (times->len == 0)
    return 0;
  qsort (times->data, times->len, sizeof (gint64), compare_times);
  return g_array_index (times, gint64, times->len / 2);
}
