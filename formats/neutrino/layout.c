/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino/layout.h"

#include "src/base/error.h"

#include <string.h>

static void
clear_field (gpointer data)
{
  g_free (((TtNlLayoutField *) data)->name);
}

static void
free_area (gpointer data)
{
  TtNlLayoutArea *area = data;

  g_free (area->name);
  g_array_unref (area->fields);
  g_free (area);
}

TtNlLayout *
tt_nl_layout_new (void)
{
  TtNlLayout *self = g_new0 (TtNlLayout, 1);

  self->areas = g_ptr_array_new_with_free_func (free_area);
  return self;
}

void
tt_nl_layout_free (TtNlLayout *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->areas);
  g_free (self);
}

TtNlLayoutArea *
tt_nl_layout_add_area (TtNlLayout *self, const char *name, TtNlLevel level, guint64 record_bytes, guint64 cap)
{
  TtNlLayoutArea *area = g_new0 (TtNlLayoutArea, 1);

  area->name = g_strdup (name);
  area->level = level;
  area->record_bytes = record_bytes;
  area->cap = cap;
  area->fields = g_array_new (FALSE, TRUE, sizeof (TtNlLayoutField));
  g_array_set_clear_func (area->fields, clear_field);
  g_ptr_array_add (self->areas, area);
  return area;
}

TtNlLayoutField *
tt_nl_layout_add_field (TtNlLayoutArea *area, const char *name, TtNlWidth width, gint64 offset, gboolean is_conditional)
{
  TtNlLayoutField field = {
    .name = g_strdup (name),
    .width = width,
    .offset = offset,
    .is_conditional = is_conditional,
  };

  g_array_append_val (area->fields, field);
  return tt_nl_layout_field (area, area->fields->len - 1);
}

gboolean
tt_nl_layout_is_known (const TtNlLayout *self, const char *name, GError **error)
{
  for (guint i = 0; i < self->areas->len; i++)
    if (tt_nl_layout_area (self, i)->reason != NULL)
      {
        g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: map '%s' %s", name, tt_nl_layout_area (self, i)->name,
                     tt_nl_layout_area (self, i)->reason);
        return FALSE;
      }
  return TRUE;
}

/* -- text ------------------------------------------------------------------------------------------- */

typedef struct
{
  char *cells[7];
} Row;

static void
clear_row (gpointer data)
{
  Row *row = data;

  for (guint i = 0; i < G_N_ELEMENTS (row->cells); i++)
    g_free (row->cells[i]);
}

static void
add_row (GArray *rows, const TtNlLayoutArea *area, const TtNlLayoutField *field)
{
  Row row = {
    .cells = {
      g_strdup (area->name),
      g_strdup (area->level == TT_NL_WARP ? "warp" : "thread"),
      area->cap > 0 ? g_strdup_printf ("%" G_GUINT64_FORMAT, area->cap) : g_strdup ("dynamic"),
      g_strdup_printf ("%" G_GUINT64_FORMAT, area->record_bytes),
      field->offset >= 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, field->offset) : g_strdup ("varies"),
      g_strdup_printf ("u%u", (guint) field->width),
      g_strdup_printf ("%s%s", field->name, field->is_conditional ? " (conditional)" : ""),
    },
  };

  g_array_append_val (rows, row);
}

void
tt_nl_layout_print (const TtNlLayout *self, GString *text)
{
  static const char *const titles[] = { "area", "level", "cap", "record", "offset", "type", "field" };
  static const gboolean is_number[] = { FALSE, FALSE, TRUE, TRUE, TRUE, FALSE, FALSE };
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Row));
  guint widths[G_N_ELEMENTS (titles)] = { 0 };
  Row header = { 0 };

  g_array_set_clear_func (rows, clear_row);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    header.cells[i] = g_strdup (titles[i]);
  g_array_append_val (rows, header);
  for (guint i = 0; i < self->areas->len; i++)
    for (guint j = 0; j < tt_nl_layout_area (self, i)->fields->len; j++)
      add_row (rows, tt_nl_layout_area (self, i), tt_nl_layout_field (tt_nl_layout_area (self, i), j));
  for (guint i = 0; i < rows->len; i++)
    for (guint j = 0; j < G_N_ELEMENTS (titles); j++)
      widths[j] = MAX (widths[j], (guint) strlen (g_array_index (rows, Row, i).cells[j]));
  for (guint i = 0; i < rows->len; i++)
    for (guint j = 0; j < G_N_ELEMENTS (titles); j++)
      {
        gboolean is_last = j + 1 == G_N_ELEMENTS (titles);
        int width = is_last ? 0 : is_number[j] ? (int) widths[j] : -(int) widths[j];

        g_string_append_printf (text, "%*s%s", width, g_array_index (rows, Row, i).cells[j], is_last ? "\n" : "  ");
      }
}
