/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/labels.h"

#include <string.h>

/* Labels of one value that are told; mappings may overlap in any number. */
#define MAX_LABELS 64u

/* Whether one of the bits from low to high is set. */
static gboolean
has_bit (const TtCtfMapping *mapping, guint64 value)
{
  for (guint64 bit = mapping->low; bit <= MIN (mapping->high, 63); bit++)
    if ((value >> bit & 1) != 0)
      return TRUE;
  return FALSE;
}

static gboolean
has_value (const TtCtfType *type, const TtCtfMapping *mapping, guint64 value)
{
  if (type->is_bit_map)
    return has_bit (mapping, value);
  return type->is_signed ? (gint64) value >= (gint64) mapping->low && (gint64) value <= (gint64) mapping->high
                         : value >= mapping->low && value <= mapping->high;
}

static gboolean
has_several (const TtCtfType *type, const char *label)
{
  guint n = 0;

  for (guint i = 0; i < type->n_mappings && n < 2; i++)
    if (strcmp (type->mappings[i].label, label) == 0)
      n += type->mappings[i].low == type->mappings[i].high ? 1 : 2;
  return n > 1;
}

/* The same of one of the labels @told. */
static gboolean
has_one_several (const TtCtfType *type, GHashTable *told)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < type->n_mappings; i++)
    {
      const TtCtfMapping *mapping = &type->mappings[i];

      if (g_hash_table_contains (told, mapping->label) &&
          (mapping->low != mapping->high || !g_hash_table_add (seen, (gpointer) mapping->label)))
        return TRUE;
    }
  return FALSE;
}

const char *
tt_ctf_label (const TtCtfType *type, guint64 value, char **made)
{
  const char *first = NULL;
  g_autoptr (GHashTable) told = NULL; /* NULL: none but the first */
  g_autoptr (GString) all = NULL;
  gboolean shows_value;

  *made = NULL;
  for (guint i = 0; type->is_enum && i < type->n_mappings; i++)
    {
      const char *label = type->mappings[i].label;

      if (!has_value (type, &type->mappings[i], value))
        continue;
      if (first == NULL)
        first = label;
      if (told == NULL && strcmp (first, label) == 0)
        continue;
      if (told == NULL)
        {
          told = g_hash_table_new (g_str_hash, g_str_equal);
          g_hash_table_add (told, (gpointer) first);
          all = g_string_new (first);
        }
      if (g_hash_table_size (told) == MAX_LABELS && !g_hash_table_contains (told, label))
        {
          g_string_append (all, " | ...");
          break;
        }
      if (g_hash_table_add (told, (gpointer) label))
        g_string_append_printf (all, " | %s", label);
    }
  shows_value =
      first != NULL && !type->is_bit_map && (told == NULL ? has_several (type, first) : has_one_several (type, told));
  if (first == NULL || (all == NULL && !shows_value))
    return first;
  if (all == NULL)
    all = g_string_new (first);
  if (shows_value && type->is_signed)
    g_string_append_printf (all, " (%" G_GINT64_FORMAT ")", (gint64) value);
  else if (shows_value)
    g_string_append_printf (all, " (%" G_GUINT64_FORMAT ")", value);
  return *made = g_string_free (g_steal_pointer (&all), FALSE);
}
