/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/perfetto-export/packets.h"

#include "tests/formats/perfetto-decode.h"

#include <float.h>
#include <string.h>

static PerfettoPackets *
packets_new (void)
{
  return tt_perfetto_packets_new (tt_output_open_memory ());
}

/* Frees @packets and its output. */
static char *
decode (PerfettoPackets *packets)
{
  TtOutput *out = packets->out;
  GString *bytes = tt_output_steal_text (out);
  char *text = perfetto_decode ((const guint8 *) bytes->str, bytes->len);

  g_string_free (bytes, TRUE);
  tt_perfetto_packets_free (packets);
  tt_output_free (out);
  return text;
}

static void
assert_decodes (PerfettoPackets *packets, const char *expected)
{
  g_autofree char *text = decode (packets);

  g_assert_cmpstr (text, ==, expected);
}

/* -- tracks -------------------------------------------------------------------------------------------- */

static void
test_tracks (void)
{
  PerfettoPackets *packets = packets_new ();

  tt_perfetto_begin (packets);
  tt_perfetto_attribute_text (packets, "tool", "tracetool");
  tt_perfetto_attribute_int (packets, "epoch.first_ns", G_MININT64);
  tt_perfetto_process (packets, &(PerfettoProcess){ 1, 7, "host0.rank0", "gpu", -3 });
  tt_perfetto_process (packets, &(PerfettoProcess){ 2, G_MAXINT32, "", NULL, G_MAXINT32 });
  tt_perfetto_thread (packets, &(PerfettoThread){ 3, 7, G_MAXINT64, "main", 0 });
  tt_perfetto_thread (packets, &(PerfettoThread){ 300, 7, 0, "k\xc3\xb6nig\xff", 1 });
  tt_perfetto_track (packets, &(PerfettoTrack){ G_MAXUINT64, 3, "queue", 2 });
  tt_perfetto_counter (packets, &(PerfettoCounter){ 5, 1, "memory", "bytes" });
  tt_perfetto_counter (packets, &(PerfettoCounter){ 6, 1, "load", NULL });
  assert_decodes (packets,
                  "root processes explicit threads explicit cleared first\n"
                  "attribute 'tool' 'tracetool'\n"
                  "attribute 'epoch.first_ns' -9223372036854775808\n"
                  "process 1: pid 7 'host0.rank0' label 'gpu' rank -3\n"
                  "process 2: pid 2147483647 '' rank 2147483647\n"
                  "thread 3: pid 7 tid 9223372036854775807 'main' rank 0\n"
                  "thread 300: pid 7 tid 0 'k\xc3\xb6nig\xef\xbf\xbd' rank 1\n"
                  "track 18446744073709551615 in 3: 'queue' rank 2 explicit unmerged\n"
                  "counter 5 in 1: 'memory' unit 'bytes'\n"
                  "counter 6 in 1: 'load'\n");
}

/* -- events -------------------------------------------------------------------------------------------- */

static void
test_events (void)
{
  PerfettoPackets *packets = packets_new ();
  PerfettoEvent event = { .track = 3, .ts_ns = 10 };

  event.name = tt_perfetto_intern_name (&packets->interned, 0, PERFETTO_EVENT_NAME, "COMP.a");
  event.category = tt_perfetto_intern_category (&packets->interned, "COMP,TAU");
  tt_perfetto_slice (packets, &event, 20);
  event.ts_ns = 0;
  guint64 again = tt_perfetto_intern_name (&packets->interned, 0, PERFETTO_EVENT_NAME, "not written");
  g_assert_cmpuint (again, ==, event.name);
  tt_perfetto_instant (packets, &event);
  tt_perfetto_slice (packets, &(PerfettoEvent){ .track = 1, .ts_ns = G_MAXINT64 }, G_MAXINT64);
  tt_perfetto_flow (packets, 1, FALSE);
  tt_perfetto_flow (packets, G_MAXUINT64, TRUE);
  tt_perfetto_instant (packets, &event);
  tt_perfetto_instant (packets, &event);
  tt_perfetto_name_next (packets, "unmatched send");
  tt_perfetto_categorize_next (packets, "message");
  tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 3, .ts_ns = 7 });
  assert_decodes (packets,
                  "begin 10 on 3: 'COMP.a' [COMP,TAU]\n"
                  "end 20 on 3:\n"
                  "instant 0 on 3: 'COMP.a' [COMP,TAU]\n"
                  "begin 9223372036854775807 on 1:\n"
                  "end 9223372036854775807 on 1:\n"
                  "instant 0 on 3: 'COMP.a' [COMP,TAU] flow 1 last flow 18446744073709551615\n"
                  "instant 0 on 3: 'COMP.a' [COMP,TAU]\n"
                  "instant 7 on 3: 'unmatched send' [=message]\n");
}

