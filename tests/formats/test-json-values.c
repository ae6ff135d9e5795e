/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/json-tokens.h"
#include "tests/require.h"

#include "src/base/int128.h"

#define SLICE(text) ((TtSlice){ (text), strlen (text) })

/* -- numbers -------------------------------------------------------------------------------------- */

static void
test_decimal (void)
{
  static const struct
  {
    const char *text;
    guint decimals;
    gint64 scaled;
    gboolean is_inexact;
  } cases[] = {
    { "0", 3, 0, FALSE },
    { "-0", 0, 0, FALSE },
    { "12.5", 3, 12500, FALSE },
    { "0.1", 3, 100, FALSE },
    { "0.1", 9, 100000000, FALSE },
    { "1e3", 3, 1000000, FALSE },
    { "1E-3", 3, 1, FALSE },
    { "1682725898236567", 3, 1682725898236567000, FALSE },
    { "1727740800000000.123", 3, 1727740800000000123, FALSE },
    { "438877834451", 3, 438877834451000, FALSE },
    { "5349843.123456789", 9, 5349843123456789, FALSE },
    { "5349843.123456789", 3, 5349843123, TRUE },
    { "5349843.1235", 3, 5349843124, TRUE },
    { "-5349843.1235", 3, -5349843124, TRUE },
    { "0.0004", 3, 0, TRUE },
    { "0.0005", 3, 1, TRUE },
    { "0.00049999999999999999999999999999999", 3, 0, TRUE },
    { "0.00000000000000000000000000000000005e31", 3, 1, TRUE },
    { "-0.0005", 3, -1, TRUE },
    { "12.500000000000000000000000000000000000000", 3, 12500, FALSE },
    { "00000000000000000000000000000000000000000012.5", 3, 12500, FALSE },
    { "9223372036854775807", 0, G_MAXINT64, FALSE },
    { "-9223372036854775808", 0, G_MININT64, FALSE },
    { "9223372036854775.807", 3, G_MAXINT64, FALSE },
    { "9.223372036854775807e18", 0, G_MAXINT64, FALSE },
    { "0e999999999999999999999", 3, 0, FALSE },
    { "1e-999999999999999999999", 3, 0, TRUE },
    { "+1", 0, 1, FALSE },
    { ".5", 1, 5, FALSE },
    { "1.", 1, 10, FALSE },
    { "999999999999999999", 0, 999999999999999999, FALSE },
    { "9999999999999999.4", 0, 9999999999999999, TRUE },
    { "0.9", 0, 1, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (TtJsonKind kind = TT_JSON_STRING; kind <= TT_JSON_NUMBER; kind++)
      {
        TtJsonValue value = { kind, FALSE, SLICE (cases[i].text), 0 };
        gint64 scaled = 77;
        gboolean is_inexact = FALSE;

        g_test_message ("%s", cases[i].text);
        g_assert_true (tt_json_decimal (&value, cases[i].decimals, &scaled, &is_inexact));
        g_assert_cmpint (scaled, ==, cases[i].scaled);
        g_assert_cmpint (is_inexact, ==, cases[i].is_inexact);
      }
}

static void
test_no_decimal (void)
{
  static const char *const cases[] = { "",
                                       "-",
                                       ".",
                                       "e5",
                                       "1e",
                                       "1e+",
                                       "NaN",
                                       "Infinity",
                                       "-Infinity",
                                       "1.2.3",
                                       "0x1f",
                                       "1 2",
                                       "9223372036854775808",
                                       "-9223372036854775809",
                                       "9223372036854775.8075",
                                       "1e19",
                                       "1e999999999999999999999" };
  gint64 scaled;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (TtJsonKind kind = TT_JSON_STRING; kind <= TT_JSON_NUMBER; kind++)
      {
        TtJsonValue value = { kind, FALSE, SLICE (cases[i]), 0 };

        g_test_message ("%s", cases[i]);
        g_assert_false (tt_json_decimal (&value, i < 13 ? 0 : 3, &scaled, NULL));
      }

  TtJsonValue literal = { TT_JSON_TRUE, FALSE, SLICE ("1"), 0 };
  g_assert_false (tt_json_decimal (&literal, 0, &scaled, NULL));
}

/* Against integers of 128 bits. */
static void
test_decimal_random (void)
{
  for (guint i = 0; i < 100000; i++)
    {
      guint n_whole = (guint) g_test_rand_int_range (1, 17), n_fraction = (guint) g_test_rand_int_range (0, 12);
      guint decimals = (guint) g_test_rand_int_range (0, 10);
      gboolean is_negative = g_test_rand_bit (), is_inexact = FALSE;
      GString *text = g_string_new (is_negative ? "-" : "");
      tt_int128 expected = 0, tail = 0, one = 1;
      gint64 scaled;

      for (guint digit = 0; digit < n_whole + n_fraction; digit++)
        {
          int value = g_test_rand_int_range (0, 10);

          if (digit == n_whole)
            g_string_append_c (text, '.');
          g_string_append_c (text, (char) ('0' + value));
          if (digit < n_whole + decimals)
            expected = expected * 10 + value;
          else
            {
              tail = tail * 10 + value;
              one *= 10;
            }
        }
      for (guint digit = n_fraction; digit < decimals; digit++)
        expected *= 10;
      if (2 * tail >= one)
        expected++;

      TtJsonValue number = { TT_JSON_NUMBER, FALSE, { text->str, text->len }, 0 };
      gboolean fits = expected <= G_MAXINT64;
      g_assert_cmpint (tt_json_decimal (&number, decimals, &scaled, &is_inexact), ==, fits);
      if (fits)
        {
          g_assert_cmpint (scaled, ==, is_negative ? -(gint64) expected : (gint64) expected);
          g_assert_cmpint (is_inexact, ==, tail != 0);
        }
      g_string_free (text, TRUE);
    }
}

static void
test_integers (void)
{
  static const struct
  {
    TtJsonKind kind;
    const char *text;
    gboolean is_uint64, is_int64;
    guint64 number;
  } cases[] = {
    { TT_JSON_NUMBER, "0", TRUE, TRUE, 0 },
    { TT_JSON_NUMBER, "18446744073709551615", TRUE, FALSE, G_MAXUINT64 },
    { TT_JSON_STRING, "18446744073709551615", TRUE, FALSE, G_MAXUINT64 },
    { TT_JSON_NUMBER, "18446744073709551616", FALSE, FALSE, 0 },
    { TT_JSON_NUMBER, "9223372036854775807", TRUE, TRUE, G_MAXINT64 },
    { TT_JSON_NUMBER, "9223372036854775808", TRUE, FALSE, (guint64) G_MAXINT64 + 1 },
    { TT_JSON_NUMBER, "-5", FALSE, TRUE, (guint64) -5 },
    { TT_JSON_NUMBER, "-9223372036854775808", FALSE, TRUE, (guint64) G_MININT64 },
    { TT_JSON_NUMBER, "5.0", TRUE, TRUE, 5 },
    { TT_JSON_NUMBER, "1e3", TRUE, TRUE, 1000 },
    { TT_JSON_NUMBER, "5.5", FALSE, FALSE, 0 },
    { TT_JSON_STRING, "0xff", TRUE, TRUE, 255 },
    { TT_JSON_STRING, "0xFFFFFFFFFFFFFFFF", TRUE, FALSE, G_MAXUINT64 },
    { TT_JSON_STRING, "0x1FFFFFFFFFFFFFFFF", FALSE, FALSE, 0 },
    { TT_JSON_STRING, "0x", FALSE, FALSE, 0 },
    { TT_JSON_STRING, "ff", FALSE, FALSE, 0 },
    { TT_JSON_STRING, " 7 ", TRUE, TRUE, 7 },
    { TT_JSON_STRING, "", FALSE, FALSE, 0 },
    { TT_JSON_NUMBER, "NaN", FALSE, FALSE, 0 },
    { TT_JSON_TRUE, "1", FALSE, FALSE, 0 },
    { TT_JSON_NONE, NULL, FALSE, FALSE, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      TtJsonValue value = {
        cases[i].kind, FALSE, { cases[i].text, cases[i].text == NULL ? 0 : strlen (cases[i].text) }, 0
      };
      guint64 id = 0;
      gint64 number = 0;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (tt_json_uint64 (&value, &id), ==, cases[i].is_uint64);
      g_assert_cmpint (tt_json_int64 (&value, &number), ==, cases[i].is_int64);
      if (cases[i].is_uint64)
        g_assert_cmpuint (id, ==, cases[i].number);
      if (cases[i].is_int64)
        g_assert_cmpint (number, ==, (gint64) cases[i].number);
    }
}

/* -- texts ---------------------------------------------------------------------------------------- */

static void
test_text (void)
{
  TtJsonValue plain = { TT_JSON_STRING, FALSE, SLICE ("a\303\244"), 10 };
  TtJsonValue escaped = { TT_JSON_STRING, TRUE, SLICE ("\\b\\f\\n\\r\\t\\u00e4\\"), 10 };
  TtJsonValue broken = { TT_JSON_STRING, TRUE, SLICE ("ab\xc3\\udead"), 10 };
  TtJsonValue number = { TT_JSON_NUMBER, FALSE, SLICE ("1e3"), 10 };
  TtJsonValue none = { TT_JSON_NONE };
  TtRepairs repairs = { 0 };
  GString *text = g_string_new ("<");
  g_autofree char *of_plain = tt_json_text (&plain), *of_escaped = tt_json_text (&escaped),
                  *of_number = tt_json_text (&number), *of_none = tt_json_text (&none);

  g_assert_cmpstr (of_plain, ==, "a\303\244");
  g_assert_cmpstr (of_escaped, ==, "\b\f\n\r\t\303\244\\");
  g_assert_cmpstr (of_number, ==, "1e3");
  g_assert_cmpstr (of_none, ==, "");
  tt_json_unescape (&broken, text, &repairs);
  g_assert_cmpstr (text->str, ==, "<ab\357\277\275\357\277\275");
  g_assert_cmpuint (repairs.count[TT_REPAIR_JSON_TEXT], ==, 2);
  g_assert_cmpuint (repairs.first_offset[TT_REPAIR_JSON_TEXT], ==, 13);
  g_string_free (text, TRUE);
}

/* -- members -------------------------------------------------------------------------------------- */

static void
test_get (void)
{
  TtSlice object = SLICE ("{\"a\":1, \"b\":{\"a\":[1,2]},\"a\":\"}\\\"\",\"\\u0063\":null}");
  TtJsonValue value = tt_json_get (object, "a");

  g_assert_cmpint (value.kind, ==, TT_JSON_STRING);
  g_assert_true (value.has_escapes);
  g_assert_true (TT_SLICE_IS (value.raw, "}\\\""));
  g_assert_cmpuint (value.offset, ==, 28);
  g_assert_cmpint (tt_json_get (object, "c").kind, ==, TT_JSON_NULL);
  g_assert_cmpint (tt_json_get (object, "d").kind, ==, TT_JSON_NONE);
  value = tt_json_get (tt_json_get (object, "b").raw, "a");
  g_assert_cmpint (value.kind, ==, TT_JSON_ARRAY);

  const char *cursor = NULL;
  TtJsonValue item;
  g_assert_true (tt_json_item (value.raw, &cursor, &item));
  g_assert_true (TT_SLICE_IS (item.raw, "1"));
  g_assert_true (tt_json_item (value.raw, &cursor, &item));
  g_assert_true (TT_SLICE_IS (item.raw, "2"));
  g_assert_false (tt_json_item (value.raw, &cursor, &item));
}

/* Text that is none, in memory that ends where it ends. */
static void
test_get_of_anything (void)
{
  static const char text[] =
      "{\"a\":{\"b\":[\"\\\"\\u1\",nul],\"c\":-1.5e3},\"long key of more than sixteen bytes\":\"x\"}";

  for (gsize from = 0; from < sizeof text; from++)
    for (gsize end = from; end < sizeof text; end++)
      {
        g_autofree char *copy = g_memdup2 (text + from, end - from);
        TtSlice slice = { copy, end - from };
        TtJsonValue value = tt_json_get (slice, "b");
        const char *cursor = NULL;

        g_assert_true (value.raw.bytes == NULL || value.raw.bytes + value.raw.len <= copy + slice.len);
        while (tt_json_item (slice, &cursor, &value))
          g_assert_true (cursor <= copy + slice.len);
      }
}

/* Both ways of reading in one file, and values that nobody reads. */
static void
test_mixed (void)
{
  static const char text[] =
      "{\"head\":{\"x\":[1,2]},\"unread\":[[],{}],\"traceEvents\":[{\"ph\":\"X\",\"args\":{\"n\":5}},"
      "{\"ph\":\"B\"}],\"tail\":\"end\"}";
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (memory_file (text, sizeof text - 1), &error);
  TtRepairs repairs = { 0 };
  g_autoptr (TtJson) json = tt_json_new_sized (input, &repairs, 1);
  TtJsonValue key = { 0 }, value = { 0 };

  g_assert_true (tt_json_begin_object (json, &error));
  g_assert_true (tt_json_next_key (json, &key, &error));
  g_assert_true (TT_SLICE_IS (key.raw, "head"));
  g_assert_cmpuint (key.offset, ==, 1);
  g_assert_true (tt_json_value (json, &value, &error));
  g_assert_true (TT_SLICE_IS (value.raw, "{\"x\":[1,2]}"));
  g_assert_cmpuint (value.offset, ==, 8);
  g_assert_true (tt_json_next_key (json, &key, &error));
  g_assert_true (tt_json_next_key (json, &key, &error));
  g_assert_true (TT_SLICE_IS (key.raw, "traceEvents"));
  g_assert_false (tt_json_begin_object (json, &error));
  g_assert_nonnull (strstr (error->message, "expected an object, found '['"));
  g_clear_error (&error);

  g_assert_true (tt_json_begin_array (json, &error));
  g_assert_true (tt_json_next_record (json, &value, &error));
  value = tt_json_get (value.raw, "args");
  g_assert_true (TT_SLICE_IS (tt_json_get (value.raw, "n").raw, "5"));
  g_assert_true (tt_json_next_record (json, &value, &error));
  g_assert_true (tt_json_next_member (json, &key, &value));
  g_assert_cmpuint (value.offset, ==, strlen (text) - strlen ("\"B\"}],\"tail\":\"end\"}"));
  g_assert_false (tt_json_next_member (json, &key, &value));
  g_assert_false (tt_json_next_record (json, &value, &error));
  require_no_error (error);

  g_assert_true (tt_json_next_key (json, &key, &error));
  g_assert_cmpint (tt_json_peek (json, &error), ==, TT_JSON_STRING);
  g_assert_false (tt_json_next_key (json, &key, &error));
  g_assert_cmpint (tt_json_peek (json, &error), ==, TT_JSON_NONE);
  require_no_error (error);
  g_assert_cmpuint (tt_repairs_total (&repairs), ==, 0);
}

/* A limit is a limit, wherever in the buffer the value lies. */
static void
test_value_at_most (void)
{
  static const char text[] = "[\"12345\",[1,2,3],\"123456\",{\"a\":\"long enough\"},5]";

  for (gsize size = 1; size < sizeof text + 10; size++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (TtInput) input = tt_input_open (memory_file (text, sizeof text - 1), &error);
      TtRepairs repairs = { 0 };
      g_autoptr (TtJson) json = tt_json_new_sized (input, &repairs, size);
      static const gsize lens[] = { 5, 7, 0, 0, 1 }, offsets[] = { 1, 9, 17, 26, 46 };
      TtJsonValue value;
      guint n = 0;

      g_assert_true (tt_json_begin_array (json, &error));
      for (; tt_json_next_item (json, &error); n++)
        {
          g_assert_true (tt_json_value_at_most (json, 7, &value, &error));
          g_assert_cmpuint (value.raw.len, ==, lens[n]);
          g_assert_cmpuint (value.offset, ==, offsets[n]);
        }
      require_no_error (error);
      g_assert_cmpuint (n, ==, 5);
      g_assert_cmpint (value.kind, ==, TT_JSON_NUMBER);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/json/decimal", test_decimal);
  g_test_add_func ("/json/no-decimal", test_no_decimal);
  g_test_add_func ("/json/decimal-random", test_decimal_random);
  g_test_add_func ("/json/integers", test_integers);
  g_test_add_func ("/json/text", test_text);
  g_test_add_func ("/json/get", test_get);
  g_test_add_func ("/json/get-of-anything", test_get_of_anything);
  g_test_add_func ("/json/mixed", test_mixed);
  g_test_add_func ("/json/value-at-most", test_value_at_most);
  return g_test_run ();
}
