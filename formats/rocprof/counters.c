/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/rocprof/counters.h"

#include <math.h>

#include "src/base/slots.h"
#include "src/base/tape.h"

#define TAPE_MEMORY ((gsize) 4 << 20)

/* Before the text of a record on the tape. */
typedef struct
{
  guint64 len, dispatch, offset;
} Head;

typedef struct
{
  guint64 handle;
  double sum;
} Sum;

struct _TtRocprofCounters
{
  TtTape *tape;
  TtSlots *places; /* dispatch -> place on the tape + 1 */
  TtSlots *told;   /* dispatch -> 1 */
  GArray *sums;    /* of Sum */
  GHashTable *of_handle; /* handle -> number in sums + 1 */
  GString *text, *untold, *json;
};

TtRocprofCounters *
tt_rocprof_counters_new (void)
{
  TtRocprofCounters *self = g_new0 (TtRocprofCounters, 1);

  self->tape = tt_tape_new (TAPE_MEMORY);
  self->places = tt_slots_new ();
  self->told = tt_slots_new ();
  self->sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  self->of_handle = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->text = g_string_new (NULL);
  self->untold = g_string_new (NULL);
  self->json = g_string_new (NULL);
  return self;
}

void
tt_rocprof_counters_free (TtRocprofCounters *self)
{
  if (self == NULL)
    return;
  tt_tape_free (self->tape);
  tt_slots_free (self->places);
  tt_slots_free (self->told);
  g_array_unref (self->sums);
  g_hash_table_unref (self->of_handle);
  g_string_free (self->text, TRUE);
  g_string_free (self->untold, TRUE);
  g_string_free (self->json, TRUE);
  g_free (self);
}

static TtJsonValue
get_in (const TtJsonValue *object, const char *key)
{
  return object->kind == TT_JSON_OBJECT ? tt_json_get (object->raw, key) : (TtJsonValue){ 0 };
}

gboolean
tt_rocprof_counters_add (TtRocprofCounters *self, const TtJsonValue *record)
{
  TtJsonValue data = get_in (record, "dispatch_data"), info = get_in (&data, "dispatch_info"),
              id = get_in (&info, "dispatch_id");
  Head head = { .len = record->raw.len, .offset = record->offset };

  if (!tt_json_uint64 (&id, &head.dispatch))
    return FALSE;
  guint64 place = tt_tape_append (self->tape, &head, sizeof head);
  tt_tape_append (self->tape, record->raw.bytes, record->raw.len);
  tt_slots_add (self->places, tt_slots_mix (head.dispatch), place + 1);
  return TRUE;
}

gboolean
tt_rocprof_counters_is_empty (const TtRocprofCounters *self)
{
  return tt_tape_size (self->tape) == 0;
}

static Head
read_text (TtRocprofCounters *self, guint64 place, GString *into)
{
  Head head;

  tt_tape_read (self->tape, place, &head, sizeof head);
  head.len = MIN (head.len, tt_tape_size (self->tape) - MIN (tt_tape_size (self->tape), place + sizeof head));
  g_string_set_size (into, head.len);
  tt_tape_read (self->tape, place + sizeof head, into->str, head.len);
  return head;
}

static void
add_value (TtRocprofCounters *self, const TtJsonValue *item)
{
  TtJsonValue id = get_in (item, "counter_id"), handle = get_in (&id, "handle"), value = get_in (item, "value");
  guint64 number;

  if (value.kind != TT_JSON_NUMBER || !tt_json_uint64 (&handle, &number))
    return;
  g_autofree char *digits = tt_json_text (&value);
  double amount = g_ascii_strtod (digits, NULL);
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->of_handle, &number));
  if (known != 0)
    {
      g_array_index (self->sums, Sum, known - 1).sum += amount;
      return;
    }
  const Sum sum = { .handle = number, .sum = amount };
  g_array_append_val (self->sums, sum);
  g_hash_table_insert (self->of_handle, g_memdup2 (&number, sizeof number), GUINT_TO_POINTER (self->sums->len));
}

static void
add_records (TtRocprofCounters *self)
{
  TtJsonValue records = tt_json_get ((TtSlice){ self->text->str, self->text->len }, "records"), item;
  const char *cursor = NULL;

  while (records.kind == TT_JSON_ARRAY && tt_json_item (records.raw, &cursor, &item))
    add_value (self, &item);
}

/* Names of counters are words; what is none cannot break out of its quotes. */
static void
append_name (GString *json, const char *name, guint64 handle)
{
  if (name == NULL)
    g_string_append_printf (json, "\"counter %" G_GUINT64_FORMAT "\":", handle);
  else
    {
      g_string_append_c (json, '"');
      for (const char *p = name; *p != '\0'; p++)
        g_string_append_c (json, *p == '"' || *p == '\\' || (guchar) *p < 0x20 ? '_' : *p);
      g_string_append (json, "\":");
    }
}

static void
append_number (GString *json, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!isfinite (value))
    g_string_append (json, "null");
  else
    g_string_append (json, g_ascii_formatd (text, sizeof text, "%.17g", value));
}

const char *
tt_rocprof_counters_of (TtRocprofCounters *self, guint64 dispatch, TtRocprofCounterName name, gpointer data)
{
  guint64 key = tt_slots_mix (dispatch), place;
  TtSlotCursor cursor = { 0 };

  g_array_set_size (self->sums, 0);
  g_hash_table_remove_all (self->of_handle);
  if (tt_rocprof_counters_is_empty (self))
    return NULL;
  /* A dispatch is told of once: another record of it finds nothing. */
  if (tt_slots_find (self->told, key, &cursor) != 0)
    return NULL;
  tt_slots_add (self->told, key, 1);
  cursor = (TtSlotCursor){ 0 };
  while ((place = tt_slots_find (self->places, key, &cursor)) != 0)
    {
      read_text (self, place - 1, self->text);
      add_records (self);
    }
  if (self->sums->len == 0)
    return NULL;
  g_string_assign (self->json, "{");
  for (guint i = 0; i < self->sums->len; i++)
    {
      const Sum *sum = &g_array_index (self->sums, Sum, i);

      if (i > 0)
        g_string_append_c (self->json, ',');
      append_name (self->json, name (sum->handle, data), sum->handle);
      append_number (self->json, sum->sum);
    }
  g_string_append_c (self->json, '}');
  return self->json->str;
}

gboolean
tt_rocprof_counters_next_untold (TtRocprofCounters *self, guint64 *cursor, TtJsonValue *record)
{
  while (*cursor < tt_tape_size (self->tape))
    {
      TtSlotCursor at = { 0 };
      Head head = read_text (self, *cursor, self->untold);

      *cursor += sizeof head + head.len;
      if (tt_slots_find (self->told, tt_slots_mix (head.dispatch), &at) != 0)
        continue;
      *record = (TtJsonValue){ .kind = TT_JSON_OBJECT,
                               .raw = { self->untold->str, self->untold->len },
                               .offset = head.offset };
      return TRUE;
    }
  return FALSE;
}

gboolean
tt_rocprof_counters_check (const TtRocprofCounters *self, GError **error)
{
  return tt_tape_check (self->tape, error) && tt_slots_check (self->places, error) &&
         tt_slots_check (self->told, error);
}
