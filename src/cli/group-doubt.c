/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/group-doubt.h"

#include "src/store/rows.h"

gboolean
tt_group_doubt_text (TtStore *store, char **text, GError **error)
{
  guint64 n_inferred, n_doubtful;

  *text = NULL;
  if (!tt_store_count_inferred_calls (store, &n_inferred, &n_doubtful, error))
    return FALSE;
  if (n_doubtful > 0)
    *text = g_strdup_printf ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " calls whose communicator was inferred"
                             " could as well be of another",
                             n_doubtful, n_inferred);
  return TRUE;
}
