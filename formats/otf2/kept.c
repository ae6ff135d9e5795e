/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/kept.h"

#include "formats/otf2/lanes.h"

#define PREFIX "tracetool::"
#define MAX_FIELDS (5u + TT_N_TASK_TEXTS)

typedef struct
{
  guint n;
  char *text[MAX_FIELDS]; /* NULL: not known */
  gboolean is_good;
} Row;

/* "=12\t\t=a\\tb\t": three fields, of which the second is not known. */
static void
read_row (Row *self, const char *text, guint n_fields)
{
  self->is_good = TRUE;
  for (self->n = 0; self->n < n_fields; self->n++)
    {
      const char *end = strchr (text, '\t');
      if (end == NULL || (end > text && *text != '='))
        break;
      if (end > text)
        {
          g_autofree char *escaped = g_strndup (text + 1, (gsize) (end - text) - 1);
          g_autofree char *plain = g_strcompress (escaped);
          self->text[self->n] = g_utf8_make_valid (plain, -1);
        }
      text = end + 1;
    }
  self->is_good = self->n == n_fields && *text == '\0';
}

static void
clear_row (Row *self)
{
  for (guint i = 0; i < MAX_FIELDS; i++)
    g_clear_pointer (&self->text[i], g_free);
}

/* @otherwise: it is not known. */
static gint64
number_of (Row *self, guint field, gint64 least, gint64 otherwise)
{
  gint64 number = otherwise;

  if (self->text[field] != NULL && !g_ascii_string_to_signed (self->text[field], 10, least, G_MAXINT64, &number, NULL))
    self->is_good = FALSE;
  return number;
}

static void
read_tensor (TtOtf2Session *session, guint32 process, Row *row)
{
  gint64 id = number_of (row, 0, G_MININT64, 0), update = number_of (row, 4, 0, -1);

  if (row->is_good)
    tt_sink_parameter (session->sink, id, row->text[1], row->text[2], row->text[3], update, row->text[5]);
}

static void
read_task (TtOtf2Session *session, guint32 process, Row *row)
{
  TtTaskNode task = {
    .id = number_of (row, 0, G_MININT64, 0),
    .kind = tt_task_kind_parse (row->text[1] == NULL ? "" : row->text[1]),
    .created_ns = number_of (row, 2, 0, -1),
    .begin_ns = number_of (row, 3, 0, -1),
    .end_ns = number_of (row, 4, 0, -1),
  };

  for (guint i = 0; i < TT_N_TASK_TEXTS; i++)
    task.text[i] = row->text[5 + i];
  if (row->is_good)
    tt_sink_task (session->sink, process, &task);
}

static void
read_task_edge (TtOtf2Session *session, guint32 process, Row *row)
{
  const TtTaskEdge edge = {
    .src = number_of (row, 0, G_MININT64, 0),
    .dst = number_of (row, 1, G_MININT64, 0),
    .has_src = row->text[0] != NULL,
    .has_dst = row->text[1] != NULL,
    .kind = row->text[2],
  };

  if (row->is_good)
    tt_sink_task_edge (session->sink, process, &edge);
}

typedef struct
{
  const char *name; /* before a number */
  guint n_fields;
  TtOtf2Definition of;
  void (*read) (TtOtf2Session *session, guint32 process, Row *row);
} Kind;

static const Kind kinds[] = {
  { PREFIX "tensor ", 6, TT_OTF2_SYSTEM_TREE_NODE_PROPERTY, read_tensor },
  { PREFIX "task edge ", 3, TT_OTF2_LOCATION_GROUP_PROPERTY, read_task_edge },
  { PREFIX "task ", MAX_FIELDS, TT_OTF2_LOCATION_GROUP_PROPERTY, read_task },
};

static const Kind *
find_kind (TtOtf2Definition of, const char *name)
{
  for (guint i = 0; name != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].of == of && g_str_has_prefix (name, kinds[i].name))
      return &kinds[i];
  return NULL;
}

static void
read_property (TtOtf2Session *session, const Kind *kind, guint32 process, const char *value)
{
  Row row = { 0 };

  read_row (&row, value, kind->n_fields);
  if (row.is_good)
    kind->read (session, process, &row);
  if (!row.is_good)
    tt_sink_repair (session->sink, TT_REPAIR_BAD_ROW, 0);
  clear_row (&row);
}

/* Of the machine; NULL: it is not there. */
static const char *
find_property (const TtOtf2Definitions *definitions, const char *name)
{
  for (guint i = 0; i < tt_otf2_count (definitions, TT_OTF2_SYSTEM_TREE_NODE_PROPERTY); i++)
    {
      const guint64 *row = tt_otf2_row (definitions, TT_OTF2_SYSTEM_TREE_NODE_PROPERTY, i);
      if (g_strcmp0 (tt_otf2_text (definitions, row[TT_OTF2_NAME]), name) == 0)
        return tt_otf2_text (definitions, row[TT_OTF2_PROPERTY_VALUE]);
    }
  return NULL;
}

gboolean
tt_otf2_kept_is_told (const TtOtf2Definitions *definitions)
{
  return find_property (definitions, PREFIX "facts") != NULL;
}

gboolean
tt_otf2_kept_is_ticks (const TtOtf2Definitions *definitions)
{
  return g_strcmp0 (find_property (definitions, PREFIX "clock"), tt_clock_text (TT_CLOCK_TICKS)) == 0;
}

static void
read_properties (TtOtf2Session *session, TtOtf2Definition of)
{
  const TtOtf2Definitions *definitions = session->definitions;

  for (guint i = 0; i < tt_otf2_count (definitions, of); i++)
    {
      const guint64 *row = tt_otf2_row (definitions, of, i);
      const Kind *kind = find_kind (of, tt_otf2_text (definitions, row[TT_OTF2_NAME]));
      const char *value = tt_otf2_text (definitions, row[TT_OTF2_PROPERTY_VALUE]);
      gboolean is_of_process = of == TT_OTF2_LOCATION_GROUP_PROPERTY;
      guint32 process = is_of_process ? tt_otf2_process_of_group (session, row[TT_OTF2_ID]) : TT_NO_ID;
      if (kind != NULL && value != NULL && (!is_of_process || process != TT_NO_ID))
        read_property (session, kind, process, value);
    }
}

void
tt_otf2_kept_read (TtOtf2Session *session)
{
  read_properties (session, TT_OTF2_SYSTEM_TREE_NODE_PROPERTY);
  read_properties (session, TT_OTF2_LOCATION_GROUP_PROPERTY);
}
