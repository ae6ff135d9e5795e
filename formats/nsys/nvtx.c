/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/nsys/nvtx.h"

#include "formats/nsys/lanes.h"
#include "formats/nsys/names.h"
#include "src/base/slots.h"

#define TABLE "NVTX_EVENTS"

/* ENUM_NSYS_EVENT_TYPE; those of files of NVTX text come after. */
enum
{
  TYPE_CATEGORY = 33,
  TYPE_MARK = 34,
  TYPE_THREAD = 39,
  TYPE_PUSHED = 59,
  TYPE_STARTED = 60,
  TYPE_TEXT_PUSHED = 70,
  TYPE_TEXT_STARTED = 71,
  TYPE_DOMAIN = 75,
  TYPE_DOMAIN_GONE = 76,
};

enum
{
  BEGIN,
  END,
  THREAD,
  TYPE,
  TEXT,
  TEXT_ID,
  DOMAIN,
  CATEGORY,
  COLOR,
  RANGE,
  END_THREAD,
  FIRST_PAYLOAD,
  JSON = FIRST_PAYLOAD + 6,
};

static const char *const columns[] = { "start",       "end",        "globalTid",   "eventType",   "text",
                                       "textId",      "domainId",   "category",    "color",       "rangeId",
                                       "endGlobalTid", "uint64Value", "int64Value", "doubleValue", "uint32Value",
                                       "int32Value",  "floatValue", "jsonText",    NULL };

/* Names of domains and categories by program and number. */
typedef struct
{
  TtNsys *nsys;
  GHashTable *words; /* hash (guint64, owned) -> char * */
} Words;

/* More of them are not kept: their numbers stand for them. */
#define MOST_WORDS 65536u

static guint64
key_of (gint64 type, gint64 thread, gint64 domain, gint64 category)
{
  guint64 key = tt_slots_mix ((guint64) type ^ tt_slots_mix ((guint64) thread >> 24));

  key = tt_slots_mix (key ^ (guint64) domain);
  return type == TYPE_DOMAIN ? key : tt_slots_mix (key ^ (guint64) category);
}

/* The text of the row: free it. NULL without @error: it has none. */
static char *
text_of (TtNsys *self, TtRows *rows, GError **error)
{
  gint64 id;
  const char *text = tt_rows_text (rows, TEXT, NULL);

  if (text == NULL && tt_rows_int (rows, TEXT_ID, &id))
    text = tt_nsys_string (self, id, error);
  if (text == NULL)
    return NULL;
  if (!g_utf8_validate (text, -1, NULL))
    tt_sink_repair (self->sink, TT_REPAIR_BAD_UTF8, self->n_rows);
  return g_utf8_make_valid (text, -1);
}

