/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/labels.h"

#include <string.h>

#define MAX_LABEL_BYTES ((gsize) 60000)

char *
tt_tau_export_label (const TtStoredName *name)
{
  const char *raw = name->raw != NULL ? name->raw : name->op_name != NULL ? name->op_name : name->text;
  g_autoptr (GString) label = g_string_new (raw != NULL ? raw : "");

  if (name->file != NULL && strstr (label->str, "[{") == NULL && strstr (label->str, "file:") == NULL)
    g_string_append_printf (label, " [{%s} {%" G_GINT64_FORMAT ",0}]", name->file, name->line);
  if (label->len > MAX_LABEL_BYTES)
    g_string_truncate (label, MAX_LABEL_BYTES);
  return g_strdup (label->str);
}

const char *
tt_tau_export_label_group (const TtStoredName *name)
{
  if (name->group != NULL && *name->group != '\0')
    return name->group;
  return name->op_cat != NULL && *name->op_cat != '\0' ? name->op_cat : "TAU_DEFAULT";
}
