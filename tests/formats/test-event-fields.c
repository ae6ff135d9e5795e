/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/event-numbers.h"
#include "formats/trace-event/ids.h"
#include "tests/formats/json-tokens.h"
#include "tests/rounds.h"

/* The fields of one trace event, and the ids of what they name. */

/* -- times ------------------------------------------------------------------------------------------ */

static gboolean
read_time (const char *text, TtTraceEvent *event, TtRepairs *repairs)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *one = g_strdup_printf ("{\"ph\":\"i\",\"ts\":%s}", text);
  g_autofree char *file = g_strdup_printf ("[%s,\n%s,\n%s]", one, one, one);
  g_autoptr (TtInput) input = tt_input_open (memory_file (file, strlen (file)), &error);
  g_autoptr (TtJson) json = tt_json_new (input, repairs);
  const TtEventFields fields = { json, repairs, "times", FALSE };
  TtJsonValue record;

  tt_event_fields_prepare (&fields);
  tt_event_fields_aim (&fields, event);
  g_assert_true (tt_json_begin_array (json, &error) && tt_json_next_record (json, &record, &error));
  gboolean is_time = tt_event_fields_fill (&fields, &record, event, &error);
  TtTraceEvent again = { .ph = 0 };

  /* Of a record that looks like the one before, and of one that also stands like it. */
  tt_event_fields_aim (&fields, &again);
  g_assert_true (tt_json_next_record (json, &record, NULL));
  g_assert_cmpint (tt_event_fields_fill (&fields, &record, &again, NULL), ==, is_time);
  g_assert_cmpint (again.ts_ns, ==, event->ts_ns);
  g_assert_true (tt_json_next_alike (json, &record));
  g_assert_cmpint (tt_event_fields_fill (&fields, &record, &again, NULL), ==, is_time);
  g_assert_cmpint (again.ts_ns, ==, event->ts_ns);
  return is_time;
}

static void
assert_time (const char *text, gint64 ns)
{
  TtRepairs repairs = { 0 };
  TtTraceEvent event = { .ph = 0 };

  g_assert_true (read_time (text, &event, &repairs));
  if (event.ts_ns != ns)
    g_error ("%s is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, text, event.ts_ns, ns);
  g_assert_cmpuint (event.has, ==, TT_EVENT_HAS_TS | TT_EVENT_HAS_NO_ARGS);
  g_assert_cmpuint (tt_repairs_total (&repairs), ==, 0);
}

/* However many digits there are, before the point and after it. */
static void
test_times (void)
{
  for (guint i = 0; i < test_rounds (20000); i++)
    {
      guint64 random = (guint64) g_test_rand_int () << 32 | (guint32) g_test_rand_int ();
      gint64 ns = (gint64) (random >> g_test_rand_int_range (1, 63)), us = ns / 1000;
      char text[64];
      const char *sign = g_test_rand_int_range (0, 8) == 0 && ns != 0 ? "-" : "";

      g_snprintf (text, sizeof text, "%s%" G_GINT64_FORMAT ".%03d", sign, us, (int) (ns % 1000));
      assert_time (text, *sign != '\0' ? -ns : ns);
      g_snprintf (text, sizeof text, "%s%" G_GINT64_FORMAT ".%03d000", sign, us, (int) (ns % 1000));
      assert_time (text, *sign != '\0' ? -ns : ns);
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, us);
      assert_time (text, us * 1000);
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT ".%d", us, (int) (ns % 10));
      assert_time (text, us * 1000 + ns % 10 * 100);
      g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT "e3", us % 1000000);
      assert_time (text, us % 1000000 * 1000000);
    }
}

/* -- values ------------------------------------------------------------------------------------------ */

static const char *const value_keys[TT_EVENT_VALUES] = { "name", "cat", "pid", "tid", "args", "id", "id2", "scope" };

static const char *
pick_value (void)
{
  static const char *const values[] = { "\"op\"",
                                        "1",
                                        "12.5",
                                        "-3",
                                        "1e3",
                                        "\"a\\nb\"",
                                        "\"\"",
                                        "null",
                                        "true",
                                        "{}",
                                        "{\"x\":[1]}",
                                        "[\"\\u0041\"]",
                                        "\"longer than sixteen bytes\"" };

  return values[g_test_rand_int_range (0, G_N_ELEMENTS (values))];
}

/* A few shapes, the same keys in some of them. */
static void
append_event (GString *file, guint shape)
{
  g_string_append (file, "{\"ph\":\"i\"");
  for (guint i = 0; i < TT_EVENT_VALUES; i++)
    if ((shape * 37u >> i & 1) != 0)
      g_string_append_printf (file, "%s\"%s\":%s", shape % 2 == 0 ? "," : ",\n  ", value_keys[i], pick_value ());
  g_string_append (file, "}");
}

static void
assert_values (const TtTraceEvent *event)
{
  for (guint i = 0; i < TT_EVENT_VALUES; i++)
    {
      const TtJsonValue *value = &event->values[i], wanted = tt_json_get (event->record, value_keys[i]);

      g_assert_cmpint (value->kind, ==, wanted.kind);
      g_assert_cmpint (value->has_escapes, ==, wanted.has_escapes);
      g_assert_cmpmem (value->raw.bytes, value->raw.len, wanted.raw.bytes, wanted.raw.len);
      if (wanted.kind != TT_JSON_NONE)
        g_assert_cmpuint (value->offset, ==, event->offset + wanted.offset);
    }
}