static gboolean
fail (GError **error, GError *failure)
{
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* Domains and categories may get their names after their first range. */
static gboolean
read_words (Words *self, GError **error)
{
  GError *local = NULL;
  g_autoptr (TtRows) rows = NULL;

  if (!tt_tables_has_column (self->nsys->tables, TABLE, "eventType"))
    return TRUE;
  rows = tt_tables_rows (self->nsys->tables, TABLE, columns, "WHERE \"eventType\" IN (33, 75)", &local);
  while (rows != NULL && tt_nsys_next (self->nsys, rows, &local))
    {
      const guint64 key = key_of (tt_rows_int_or (rows, TYPE, 0), tt_rows_int_or (rows, THREAD, 0),
                                  tt_rows_int_or (rows, DOMAIN, 0), tt_rows_int_or (rows, CATEGORY, 0));
      char *text = text_of (self->nsys, rows, &local);

      gboolean is_nameless = tt_rows_is_null (rows, DOMAIN) && tt_rows_int_or (rows, TYPE, 0) == TYPE_DOMAIN;

      if (text == NULL || is_nameless || g_hash_table_contains (self->words, &key) ||
          g_hash_table_size (self->words) >= MOST_WORDS)
        g_free (text);
      else
        g_hash_table_insert (self->words, g_memdup2 (&key, sizeof key), text);
      if (local != NULL)
        break;
    }
  return fail (error, local);
}

static const char *
find_word (const Words *self, gint64 type, TtRows *rows)
{
  const guint64 key = key_of (type, tt_rows_int_or (rows, THREAD, 0), tt_rows_int_or (rows, DOMAIN, 0),
                              tt_rows_int_or (rows, CATEGORY, 0));

  return g_hash_table_lookup (self->words, &key);
}

/* -- one event ------------------------------------------------------------------------------------------ */

static void
add_payload (TtNsys *self, TtRows *rows)
{
  double value;

  for (int i = FIRST_PAYLOAD; i < JSON; i++)
    {
      gint64 integer;
      gboolean is_real = i == FIRST_PAYLOAD + 2 || i == FIRST_PAYLOAD + 5;

      if (is_real && tt_rows_real (rows, i, &value))
        tt_nsys_args_real (self, "payload", value);
      else if (!is_real && tt_rows_int (rows, i, &integer))
        tt_nsys_args_int (self, "payload", integer);
      else
        continue;
      return;
    }
  tt_nsys_args_text (self, "payload", tt_rows_text (rows, JSON, NULL));
}

static guint64
args_of (const Words *self, TtRows *rows)
{
  TtNsys *nsys = self->nsys;
  const char *category = find_word (self, TYPE_CATEGORY, rows);
  gint64 color;

  tt_nsys_args_begin (nsys);
  if (category != NULL)
    tt_nsys_args_text (nsys, "category", category);
  else if (tt_rows_int_or (rows, CATEGORY, 0) != 0)
    tt_nsys_args_column (nsys, "category", rows, CATEGORY);
  if (tt_rows_int (rows, COLOR, &color))
    {
      char text[16];
      g_snprintf (text, sizeof text, "#%08x", (guint32) color);
      tt_nsys_args_text (nsys, "color", text);
    }
  add_payload (nsys, rows);
  return tt_nsys_args_end (nsys);
}

static gboolean
name_event (const Words *self, TtRows *rows, TtTraceRecord *record, GError **error)
{
  const char *domain = find_word (self, TYPE_DOMAIN, rows);
  TtNsysName name;

  if (domain == NULL && tt_rows_is_null (rows, TEXT) && !tt_rows_is_null (rows, TEXT_ID))
    {
      if (!tt_nsys_name (self->nsys, TT_NSYS_NVTX, 0, rows, TEXT_ID, &name, error))
        return FALSE;
    }
  else
    {
      GError *local = NULL;
      g_autofree char *text = text_of (self->nsys, rows, &local);
      g_autofree char *group = domain == NULL ? NULL : g_strconcat ("nvtx ", domain, NULL);

      if (local != NULL)
        return fail (error, local);
      if (text == NULL || *text == '\0')
        tt_sink_repair (self->nsys->sink, TT_REPAIR_NO_NAME, self->nsys->n_rows);
      tt_nsys_name_text (self->nsys, group == NULL ? "nvtx" : group, text == NULL || *text == '\0' ? "(no name)" : text,
                         &name);
    }
  record->name = name.name;
  record->flags = name.is_unnamed ? TT_FLAG_WINDOW : 0;
  return TRUE;
}

/* A range that is started in one thread may end in another. */
static void
add_started (TtNsys *self, TtRows *rows, TtTraceRecord *record, gboolean is_open)
{
  guint64 key = tt_slots_mix ((guint64) record->process ^ tt_slots_mix (self->n_rows));
  TtTraceRecord end = *record;

  tt_arrange_async_begin (self->arrange, record, key);
  if (is_open)
    return;
  end.args = 0;
  end.ts_ns = record->ts_ns + MAX (record->dur_ns, 0);
  tt_arrange_async_end (self->arrange, &end, key);
}

static gboolean
add_event (const Words *self, TtRows *rows, gint64 type, GError **error)
{
  TtTraceRecord record = { .step = TT_NO_STEP };
  TtNsys *nsys = self->nsys;
  gboolean is_open;

  if (!tt_nsys_times (nsys, rows, BEGIN, END, THREAD, &record, &is_open))
    return TRUE;
  if (!name_event (self, rows, &record, error))
    return FALSE;
  tt_nsys_on_thread (nsys, rows, THREAD, &record);
  record.args = args_of (self, rows);
  if (type == TYPE_MARK)
    {
      record.flags = 0;
      tt_arrange_instant (nsys->arrange, &record);
    }
  else if (type == TYPE_STARTED || type == TYPE_TEXT_STARTED)
    add_started (nsys, rows, &record, is_open);
  else if (is_open)
    tt_arrange_begin (nsys->arrange, &record);
  else
    tt_arrange_span (nsys->arrange, &record);
  return TRUE;
}

static gboolean
read_events (const Words *self, GError **error)
{
  TtNsys *nsys = self->nsys;
  GError *local = NULL;
  g_autoptr (TtRows) rows = tt_tables_rows (nsys->tables, TABLE, columns, NULL, &local);

  while (rows != NULL && local == NULL && tt_nsys_next (nsys, rows, &local))
    {
      gint64 type = tt_rows_int_or (rows, TYPE, TYPE_PUSHED);

      switch (type)
        {
        case TYPE_MARK:
        case TYPE_PUSHED:
        case TYPE_STARTED:
        case TYPE_TEXT_PUSHED:
        case TYPE_TEXT_STARTED:
          add_event (self, rows, type, &local);
          break;
        case TYPE_CATEGORY:
        case TYPE_THREAD:
        case TYPE_DOMAIN:
        case TYPE_DOMAIN_GONE:
          break;
        default:
          tt_sink_repair (nsys->sink, TT_REPAIR_SKIPPED_KIND, nsys->n_rows);
        }
    }
  return fail (error, local);
}

gboolean
tt_nsys_read_nvtx (TtNsys *self, GError **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  Words words = { .nsys = self, .words = table };

  return read_words (&words, error) && read_events (&words, error);
}
