/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/check.h"

/* A probe has a register for each element, and asks each whether it is meant. */
#define MOST_ELEMENTS 64u

guint
tt_nl_check_array_size (TtNlCheck *self, const TtNlExpr *annotation)
{
  if (annotation->kind != TT_NL_EXPR_SUBSCRIPT)
    return 1;
  if (annotation->b->kind == TT_NL_EXPR_INTEGER && !annotation->b->is_huge && annotation->b->value >= 2 &&
      annotation->b->value <= MOST_ELEMENTS)
    return (guint) annotation->b->value;
  tt_nl_error (self->messages, annotation->b->offset, "an array has from 2 to %u elements", MOST_ELEMENTS);
  return 0;
}

gboolean
tt_nl_check_is_array (const TtNlCheck *self, const char *name)
{
  return g_hash_table_contains (self->arrays, name);
}

gboolean
tt_nl_check_element (TtNlCheck *self, const char *name, const TtNlExpr *index, guint *first, guint *n)
{
  *n = GPOINTER_TO_UINT (g_hash_table_lookup (self->arrays, name));
  *first = GPOINTER_TO_UINT (g_hash_table_lookup (self->names, name)) - 1;
  if (index->kind != TT_NL_EXPR_INTEGER)
    return TRUE;
  if (index->value >= *n)
    {
      tt_nl_error (self->messages, index->offset, "'%s' has %u elements, there is no %s[%" G_GUINT64_FORMAT "]", name,
                   *n, name, index->value);
      return FALSE;
    }
  *first += (guint) index->value;
  *n = 0;
  return TRUE;
}
