/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What holds of every schema of CTF, whatever its metadata were: types are no deeper than they may be, what refers to a
 * field has one, and tables of ranges are in order.
 */
#pragma once

#include "formats/ctf/schema/label-table.h"

static inline void
fuzz_look_at_ranges (const TtCtfSchema *schema, const TtCtfType *type)
{
  guint found[TT_CTF_MAX_LABELS + 1];

  if (type->kind == TT_CTF_TYPE_SEQUENCE || type->kind == TT_CTF_TYPE_VARIANT)
    g_assert (type->from >= 0 && (guint) type->from < schema->n_stores);
  for (guint i = 0; i < type->n_choices; i++)
    {
      g_assert (type->choices[i].key < type->n_fields && type->choices[i].low <= type->choices[i].high);
      g_assert (i == 0 || type->choices[i].low > type->choices[i - 1].high);
    }
  g_assert ((type->labels != NULL) == (type->n_mappings > 0));
  /* What a label says of its ends is found there, it or so many others before it. */
  for (guint i = 0; i < MIN (type->n_mappings, 256) && !type->is_bit_map; i++)
    for (guint k = 0; k < 2; k++)
      {
        const TtCtfMapping *mapping = &type->mappings[i];
        guint n = tt_ctf_label_table_find (type, k == 0 ? mapping->low : mapping->high, found), at = 0;
        gboolean is_empty =
            type->is_signed ? (gint64) mapping->low > (gint64) mapping->high : mapping->low > mapping->high;

        while (at < n && type->mappings[found[at]].label != mapping->label)
          at++;
        g_assert (n <= TT_CTF_MAX_LABELS + 1 && (is_empty || at < n || n == TT_CTF_MAX_LABELS + 1));
        g_assert (is_empty || at == n || found[at] <= i);
      }
}

static inline void
fuzz_look_at_type (const TtCtfSchema *schema, const TtCtfType *type, guint depth)
{
  if (type == NULL)
    return;
  g_assert (depth <= TT_CTF_MAX_DEPTH && type->align > 0 && (type->align & (type->align - 1)) == 0);
  if (type->kind == TT_CTF_TYPE_INTEGER || type->kind == TT_CTF_TYPE_REAL)
    g_assert (type->is_variable ? type->size == 0 : type->size >= 1 && type->size <= 64);
  fuzz_look_at_ranges (schema, type);
  fuzz_look_at_type (schema, type->element, depth + 1);
  for (guint i = 0; i < type->n_fields; i++)
    fuzz_look_at_type (schema, type->fields[i].type, depth + 1);
}

static inline void
fuzz_look_at_schema (const TtCtfSchema *schema)
{
  fuzz_look_at_type (schema, schema->packet_header, 1);
  for (guint i = 0; i < schema->streams->len; i++)
    {
      const TtCtfStreamType *stream = schema->streams->pdata[i];

      fuzz_look_at_type (schema, stream->packet_context, 1);
      fuzz_look_at_type (schema, stream->event_header, 1);
      fuzz_look_at_type (schema, stream->event_context, 1);
      for (guint k = 0; k < stream->events->len; k++)
        {
          const TtCtfEventType *event = stream->events->pdata[k];

          fuzz_look_at_type (schema, event->context, 1);
          fuzz_look_at_type (schema, event->payload, 1);
        }
    }
}
