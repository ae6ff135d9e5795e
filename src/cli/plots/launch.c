/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/plots/launch.h"

#include "src/cli/find-operation.h"

gboolean
tt_plot_operations (const TtPlotRequest *request, guint32 **first_names, guint8 **is_asked, GError **error)
{
  *is_asked = NULL;
  *first_names = tt_store_first_names (request->store, error);
  return *first_names != NULL &&
         (request->name == NULL || (*is_asked = tt_find_operation (request->store, request->name, error)) != NULL);
}

char *
tt_plot_launch_title (TtStore *store, const char *what, guint32 name)
{
  const TtStoredName *found = name == TT_NO_ID ? NULL : tt_store_name (store, name);

  return found == NULL || found->text == NULL ? g_strdup (what) : g_strdup_printf ("%s of %s", what, found->text);
}

void
tt_plot_launch_note (TtPictureHead *head, TtStore *store, guint32 source)
{
  const TtSource *found = tt_store_source (store, source);

  if (found == NULL || found->path == NULL)
    return;
  g_autofree char *file = g_path_get_basename (found->path);
  tt_picture_head_note (head, "Of one launch, with most records: those of %s.", file);
}

TtQuantity
tt_plot_launch_time (TtStore *store, guint32 source)
{
  const TtSource *found = tt_store_source (store, source);

  return found != NULL && g_strcmp0 (found->clock, "ticks") == 0 ? TT_QUANTITY_TICKS : TT_QUANTITY_TIME;
}
