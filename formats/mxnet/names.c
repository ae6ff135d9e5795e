/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/mxnet/names.h"

#include <string.h>

static const struct
{
  const char *raw, *op_cat, *sub_op;
} engine[] = {
  { "CopyCPU2CPU", "MEM", "H2H" }, { "CopyCPU2GPU", "MEM", "H2D" },     { "CopyGPU2CPU", "MEM", "D2H" },
  { "CopyGPU2GPU", "MEM", "D2D" }, { "DeleteVariable", "MEM", "FREE" }, { "SetValueOp", "MEM", "SET" },
  { "WaitForVar", "SYNC", NULL },
};

static gboolean
has_update (const char *raw)
{
  for (const char *p = raw; *p != '\0'; p++)
    if (g_ascii_strncasecmp (p, "update", 6) == 0)
      return TRUE;
  return FALSE;
}

/* The engine's name of the operator: after "name=" up to ";". */
static void
find_name (const char *raw, GString *name)
{
  const char *given = strstr (raw, "name=");

  g_string_truncate (name, 0);
  if (given == NULL)
    g_string_append (name, raw);
  else
    g_string_append_len (name, given + 5, (gssize) strcspn (given + 5, ";"));
  if (name->len == 0)
    g_string_append (name, raw);
}

/* Cuts @name at @mark unless nothing would be left. */
static void
cut_at (GString *name, const char *mark)
{
  const char *at = strstr (name->str, mark);

  if (at != NULL && at != name->str)
    g_string_truncate (name, (gsize) (at - name->str));
}

TtMxnetName
tt_mxnet_name (const char *raw, GString *op_name)
{
  static const char mark[] = "_backward";
  TtMxnetName name = { .kind = TT_MXNET_OPERATOR, .op_cat = "FW" };

  find_name (raw, op_name);
  for (guint i = 0; i < G_N_ELEMENTS (engine); i++)
    if (strcmp (op_name->str, engine[i].raw) == 0)
      return (TtMxnetName){ .kind = TT_MXNET_ENGINE, .op_cat = engine[i].op_cat, .sub_op = engine[i].sub_op };

  if (strcmp (op_name->str, "dot") == 0 || strcmp (op_name->str, "add_n") == 0)
    name.kind = TT_MXNET_CALCULATION;
  else if (has_update (op_name->str))
    name.kind = TT_MXNET_UPDATE;

  if (strstr (op_name->str, mark) != NULL)
    {
      name.op_cat = "BW";
      if (g_str_has_prefix (op_name->str, "_backward_") && op_name->len > strlen ("_backward_"))
        g_string_erase (op_name, 0, strlen ("_backward_"));
      cut_at (op_name, mark);
    }
  cut_at (op_name, "_fwd");
  return name;
}

char *
tt_mxnet_output_name (const char *output)
{
  const char *data = strstr (output, "data");
  const char *mark = strstr (output, "_output");

  if (data != NULL)
    return g_strdup_printf ("%.*sI/O_%s", (int) MIN (data - output, G_MAXINT), output, data + 4);
  if (mark == NULL)
    return g_strconcat ("Comm.", output, NULL);

  g_autoptr (GString) name = g_string_new_len (output, mark - output);
  cut_at (name, "_fwd");
  return g_strconcat ("FW.", name->str, NULL);
}
