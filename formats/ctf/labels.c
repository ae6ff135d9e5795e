/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/labels.h"

#include <string.h>

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

/* Whether a mapping before the i-th has its label, and the value. */
static gboolean
is_told (const TtCtfType *type, guint i, guint64 value)
{
  for (guint k = 0; k < i; k++)
    if (has_value (type, &type->mappings[k], value) && strcmp (type->mappings[k].label, type->mappings[i].label) == 0)
      return TRUE;
  return FALSE;
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

const char *
tt_ctf_label (const TtCtfType *type, guint64 value, char **made)
{
  const char *first = NULL;
  g_autoptr (GString) all = NULL;
  gboolean shows_value = FALSE;

  *made = NULL;
  for (guint i = 0; type->is_enum && i < type->n_mappings; i++)
    {
      if (!has_value (type, &type->mappings[i], value) || is_told (type, i, value))
        continue;
      const char *label = type->mappings[i].label;
      shows_value |= !type->is_bit_map && has_several (type, label);
      if (first != NULL)
        {
          if (all == NULL)
            all = g_string_new (first);
          g_string_append_printf (all, " | %s", label);
        }
      else
        first = label;
    }
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
