/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/number-classes.h"

#include "formats/ctf/schema/label-table.h"
#include "formats/ctf/schema/roles.h"

static gboolean
read_mappings (TtCtfFragments *self, const TtCtfJson *object, const char *name, TtCtfType *type)
{
  const TtCtfJson *labels;
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (TtCtfInterval));
  GArray *mappings;

  if (!tt_ctf_property (self, object, name, TT_CTF_JSON_OBJECT, &labels))
    return FALSE;
  if (labels == NULL || labels->first == NULL)
    return TRUE;
  mappings = g_array_new (FALSE, FALSE, sizeof (TtCtfMapping));
  for (const TtCtfJson *label = labels->first; label != NULL; label = label->next)
    {
      g_array_set_size (ranges, 0);
      if (!tt_ctf_ranges_read (self, label, 0, ranges))
        break;
      for (guint i = 0; i < ranges->len; i++)
        {
          TtCtfMapping mapping = { .label = tt_ctf_schema_text (self->schema, label->key) };

          if (tt_ctf_interval_clip (&g_array_index (ranges, TtCtfInterval, i), type->is_signed, &mapping.low,
                                    &mapping.high))
            g_array_append_val (mappings, mapping);
        }
    }
  if (self->fault == NULL && mappings->len > 0)
    tt_ctf_label_table_make (self->schema, type, mappings);
  else
    g_array_unref (mappings);
  return self->fault == NULL;
}

static gboolean
read_base (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type)
{
  guint64 base = 10;

  if (!tt_ctf_property_number (self, object, "preferred-display-base", 2, &base))
    return FALSE;
  type->base = (guint) base;
  return base == 2 || base == 8 || base == 10 || base == 16 ||
         tt_ctf_fragments_fail (self, object, "'preferred-display-base' is none of 2, 8, 10, 16");
}

/* What all of a fixed length have. */
static TtCtfType *
read_fixed (TtCtfFragments *self, const TtCtfJson *object, TtCtfTypeKind kind)
{
  static const char *const orders[] = { "little-endian", "big-endian", NULL };
  static const char *const bit_orders[] = { "first-to-last", "last-to-first", NULL };
  TtCtfType *type = tt_ctf_fragments_type (self, object, kind);
  const TtCtfJson *length, *order;
  guint index = 0, bit_order;

  if (type == NULL || !tt_ctf_property_needed (self, object, "length", TT_CTF_JSON_INTEGER, &length) ||
      !tt_ctf_property_needed (self, object, "byte-order", TT_CTF_JSON_TEXT, &order) ||
      !tt_ctf_property_word (self, object, "byte-order", orders, &index) ||
      !tt_ctf_property_alignment (self, object, "alignment", &type->align))
    return NULL;
  if (length->is_negative || length->number < 1 || length->number > 64)
    {
      tt_ctf_fragments_fail (self, length, "fields of no bit or more than 64 are not read");
      return NULL;
    }
  bit_order = index;
  if (!tt_ctf_property_word (self, object, "bit-order", bit_orders, &bit_order))
    return NULL;
  type->size = (guint) length->number;
  type->is_big_endian = index == 1;
  type->is_reversed = bit_order != index;
  return type;
}

static TtCtfType *
read_bit_array (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_fixed (self, object, TT_CTF_TYPE_INTEGER);

  if (type != NULL)
    type->base = 16;
  return type;
}

static TtCtfType *
read_bit_map (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_bit_array (self, object);

  if (type == NULL)
    return NULL;
  type->is_bit_map = type->is_enum = TRUE;
  if (!read_mappings (self, object, "flags", type))
    return NULL;
  if (type->n_mappings == 0)
    {
      tt_ctf_fragments_fail (self, object, "a bit map without 'flags'");
      return NULL;
    }
  return type;
}

static TtCtfType *
read_boolean (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_fixed (self, object, TT_CTF_TYPE_INTEGER);

  if (type != NULL)
    type->is_bool = type->is_enum = TRUE;
  return type;
}

static TtCtfType *
finish_integer (TtCtfFragments *self, const TtCtfJson *object, TtCtfType *type, gboolean is_signed)
{
  if (type == NULL)
    return NULL;
  type->is_signed = is_signed;
  if (!read_base (self, object, type) || !read_mappings (self, object, "mappings", type) ||
      !tt_ctf_roles_read (self, object, type))
    return NULL;
  type->is_enum = type->n_mappings > 0;
  return type;
}

static TtCtfType *
read_unsigned (TtCtfFragments *self, const TtCtfJson *object)
{
  return finish_integer (self, object, read_fixed (self, object, TT_CTF_TYPE_INTEGER), FALSE);
}

static TtCtfType *
read_signed (TtCtfFragments *self, const TtCtfJson *object)
{
  return finish_integer (self, object, read_fixed (self, object, TT_CTF_TYPE_INTEGER), TRUE);
}

static TtCtfType *
new_variable (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = tt_ctf_fragments_type (self, object, TT_CTF_TYPE_INTEGER);

  if (type == NULL)
    return NULL;
  type->align = 8;
  type->is_variable = TRUE;
  return type;
}

static TtCtfType *
read_variable_unsigned (TtCtfFragments *self, const TtCtfJson *object)
{
  return finish_integer (self, object, new_variable (self, object), FALSE);
}

static TtCtfType *
read_variable_signed (TtCtfFragments *self, const TtCtfJson *object)
{
  return finish_integer (self, object, new_variable (self, object), TRUE);
}

static TtCtfType *
read_real (TtCtfFragments *self, const TtCtfJson *object)
{
  TtCtfType *type = read_fixed (self, object, TT_CTF_TYPE_REAL);

  if (type == NULL || type->size == 32 || type->size == 64)
    return type;
  tt_ctf_fragments_fail (self, object, "real numbers of other than 32 or 64 bits are not read");
  return NULL;
}

const TtCtfClassReader tt_ctf_number_classes[] = {
  { "fixed-length-bit-array", read_bit_array },
  { "fixed-length-bit-map", read_bit_map },
  { "fixed-length-boolean", read_boolean },
  { "fixed-length-unsigned-integer", read_unsigned },
  { "fixed-length-signed-integer", read_signed },
  { "fixed-length-floating-point-number", read_real },
  { "variable-length-unsigned-integer", read_variable_unsigned },
  { "variable-length-signed-integer", read_variable_signed },
  { NULL },
};
