/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/more.h"

#include "src/base/units.h"

char *
tt_more_text (guint64 n_more, const char *part, gboolean tells_how)
{
  char count[TT_TIME_TEXT];
  const char *how = tells_how ? "--top 0 shows all" : NULL;

  if (part == NULL && how == NULL)
    return g_strdup_printf ("and %s more", tt_count_text (count, n_more));
  return g_strdup_printf ("and %s more (%s%s%s)", tt_count_text (count, n_more), part == NULL ? "" : part,
                          part == NULL || how == NULL ? "" : "; ", how == NULL ? "" : how);
}