/* Equal texts have one number, others another. */
static void
assert_number (GHashTable *known, TtSlice a, TtSlice b, guint32 number)
{
  g_autofree char *text = g_strdup_printf ("%d %.*s %.*s", (int) a.len, (int) a.len, a.bytes, (int) b.len, b.bytes);
  guint32 before = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

  if (number == 0)
    return;
  g_assert_true (before == 0 || before == number);
  if (before == 0)
    g_assert_cmpuint (number, ==, g_hash_table_size (known) + 1);
  g_hash_table_replace (known, g_steal_pointer (&text), GUINT_TO_POINTER (number));
}

/* Records of known shapes and others among each other: as if each was read alone. */
static void
test_values (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) file = g_string_new ("[");
  g_autoptr (GHashTable) lanes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (TtEventNumbers) numbers = tt_event_numbers_new ();
  TtRepairs repairs = { 0 };
  TtTraceEvent events[3] = { 0 };
  TtJsonValue record;
  guint n = test_rounds (3000), n_alike = 0;

  for (guint i = 0; i < n; i++)
    {
      append_event (file, (guint) g_test_rand_int_range (0, 9));
      g_string_append (file, i + 1 == n ? "]" : g_test_rand_int_range (0, 20) == 0 ? " , " : ",\n");
    }
  g_autoptr (TtInput) input = tt_input_open (memory_file (file->str, file->len), &error);
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  const TtEventFields fields = { json, &repairs, "values", TRUE };
  tt_event_fields_prepare (&fields);
  g_assert_true (tt_json_begin_array (json, &error));
  for (guint i = 0; i < n; i++)
    {
      TtTraceEvent *event = &events[i % G_N_ELEMENTS (events)];

      tt_event_fields_aim (&fields, event);
      gboolean is_alike = tt_json_next_alike (json, &record);
      g_assert_true (is_alike || tt_json_next_record (json, &record, &error));
      g_assert_true (tt_event_fields_fill (&fields, &record, event, &error));
      n_alike += is_alike;
      assert_values (event);
      tt_event_numbers_set (numbers, event);
      assert_number (lanes, event->pid.raw, event->tid.raw, event->lane);
      assert_number (labels, event->name.raw, event->cat.raw, event->label);
    }
  g_assert_cmpuint (n_alike, >, n / 4);
  g_assert_cmpuint (g_hash_table_size (lanes), >, 10);
}

/* -- ids --------------------------------------------------------------------------------------------- */

typedef struct
{
  char a[24], b[24];
  guint64 salt;
} Key;

static TtByteKey
as_byte_key (const Key *key)
{
  return (TtByteKey){ .salt = key->salt, .a = { key->a, strlen (key->a) }, .b = { key->b, strlen (key->b) } };
}

static void
fill_text (char *text)
{
  int len = g_test_rand_int_range (0, g_test_rand_bit () ? 10 : 24);

  for (int i = 0; i < len; i++)
    text[i] = (char) g_test_rand_int_range ('0', '3');
  text[len] = '\0';
}

/* As a table of texts; one that forgets gives the right id or none. */
static void
compare_ids (gsize most_bytes)
{
  g_autoptr (TtByteIds) ids = tt_byte_ids_new (most_bytes);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n_found = 0;

  for (guint i = 1; i < 20000; i++)
    {
      Key key;
      guint64 hash;

      fill_text (key.a);
      fill_text (key.b);
      key.salt = (guint64) g_test_rand_int_range (0, 2) << 32;

      const TtByteKey bytes = as_byte_key (&key);
      char *text = g_strdup_printf ("%" G_GUINT64_FORMAT " %s %s", key.salt, key.a, key.b);
      guint32 found = tt_byte_ids_find (ids, &bytes, &hash),
              wanted = GPOINTER_TO_UINT (g_hash_table_lookup (known, text));

      if (most_bytes == 0)
        g_assert_cmpuint (found, ==, wanted);
      else
        g_assert_true (found == 0 || found == wanted);
      n_found += found != 0;
      tt_byte_ids_set (ids, &bytes, hash, i);
      g_hash_table_replace (known, text, GUINT_TO_POINTER (i));
      g_assert_cmpuint (tt_byte_ids_find (ids, &bytes, &hash), ==, i);
    }
  g_assert_cmpuint (n_found, >, 100);
}

static void
test_ids (void)
{
  compare_ids (0);
  compare_ids ((gsize) 1 << 20);
}

/* No text that somebody chooses takes the others' differences away. */
static void
test_hashes (void)
{
  static const guint64 constants[] = { 0, G_MAXUINT64, G_GUINT64_CONSTANT (0x9e3779b97f4a7c15),
                                       G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9),
                                       G_GUINT64_CONSTANT (0x94d049bb133111eb) };
  g_autoptr (TtByteIds) ids = tt_byte_ids_new (0);

  for (guint i = 0; i < G_N_ELEMENTS (constants); i++)
    for (guint side = 0; side < 2; side++)
      {
        g_autoptr (GHashTable) hashes = g_hash_table_new (g_int64_hash, g_int64_equal);
        guint64 found[1000];

        for (guint64 k = 0; k < G_N_ELEMENTS (found); k++)
          {
            const TtSlice chosen = { (const char *) &constants[i], 8 }, other = { (const char *) &k, 8 };
            const TtByteKey key = { .a = side == 0 ? chosen : other, .b = side == 0 ? other : chosen };

            tt_byte_ids_find (ids, &key, &found[k]);
            g_hash_table_add (hashes, &found[k]);
          }
        g_assert_cmpuint (g_hash_table_size (hashes), ==, G_N_ELEMENTS (found));
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/event-fields/times", test_times);
  g_test_add_func ("/event-fields/values", test_values);
  g_test_add_func ("/event-fields/ids", test_ids);
  g_test_add_func ("/event-fields/hashes", test_hashes);
  return g_test_run ();
}
