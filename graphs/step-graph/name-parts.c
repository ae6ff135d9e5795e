/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/step-graph/name-parts.h"

#include <string.h>

/* Categories whose names may follow without a dot, after this separator at most. */
static const struct
{
  const char *op_cat;
  char separator;
} joined_categories[] = { { "UPDATE_", '\0' }, { "OUTPUT", '\0' }, { "I/O", '_' } };

static const char *
insert (GStringChunk *chunk, const char *text, gsize len)
{
  g_autofree char *copy = g_strndup (text, len);

  return g_string_chunk_insert_const (chunk, copy);
}

TtNameParts
tt_name_parts_parse (const char *text, GStringChunk *chunk)
{
  const char *arrow = strstr (text, "~>");
  gsize len = arrow == NULL ? strlen (text) : (gsize) (arrow - text);
  const char *end = text + len, *dot = memchr (text, '.', len);
  gsize category_len = dot == NULL ? len : (gsize) (dot - text);
  const char *name = dot == NULL ? NULL : dot + 1;
  TtNameParts parts = { .suffix = arrow == NULL ? NULL : g_string_chunk_insert_const (chunk, arrow + 2) };

  for (guint i = 0; i < G_N_ELEMENTS (joined_categories); i++)
    if (g_str_has_prefix (text, joined_categories[i].op_cat))
      {
        category_len = strlen (joined_categories[i].op_cat);
        if (dot != NULL)
          break;
        name = text + category_len;
        name += joined_categories[i].separator != '\0' && *name == joined_categories[i].separator ? 1 : 0;
        break;
      }
  parts.op_cat = insert (chunk, text, category_len);
  if (name == NULL)
    return parts;

  const char *sub_op = dot == NULL ? NULL : g_strrstr_len (name, end - name, ".");
  parts.op_name = insert (chunk, name, (gsize) ((sub_op != NULL ? sub_op : end) - name));
  if (sub_op != NULL)
    parts.sub_op = insert (chunk, sub_op + 1, (gsize) (end - sub_op - 1));
  return parts;
}

static const char *
copy_text (const char *text, GStringChunk *chunk)
{
  return text == NULL ? NULL : g_string_chunk_insert_const (chunk, text);
}

TtNameParts
tt_name_parts_copy (const TtNameParts *parts, GStringChunk *chunk)
{
  return (TtNameParts){ .op_cat = copy_text (parts->op_cat, chunk),
                        .op_name = copy_text (parts->op_name, chunk),
                        .sub_op = copy_text (parts->sub_op, chunk),
                        .suffix = copy_text (parts->suffix, chunk) };
}
