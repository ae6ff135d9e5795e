/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/properties.h"

#include <string.h>

#define MAX_ALIGN (G_GUINT64_CONSTANT (1) << 32)

gboolean
tt_ctf_fragments_fail (TtCtfFragments *self, const TtCtfJson *value, const char *format, ...)
{
  va_list args;

  if (self->fault != NULL)
    return FALSE;
  va_start (args, format);
  g_autofree char *why = g_strdup_vprintf (format, args);
  va_end (args);
  self->fault = g_strdup_printf ("byte %" G_GSIZE_FORMAT ": %s", value->at, why);
  return FALSE;
}

TtCtfType *
tt_ctf_fragments_type (TtCtfFragments *self, const TtCtfJson *value, TtCtfTypeKind kind)
{
  TtCtfType *type = tt_ctf_type_new (self->schema, kind);

  if (type == NULL)
    tt_ctf_fragments_fail (self, value, "too many types");
  return type;
}

gboolean
tt_ctf_property (TtCtfFragments *self,
                 const TtCtfJson *object,
                 const char *name,
                 TtCtfJsonKind kind,
                 const TtCtfJson **found)
{
  *found = tt_ctf_json_member (object, name);
  return *found == NULL || (*found)->kind == kind ||
         tt_ctf_fragments_fail (self, *found, "'%s' is %s, not %s", name, tt_ctf_json_kind_name ((*found)->kind),
                                tt_ctf_json_kind_name (kind));
}

gboolean
tt_ctf_property_needed (TtCtfFragments *self,
                        const TtCtfJson *object,
                        const char *name,
                        TtCtfJsonKind kind,
                        const TtCtfJson **found)
{
  return tt_ctf_property (self, object, name, kind, found) &&
         (*found != NULL || tt_ctf_fragments_fail (self, object, "no '%s'", name));
}

gboolean
tt_ctf_property_number (TtCtfFragments *self, const TtCtfJson *object, const char *name, guint64 least, guint64 *number)
{
  const TtCtfJson *value;

  if (!tt_ctf_property (self, object, name, TT_CTF_JSON_INTEGER, &value))
    return FALSE;
  if (value == NULL)
    return TRUE;
  *number = value->number;
  return (!value->is_negative && value->number >= least) ||
         tt_ctf_fragments_fail (self, value, "'%s' is less than %" G_GUINT64_FORMAT, name, least);
}

gboolean
tt_ctf_property_alignment (TtCtfFragments *self, const TtCtfJson *object, const char *name, guint64 *align)
{
  if (!tt_ctf_property_number (self, object, name, 1, align))
    return FALSE;
  return (*align <= MAX_ALIGN && (*align & (*align - 1)) == 0) ||
         tt_ctf_fragments_fail (self, tt_ctf_json_member (object, name), "'%s' is no power of 2 up to 2^32", name);
}

gboolean
tt_ctf_property_text (TtCtfFragments *self, const TtCtfJson *object, const char *name, const char **text)
{
  const TtCtfJson *value;

  if (!tt_ctf_property (self, object, name, TT_CTF_JSON_TEXT, &value))
    return FALSE;
  *text = value == NULL ? NULL : tt_ctf_schema_text (self->schema, value->text);
  return TRUE;
}

gboolean
tt_ctf_property_word (TtCtfFragments *self,
                      const TtCtfJson *object,
                      const char *name,
                      const char *const *words,
                      guint *index)
{
  const TtCtfJson *value;

  if (!tt_ctf_property (self, object, name, TT_CTF_JSON_TEXT, &value))
    return FALSE;
  for (guint i = 0; value != NULL && words[i] != NULL; i++)
    if (strcmp (value->text, words[i]) == 0)
      {
        *index = i;
        return TRUE;
      }
  return value == NULL ||
         tt_ctf_fragments_fail (self, value, "'%s' is '%s', which is none of its values", name, value->text);
}

/* -- ranges --------------------------------------------------------------------------------------------------------- */

static gboolean
is_above (const TtCtfJson *low, const TtCtfJson *high)
{
  if (low->is_negative != high->is_negative)
    return high->is_negative;
  /* Bits of negative ones have the order of their values. */
  return low->number > high->number;
}

gboolean
tt_ctf_ranges_read (TtCtfFragments *self, const TtCtfJson *value, guint option, GArray *ranges)
{
  if (value->kind != TT_CTF_JSON_ARRAY || value->first == NULL)
    return tt_ctf_fragments_fail (self, value, "ranges of integers are no array, or an empty one");
  for (const TtCtfJson *range = value->first; range != NULL; range = range->next)
    {
      const TtCtfJson *low = range->kind == TT_CTF_JSON_ARRAY && range->n == 2 ? range->first : NULL;
      const TtCtfJson *high = low == NULL ? NULL : low->next;

      if (high == NULL || low->kind != TT_CTF_JSON_INTEGER || high->kind != TT_CTF_JSON_INTEGER)
        return tt_ctf_fragments_fail (self, range, "a range is no pair of integers of 64 bits");
      if (is_above (low, high))
        return tt_ctf_fragments_fail (self, range, "a range ends before it begins");
      if (!tt_ctf_schema_has_room (self->schema))
        return tt_ctf_fragments_fail (self, range, "too many ranges of values");
      const TtCtfInterval own = { .low = low->number,
                                  .high = high->number,
                                  .is_low_negative = low->is_negative,
                                  .is_high_negative = high->is_negative,
                                  .option = option };
      g_array_append_val (ranges, own);
    }
  return TRUE;
}

gboolean
tt_ctf_interval_clip (const TtCtfInterval *self, gboolean is_signed, guint64 *low, guint64 *high)
{
  *low = self->low;
  *high = self->high;
  if (is_signed)
    {
      if (!self->is_high_negative)
        *high = MIN (self->high, (guint64) G_MAXINT64);
      return self->is_low_negative || self->low <= (guint64) G_MAXINT64;
    }
  if (self->is_low_negative)
    *low = 0;
  return !self->is_high_negative;
}