static void
test_counters (void)
{
  PerfettoPackets *packets = packets_new ();

  tt_perfetto_count (packets, 5, 1, 0);
  tt_perfetto_count (packets, 5, 2, G_MININT64);
  tt_perfetto_count (packets, 5, 3, G_MAXINT64);
  tt_perfetto_count_real (packets, 5, 4, -0.1);
  tt_perfetto_count_real (packets, 5, 5, DBL_MAX);
  assert_decodes (packets,
                  "count 1 on 5: 0\n"
                  "count 2 on 5: -9223372036854775808\n"
                  "count 3 on 5: 9223372036854775807\n"
                  "count 4 on 5: -0.10000000000000001d\n"
                  "count 5 on 5: 1.7976931348623157e+308d\n");
}

/* Packets around the lengths where their own length takes one byte more. */
static void
test_lengths (void)
{
  PerfettoPackets *packets = packets_new ();
  g_autoptr (GString) expected = g_string_new (NULL);
  guint64 key = tt_perfetto_intern_key (&packets->interned, "k", 1);

  for (guint len = 60; len < 40000; len += len < 200 || (len > 16300 && len < 16400) ? 1 : 97)
    {
      g_autofree char *text = g_strnfill (len, 'x');

      tt_perfetto_add_text (&packets->args, key, text);
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = len });
      g_string_append_printf (expected, "instant %u on 1: k='%s'\n", len, text);
    }
  assert_decodes (packets, expected->str);
}

/* -- arguments ------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *json, *expected;
} ArgsCase;

static const ArgsCase args_cases[] = {
  { "", "" },
  { "[1]", "" },
  { "{}", "" },
  { " {\"a\":1,\"b\":-1,\"c\":true,\"d\":false,\"e\":null}", " a=1 b=-1 c=true d=false e='null'" },
  { "{\"a\":9223372036854775807,\"b\":-9223372036854775808}", " a=9223372036854775807 b=-9223372036854775808" },
  { "{\"a\":9223372036854775808,\"b\":18446744073709551615}", " a='9223372036854775808' b='18446744073709551615'" },
  { "{\"a\":18446744073709551616,\"b\":1.0,\"c\":1e3}", " a='18446744073709551616' b=1d c=1000d" },
  { "{\"a\":1e999,\"b\":NaN,\"c\":-}", " a='1e999' b='NaN' c='-'" },
  { "{\"a\\\"\\u00e9\":\"\\ud83d\\ude00\\n\\u0000\"}", " a\"\xc3\xa9='\xf0\x9f\x98\x80\n\xef\xbf\xbd'" },
  { "{\"a\":\"\xff\"}", " a='\xef\xbf\xbd'" },
  { "{\"a\":[1,[],{},[2,\"x\"]],\"b\":{\"c\":{\"d\":[]}}}", " a=[1 '[]' '{}' [2 'x']] b={c={d='[]'}}" },
  { "{\"a\":1,\"b\":2,\"a\":3}", " a=1 b=2" },
  { "{\"n\\u0061me\":1,\"a\":2,\"\\u0061\":3}", " source_name=1 a=2" },
  { "{\"name\":\"x\",\"cnt\":1,\"source_cnt\":2,\"source_x\":3}",
    " source_name='x' source_cnt=1 source_source_cnt=2 source_x=3" },
  { "{\"a\":1,\"b", " a=1" },
  { "{\"\":0}", " =0" },
};

static void
test_args (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (args_cases); i++)
    {
      PerfettoPackets *packets = packets_new ();
      g_autofree char *expected = g_strdup_printf ("instant 1 on 1:%s\n", args_cases[i].expected);

      tt_perfetto_add_json (&packets->args, args_cases[i].json, strlen (args_cases[i].json));
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = 1 });
      assert_decodes (packets, expected);
    }
}

/* Nesting ends where readers stop, and a text that never closes its brackets ends too. */
static void
test_deep_args (void)
{
  PerfettoPackets *packets = packets_new ();
  g_autoptr (GString) json = g_string_new ("{\"a\":");

  for (guint i = 0; i < 1000; i++)
    g_string_append_c (json, '[');
  tt_perfetto_add_json (&packets->args, json->str, json->len);
  tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = 1 });

  g_autofree char *text = decode (packets);
  g_autofree char *open = g_strnfill (64, '['), *left = g_strnfill (1000 - 64, '[');
  g_autofree char *expected = g_strdup_printf ("instant 1 on 1: a=%s'%s'", open, left);
  g_assert_true (g_str_has_prefix (text, expected));
}

/* Whatever the text, what comes out is a packet: the decoder asserts that. */
static void
test_random_args (void)
{
  static const char alphabet[] = "{}[]\",:\\u0e1-+.9truefalsn d8\xc3\xa9\xff \n";

  for (guint n = 0; n < 2000; n++)
    {
      PerfettoPackets *packets = packets_new ();
      guint len = (guint) g_test_rand_int_range (1, 60);
      g_autofree char *json = g_malloc (len);

      for (guint i = 0; i < len; i++)
        json[i] = alphabet[g_test_rand_int_range (0, sizeof alphabet)];
      json[0] = '{';
      tt_perfetto_add_json (&packets->args, json, len);
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = n });

      g_autofree char *text = decode (packets);
      g_autofree char *begins = g_strdup_printf ("instant %u on 1:", n);
      g_assert_true (g_str_has_prefix (text, begins));
    }
}

