/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/labels.h"

#include "formats/ctf/schema/label-table.h"

const char *
tt_ctf_label (const TtCtfType *type, guint64 value, char **made)
{
  guint found[TT_CTF_MAX_LABELS + 1];
  guint n = type->is_enum ? tt_ctf_label_table_find (type, value, found) : 0;
  gboolean shows_value = FALSE;
  GString *all;

  *made = NULL;
  if (n == 0)
    return NULL;
  for (guint i = 0; i < MIN (n, TT_CTF_MAX_LABELS) && !type->is_bit_map; i++)
    shows_value |= type->mappings[found[i]].is_of_several;
  if (n == 1 && !shows_value)
    return type->mappings[found[0]].label;
  all = g_string_new (type->mappings[found[0]].label);
  for (guint i = 1; i < MIN (n, TT_CTF_MAX_LABELS); i++)
    g_string_append_printf (all, " | %s", type->mappings[found[i]].label);
  if (n > TT_CTF_MAX_LABELS)
    g_string_append (all, " | ...");
  if (shows_value && type->is_signed)
    g_string_append_printf (all, " (%" G_GINT64_FORMAT ")", (gint64) value);
  else if (shows_value)
    g_string_append_printf (all, " (%" G_GUINT64_FORMAT ")", value);
  return *made = g_string_free (all, FALSE);
}