static void
test_own_args (void)
{
  PerfettoPackets *packets = packets_new ();
  guint64 name = tt_perfetto_intern_key (&packets->interned, "name", 4);
  guint64 cnt = tt_perfetto_intern_key (&packets->interned, "cnt", 3);
  guint64 path = tt_perfetto_intern_key (&packets->interned, "critical_path", 13);

  for (guint i = 0; i < 2; i++)
    {
      guint64 text = tt_perfetto_intern_name (&packets->interned, 5, PERFETTO_NAME_VALUE, "COMP.a~>1");
      guint64 raw = tt_perfetto_intern_name (&packets->interned, 5, PERFETTO_RAW_VALUE, "a");

      tt_perfetto_add_value (&packets->args, name, text);
      tt_perfetto_add_value (&packets->args, name, raw);
      tt_perfetto_add_int (&packets->args, cnt, -1);
      tt_perfetto_add_bool (&packets->args, path, i == 0);
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = i });
    }
  guint64 reserved = tt_perfetto_reserve_value (&packets->interned);
  g_assert_true (tt_perfetto_must_send (&packets->interned, reserved));
  g_assert_false (tt_perfetto_must_send (&packets->interned, reserved));
  tt_perfetto_send_value (&packets->interned, reserved, "new");
  tt_perfetto_add_value (&packets->args, name, reserved);
  tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = 2 });
  assert_decodes (packets,
                  "instant 0 on 1: name=#'COMP.a~>1' name=#'a' cnt=-1 critical_path=true\n"
                  "instant 1 on 1: name=#'COMP.a~>1' name=#'a' cnt=-1 critical_path=false\n"
                  "instant 2 on 1: name=#'new'\n");
}

/* The second time a value gets a number, and what is too short or too long for that never. */
static void
test_repeated_values (void)
{
  static const char json[] =
      "{\"a\":\"stream 7\",\"b\":\"x\",\"c\":\"0123456789012345678901234567890123456789012345678901\"}";
  PerfettoPackets *packets = packets_new ();

  for (guint i = 0; i < 3; i++)
    {
      tt_perfetto_add_json (&packets->args, json, strlen (json));
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = i });
    }
  assert_decodes (
      packets,
      "instant 0 on 1: a='stream 7' b='x' c='0123456789012345678901234567890123456789012345678901'\n"
      "instant 1 on 1: a=#'stream 7' b='x' c='0123456789012345678901234567890123456789012345678901'\n"
      "instant 2 on 1: a=#'stream 7' b='x' c='0123456789012345678901234567890123456789012345678901'\n");
}

/* -- tables ------------------------------------------------------------------------------------------------ */

/* Keys beyond the cap of their table stand in the events, and the file still means the same. */
static void
test_many_keys (void)
{
  PerfettoPackets *packets = packets_new ();
  g_autoptr (GString) expected = g_string_new (NULL);
  guint n_numbered = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *json = g_strdup_printf ("{\"key%u\":%u}", i, i);
      g_autofree char *key = g_strdup_printf ("key%u", i);

      tt_perfetto_add_json (&packets->args, json, strlen (json));
      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = i });
      g_string_append_printf (expected, "instant %u on 1: key%u=%u\n", i, i, i);
      n_numbered += tt_perfetto_intern_key (&packets->interned, key, strlen (key)) != 0;
    }
  g_assert_cmpuint (n_numbered, >, 1000);
  g_assert_cmpuint (n_numbered, <, 20000);
  assert_decodes (packets, expected->str);
}

static void
test_many_names (void)
{
  static const guint32 ids[] = { 0, 1, 7, 8, 63, 64, 1000000, 1, 0, 999999, 1000000 };
  PerfettoPackets *packets = packets_new ();
  g_autoptr (GString) expected = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *text = g_strdup_printf ("name %u", ids[i]);
      guint64 name = tt_perfetto_intern_name (&packets->interned, ids[i], PERFETTO_EVENT_NAME, text);

      tt_perfetto_instant (packets, &(PerfettoEvent){ .track = 1, .ts_ns = i, .name = name });
      g_string_append_printf (expected, "instant %u on 1: '%s'\n", i, text);
    }
  assert_decodes (packets, expected->str);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/perfetto-packets/tracks", test_tracks);
  g_test_add_func ("/perfetto-packets/events", test_events);
  g_test_add_func ("/perfetto-packets/counters", test_counters);
  g_test_add_func ("/perfetto-packets/lengths", test_lengths);
  g_test_add_func ("/perfetto-packets/args", test_args);
  g_test_add_func ("/perfetto-packets/deep-args", test_deep_args);
  g_test_add_func ("/perfetto-packets/random-args", test_random_args);
  g_test_add_func ("/perfetto-packets/own-args", test_own_args);
  g_test_add_func ("/perfetto-packets/repeated-values", test_repeated_values);
  g_test_add_func ("/perfetto-packets/many-keys", test_many_keys);
  g_test_add_func ("/perfetto-packets/many-names", test_many_names);
  return g_test_run ();
}
