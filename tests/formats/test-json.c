/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/json-tokens.h"
#include "tests/require.h"

#include "src/base/error.h"

static const ReadFunc read_funcs[] = { read_steps, read_whole, read_records, read_skip };

/* The tokens of @text, apart by blanks. */
static void
assert_tokens (const Outcome *outcome, const char *tokens)
{
  g_autofree char *found = g_strndup (outcome->tokens->str, outcome->tokens->len - (outcome->tokens->len > 0));

  g_strdelimit (found, "\n", ' ');
  g_assert_cmpstr (found, ==, tokens);
}

static void
assert_repairs (const Outcome *outcome, const char *repairs)
{
  g_autofree char *found = tt_repairs_to_json (&outcome->repairs);

  g_assert_cmpstr (found, ==, repairs);
}

/* Whatever is read, and however: the size of the buffer must not matter. */
static void
assert_any_size (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (read_funcs); i++)
    {
      g_auto (Outcome) whole = { 0 };

      read_file (&whole, path, read_funcs[i], TT_JSON_BUFFER);
      for (gsize size = 1; size < 70; size++)
        {
          g_auto (Outcome) outcome = { 0 };

          read_file (&outcome, path, read_funcs[i], size);
          assert_same (&outcome, &whole);
        }
    }
}

/* -- what is JSON --------------------------------------------------------------------------------- */

static void
test_reads (void)
{
  static const struct
  {
    const char *json, *tokens;
  } cases[] = {
    { "{}", "{ }" },
    { " [ ] \n", "[ ]" },
    { "17", "n17" },
    { "-0.5e+10", "n-0.5e+10" },
    { "null", "z" },
    { "\"\"", "s" },
    { "[true,false,null]", "[ t f z ]" },
    { "[0,-1,10,1.25,1e5,1E-5,-0]", "[ n0 n-1 n10 n1.25 n1e5 n1E-5 n-0 ]" },
    { "{\"a\":{\"b\":[{},[]]},\"c\" : \"d\"}", "{ ka { kb [ { } [ ] ] } kc sd }" },
    { "[\"\\\"\\\\\\/\\t\"]", "[ s\"\\5c/\t ]" },
    { "[\"\\u0041\\u00e4\\ud83d\\ude00\"]", "[ sA\303\244\360\237\230\200 ]" },
    { "[\"{[,]}:\\\\\",1]", "[ s{[,]}:\\5c n1 ]" },
    { "[{\"ph\":\"X\"},\r\n\t{\"ph\":\"B\"}]", "[ { kph sX } { kph sB } ]" },
    { "[\"a string that is longer than sixteen bytes and longer than thirty-two\"]",
      "[ sa string that is longer than sixteen bytes and longer than thirty-two ]" },
    { "[123456789012345678901234567890.123456789012345678901234567890]",
      "[ n123456789012345678901234567890.123456789012345678901234567890 ]" },
    { "                                        [1]", "[ n1 ]" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *path = memory_file (cases[i].json, strlen (cases[i].json));

      for (guint f = 0; f < 3; f++)
        {
          g_auto (Outcome) outcome = { 0 };

          read_file (&outcome, path, read_funcs[f], 1);
          g_assert_cmpstr (outcome.error, ==, NULL);
          assert_tokens (&outcome, cases[i].tokens);
          assert_repairs (&outcome, NULL);
          g_assert_cmpuint (outcome.offset, ==, strlen (cases[i].json));
        }
      assert_any_size (path);
    }
}

/* -- what is mended ------------------------------------------------------------------------------- */

typedef struct
{
  const char *json, *tokens, *repairs;
  gsize len; /* if there are NUL bytes in it */
} Mended;

static void
assert_mended (const Mended *mended, guint n, ReadFunc func)
{
  for (guint i = 0; i < n; i++)
    {
      g_auto (Outcome) outcome = { 0 };
      const char *path = memory_file (mended[i].json, mended[i].len > 0 ? mended[i].len : strlen (mended[i].json));

      g_test_message ("%s", mended[i].json);
      read_file (&outcome, path, func, 1);
      g_assert_cmpstr (outcome.error, ==, NULL);
      assert_tokens (&outcome, mended[i].tokens);
      assert_repairs (&outcome, mended[i].repairs);
      assert_any_size (path);
    }
}

#define REPAIR(key, count, offset) "\"" key "\":{\"count\":" count ",\"first_offset\":" offset "}"
#define NUL_CASE(json, tokens, repairs)    \
  {                                        \
    json, tokens, repairs, sizeof json - 1 \
  }

/* Read step by step. */
static void
test_mends (void)
{
  static const Mended cases[] = {
    { "\xef\xbb\xbf[1]", "[ n1 ]", "{" REPAIR ("json_byte_order_mark", "1", "0") "}" },
    { "[1,]", "[ n1 ]", "{" REPAIR ("json_comma", "1", "3") "}" },
    { "[,1,,2]", "[ n1 n2 ]", "{" REPAIR ("json_comma", "2", "1") "}" },
    { "{\"a\":1,}", "{ ka n1 }", "{" REPAIR ("json_comma", "1", "7") "}" },
    { "{,\"a\":1,,\"b\":2}", "{ ka n1 kb n2 }", "{" REPAIR ("json_comma", "2", "1") "}" },
    { "{\"a\":1 \"b\":2}", "{ ka n1 kb n2 }", "{" REPAIR ("json_comma", "1", "7") "}" },
    { "[{}\n{}\n{}]", "[ { } { } { } ]", "{" REPAIR ("json_comma", "2", "4") "}" },
    { "[1 2 \"a\"]", "[ n1 n2 sa ]", "{" REPAIR ("json_comma", "2", "3") "}" },
    { "[\"a\tb\x01\"]", "[ sa\tb\x01 ]", "{" REPAIR ("json_control_character", "2", "3") "}" },
    { "[\"C:\\dir\\q\"]", "[ sC:\\5cdir\\5cq ]", "{" REPAIR ("json_escape", "2", "4") "}" },
    { "[\"\\u12x\"]", "[ s\\5cu12x ]", "{" REPAIR ("json_escape", "1", "2") "}" },
    { "[NaN,-Infinity,nan,inf]", "[ nNaN n-Infinity nnan ninf ]", "{" REPAIR ("json_number", "4", "1") "}" },
    { "[+1,.5,1.,007,-01]", "[ n+1 n.5 n1. n007 n-01 ]", "{" REPAIR ("json_number", "5", "1") "}" },
    NUL_CASE ("[1,\0\0 2\0]\n", "[ n1 n2 ]", "{" REPAIR ("json_space", "3", "3") "}"),
    NUL_CASE ("\0{\"a\"\0:\0 1}", "{ ka n1 }", "{" REPAIR ("json_space", "3", "0") "}"),
    { "\f[1\v,\f2]", "[ n1 n2 ]", "{" REPAIR ("json_space", "3", "0") "}" },
    NUL_CASE ("[\"a\0b\"]", "[ sa\357\277\275b ]",
              "{" REPAIR ("json_control_character", "1", "3") "," REPAIR ("json_text", "1", "3") "}"),
    { "{\"a\":[1", "{ ka [ z ] }", "{" REPAIR ("json_unclosed", "2", "7") "," REPAIR ("json_cut", "1", "6") "}" },
    { "{\"a\":[1 ", "{ ka [ n1 ] }", "{" REPAIR ("json_unclosed", "2", "8") "}" },
    { "[1,\n", "[ n1 ]", "{" REPAIR ("json_comma", "1", "4") "," REPAIR ("json_unclosed", "1", "4") "}" },
    { "[{\"a\":1}\n", "[ { ka n1 } ]", "{" REPAIR ("json_open_list", "1", "9") "}" },
    { "{\"a\":1,\"b\"", "{ ka n1 }", "{" REPAIR ("json_unclosed", "1", "10") "," REPAIR ("json_cut", "1", "7") "}" },
    { "{\"a\":1,\"b\": ", "{ ka n1 }", "{" REPAIR ("json_unclosed", "1", "12") "," REPAIR ("json_cut", "1", "7") "}" },
    { "{\"a\":1,\"b", "{ ka n1 }", "{" REPAIR ("json_unclosed", "1", "9") "," REPAIR ("json_cut", "1", "7") "}" },
    { "[\"abc\\u12", "[ sabc ]", "{" REPAIR ("json_unclosed", "2", "9") "}" },
    { "[tru", "[ z ]", "{" REPAIR ("json_unclosed", "1", "4") "," REPAIR ("json_cut", "1", "1") "}" },
    { "[1]]", "[ n1 ]", "{" REPAIR ("json_trailing_bytes", "1", "3") "}" },
    { "{} {}", "{ }", "{" REPAIR ("json_trailing_bytes", "1", "3") "}" },
    NUL_CASE ("[]\0\0", "[ ]", "{" REPAIR ("json_trailing_bytes", "1", "2") "}"),
    { "[\"\\ud800 \\udc00\\ud800\\ud800\"]", "[ s\357\277\275 \357\277\275\357\277\275\357\277\275 ]",
      "{" REPAIR ("json_text", "4", "2") "}" },
    { "[\"\\u0000a\xff\"]", "[ s\357\277\275a\357\277\275 ]", "{" REPAIR ("json_text", "2", "2") "}" },
  };

  assert_mended (cases, G_N_ELEMENTS (cases), read_steps);
}

/* Read record by record. */
static void
test_mends_records (void)
{
  static const Mended cases[] = {
    { "[{\"a\":1},2,\"b\",{}]", "[ { ka n1 } n2 sb { } ]", NULL },
    { "[{\"a\":1}\n{\"a\":2}\n]", "[ { ka n1 } { ka n2 } ]", "{" REPAIR ("json_comma", "1", "9") "}" },
    { "[{\"a\":[1,],\"b\":NaN,},]", "[ { ka [ n1 ] kb nNaN } ]",
      "{" REPAIR ("json_comma", "3", "9") "," REPAIR ("json_number", "1", "15") "}" },
    { "[{\"a\":1,\"b\":2,\"a\":3}]", "[ { ka n1 kb n2 ka n3 } ]", "{" REPAIR ("json_duplicate_key", "1", "14") "}" },
    { "[{\"a\":1},", "[ { ka n1 } ]", "{" REPAIR ("json_open_list", "1", "9") "}" },
    { "[{\"a\":1},{\"b\":2,\"c\":{\"d\":[3,4", "[ { ka n1 } { kb n2 kc { kd [ n3 ] } } ]",
      "{" REPAIR ("json_unclosed", "1", "29") "," REPAIR ("json_cut", "1", "9") "}" },
    { "[{\"a\":1,\"b\":{", "[ { ka n1 kb { } } ]",
      "{" REPAIR ("json_unclosed", "1", "13") "," REPAIR ("json_cut", "1", "1") "}" },
    { "[{\"a\":1},{\"b", "[ { ka n1 } ]",
      "{" REPAIR ("json_unclosed", "1", "12") "," REPAIR ("json_cut", "1", "9") "}" },
    { "[{\"a\":1},{\"b\":\"c", "[ { ka n1 } ]",
      "{" REPAIR ("json_unclosed", "1", "16") "," REPAIR ("json_cut", "1", "9") "}" },
  };

  assert_mended (cases, G_N_ELEMENTS (cases), read_records);
}

/* As values of members only: NCCL's profiler plugin prints them so. */
static void
test_takes_bare_words (void)
{
  static const Mended cases[] = {
    { "[{\"a\":ncclFloat,\"b\":0x7f0A}]", "[ { ka sncclFloat kb s0x7f0A } ]", "{" REPAIR ("json_word", "2", "6") "}" },
    { "[{\"a\":(nil)},{\"a\":{\"b\":true_type }}]", "[ { ka s(nil) } { ka { kb strue_type } } ]",
      "{" REPAIR ("json_word", "2", "6") "}" },
    { "[{\"a\":nul},{\"a\":n},{\"a\":_x}]", "[ { ka snul } { ka sn } { ka s_x } ]",
      "{" REPAIR ("json_word", "3", "6") "}" },
    { "[{\"a\":nan,\"b\":-Infinity,\"c\":null}]", "[ { ka nnan kb n-Infinity kc z } ]",
      "{" REPAIR ("json_number", "2", "6") "}" },
  };

  assert_mended (cases, G_N_ELEMENTS (cases), read_records);
  assert_mended (cases, G_N_ELEMENTS (cases), read_steps);
}

/* The next record begins where the bytes around the first key are those of all records. */
static void
test_passes_damage (void)
{
  static const Mended cases[] = {
    { "[\n{\"a\":1},\n{\"a\":2},\n{\"a\":~},\n{\"a\":4}\n]", "[ { ka n1 } { ka n2 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "1", "20") "}" },
    { "[\n{\"a\":1},\n{\"a\":\"2},\n{\"a\":3},\n{\"a\":4}\n]", "[ { ka n1 } { ka n3 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "1", "11") "}" },
    { "[ {\"a\":1}, {\"a\":[{\"a\":2},{\"a\" 3}]}, {\"a\":4}]", "[ { ka n1 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "1", "11") "}" },
    { "[\n{\"a\":1},\n{\"a\":~},\n{\"a\":~},\n{\"a\":4}\n]", "[ { ka n1 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "2", "11") "}" },
    { "[{\"a\":~},{\"a\":2}]", "[ { ka n2 } ]", "{" REPAIR ("json_damaged", "1", "1") "}" },
    { "[{\"a\":1},\n{\"b\":~},\n{\"a\":3}]", "[ { ka n1 } { ka n3 } ]", "{" REPAIR ("json_damaged", "1", "10") "}" },
    { "[{\"a\":1},\n{a:1},\n{\"a\":3}]", "[ { ka n1 } { ka n3 } ]", "{" REPAIR ("json_damaged", "1", "10") "}" },
    /* The brace of a record, or what stands before it, is no more. */
    { "[{\"a\":1},{\"a\":2},~\"a\":3},{\"a\":4}]", "[ { ka n1 } { ka n2 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "1", "17") "}" },
    { "[{\"a\":1},{\"a\":2}~{\"a\":3},{\"a\":4}]", "[ { ka n1 } { ka n2 } { ka n4 } ]",
      "{" REPAIR ("json_damaged", "1", "16") "}" },
  };

  assert_mended (cases, G_N_ELEMENTS (cases), read_records);
}

/* -- what is refused ------------------------------------------------------------------------------ */

static void
test_refuses (void)
{
  static const struct
  {
    const char *json, *error;
  } cases[] = {
    { "x", "byte 0: expected a value, found 'x'" },
    { "tru", "byte 0: expected a value, found 't'" },
    { "[1}", "byte 2: expected ',' or ']', found '}'" },
    { "{\"a\":1]", "byte 6: expected ',' or '}', found ']'" },
    { "{\"a\" 1}", "byte 5: expected ':', found '1'" },
    { "{\"a\":}", "byte 5: expected a value, found '}'" },
    { "{a:1}", "byte 1: expected a key in quotes or '}', found 'a'" },
    { "{'a':1}", "byte 1: expected a key in quotes or '}', found byte 0x27" },
    { "{\"a\":\x01}", "byte 5: expected a value, found byte 0x01" },
    { "[1.2.3]", "byte 1: expected a value, found '1'" },
    { "[1e]", "byte 1: expected a value, found '1'" },
    { "[-]", "byte 1: expected a value, found '-'" },
    { "[{\"a\":0x}]", "byte 6: expected a value, found '0'" },
    { "[{\"a\":0x1g}]", "byte 6: expected a value, found '0'" },
    { "[{\"a\":12ab}]", "byte 6: expected a value, found '1'" },
    { "[{\"a\":()}]", "byte 6: expected a value, found '('" },
    { "[{\"a\":a b}]", "byte 8: expected ',' or '}', found 'b'" },
    { "[0x1f]", "byte 1: expected a value, found '0'" },
    { "[truefalse]", "byte 1: expected a value, found 't'" },
    { "[1{}]", "byte 1: expected a value, found '1'" },
    { "\xff\xfe[", "byte 0: expected a value, found byte 0xff" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *path = memory_file (cases[i].json, strlen (cases[i].json));
      g_autofree char *expected = g_strdup_printf ("%s: %s", path, cases[i].error);

      for (guint f = 0; f < G_N_ELEMENTS (read_funcs); f++)
        {
          g_auto (Outcome) outcome = { 0 };

          g_test_message ("%u: %s", f, cases[i].json);
          read_file (&outcome, path, read_funcs[f], 1);
          g_assert_cmpstr (outcome.error, ==, expected);
        }
      assert_any_size (path);
    }
}

/* Where it is in doubt where the next record begins, damage is an error. */
static void
test_refuses_damage (void)
{
  static const struct
  {
    const char *json, *error;
  } cases[] = {
    /* No two records before it tell what stands between records: it may be more than nothing. */
    { "[{\"a\":~}{\"a\":2}]", "byte 6: expected a value, found '~'" },
    { "[{\"a\":1},\n{\"a\":~}, {\"a\":3}]", "byte 15: expected a value, found '~'" },
    { "[{a:1},\n{a:2}]", "byte 2: expected a key in quotes or '}', found 'a'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *path = memory_file (cases[i].json, strlen (cases[i].json));
      g_autofree char *expected = g_strdup_printf ("%s: %s", path, cases[i].error);
      g_auto (Outcome) outcome = { 0 };

      read_file (&outcome, path, read_records, TT_JSON_BUFFER);
      g_assert_cmpstr (outcome.error, ==, expected);
      assert_repairs (&outcome, NULL);
      assert_any_size (path);
    }
}

static void
test_empty (void)
{
  static const char *const cases[] = { "", " \n", "\xef\xbb\xbf" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Outcome) outcome = { 0 };

      read_file (&outcome, memory_file (cases[i], strlen (cases[i])), read_steps, 1);
      g_assert_cmpstr (outcome.error, ==, NULL);
      g_assert_cmpuint (outcome.tokens->len, ==, 0);
    }
}

/* -- bounds --------------------------------------------------------------------------------------- */

static void
test_depth (void)
{
  for (guint depth = TT_JSON_DEPTH; depth <= TT_JSON_DEPTH + 1; depth++)
    {
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < depth; i++)
        g_string_append (text, i % 3 == 0 ? "[" : "{\"a\":");
      g_string_append_c (text, '1');
      for (guint i = depth; i-- > 0;)
        g_string_append_c (text, i % 3 == 0 ? ']' : '}');

      const char *path = memory_file (text->str, text->len);
      for (guint f = 0; f < G_N_ELEMENTS (read_funcs); f++)
        {
          g_auto (Outcome) outcome = { 0 };

          read_file (&outcome, path, read_funcs[f], 1);
          if (depth <= TT_JSON_DEPTH)
            g_assert_cmpstr (outcome.error, ==, NULL);
          else
            g_assert_nonnull (strstr (outcome.error, "expected at most 1024 arrays and objects within each other"));
        }
      g_string_free (text, TRUE);
    }
}

/* A value of any length is passed over without holding it; one to be held has a limit. */
static void
test_long_values (void)
{
  gsize len = TT_JSON_LONGEST + 100;
  g_autofree char *text = g_malloc (len);
  g_autoptr (GError) error = NULL;
  TtRepairs repairs = { 0 };
  TtJsonValue value;

  memset (text, 'x', len);
  memcpy (text, "[1,\"", 4);
  memcpy (text + len - 7, "\\\\\",2]\n", 7);

  const char *path = memory_file (text, len);
  g_autoptr (TtInput) input = tt_input_open (path, &error);
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  g_assert_true (tt_json_skip (json, &error));
  g_assert_cmpuint (json->size, ==, TT_JSON_BUFFER);
  g_assert_cmpuint (tt_json_offset (json), ==, len - 1);
  g_assert_cmpuint (tt_json_progress (json), ==, len);

  g_autoptr (TtInput) again = tt_input_open (path, &error);
  g_autoptr (TtJson) holding = tt_json_new (again, &repairs);
  g_assert_true (tt_json_begin_array (holding, &error));
  g_assert_true (tt_json_next_record (holding, &value, &error));
  g_assert_false (tt_json_next_record (holding, &value, &error));
  require_error (error, TT_ERROR, TT_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "byte 3: the value that begins here is longer than 64 MiB"));
  g_assert_cmpuint (tt_repairs_total (&repairs), ==, 0);
}

/* More members than are noted on the way. */
static void
test_many_members (void)
{
  GString *text = g_string_new ("[{");

  for (guint i = 0; i < 3 * TT_JSON_INDEXED; i++)
    g_string_append_printf (text, "%s\"k%u\":{\"v\":[%u]}", i > 0 ? ", " : "", i, i);
  g_string_append (text, "}]");

  g_auto (Outcome) records = { 0 }, steps = { 0 };
  const char *path = memory_file (text->str, text->len);
  read_file (&records, path, read_records, 1);
  read_file (&steps, path, read_steps, 1);
  assert_same (&records, &steps);
  g_assert_cmpstr (records.error, ==, NULL);
  g_string_free (text, TRUE);
}

/* Whether the places of the members of "args" are there in the only record of @text. */
static gboolean
is_indexed (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtInput) input = tt_input_open (memory_file (text, strlen (text)), &error);
  TtRepairs repairs = { 0 };
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  TtJsonValue record, key, value;
  gboolean is_indexed = FALSE;

  tt_json_index_member (json, "args");
  g_assert_true (tt_json_begin_array (json, &error) && tt_json_next_record (json, &record, &error));
  while (tt_json_next_member (json, &key, &value))
    is_indexed |= check_indexed (json, value.raw);
  return is_indexed;
}

static void
test_indexes_a_member (void)
{
  static const char *const indexed[] = {
    "[{\"args\": {}}]",
    "[{\"ph\": \"X\", \"args\": {\"a\": 1, \"b\": [1, {\"a\": 2}], \"c\": {\"d\": \"x\"}}, \"pid\": 3}]",
    "[{\"args\": {\"a\": [\"\\\"\", 3], \"b\": true}}]",
  };
  static const char *const walked[] = {
    "[{\"ph\": \"X\", \"arg\": {\"a\": 1}}]",
    "[{\"args\": [1]}]",
    "[{\"args\": {\"a\": \"\\n\"}}]",
    "[{\"args\": {\"\\n\": 1}}]",
    "[{\"args\": {\"a\": 1,}}]",
    "[{\"a\": {\"args\": {\"b\": 1}}}]",
    "[{\"args\": {\"a\": 1}, \"args\": {\"b\": 1,}}]",
    "[{\"args\": {\"a\": 1}, \"args\": {\"b\": 2}}]",
  };
  g_autoptr (GString) many = g_string_new ("[{\"args\": {\"a\": 0");
  g_autoptr (GString) last = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (indexed); i++)
    g_assert_true (is_indexed (indexed[i]));
  for (guint i = 0; i < G_N_ELEMENTS (walked); i++)
    g_assert_false (is_indexed (walked[i]));

  for (guint i = 1; i < TT_JSON_INDEXED; i++)
    g_string_append_printf (many, ", \"a%u\": %u", i, i);
  g_string_assign (last, many->str);
  g_string_append (many, "}}]");
  g_assert_true (is_indexed (many->str));
  g_string_append (last, ", \"b\": 1}}]");
  g_assert_false (is_indexed (last->str));

  /* Places have 16 bits. */
  for (gsize len = 65500; len < 65600; len++)
    {
      g_autofree char *text = g_strnfill (len, 'x');
      g_autofree char *record = g_strconcat ("[{\"args\": {\"a\": \"", text, "\", \"b\": 1}}]", NULL);

      g_assert_true (is_indexed (record) == (strlen ("{\"a\": \"\", \"b\": 1") + len <= G_MAXUINT16));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/json/reads", test_reads);
  g_test_add_func ("/json/mends", test_mends);
  g_test_add_func ("/json/indexes-a-member", test_indexes_a_member);
  g_test_add_func ("/json/mends-records", test_mends_records);
  g_test_add_func ("/json/takes-bare-words", test_takes_bare_words);
  g_test_add_func ("/json/passes-damage", test_passes_damage);
  g_test_add_func ("/json/refuses", test_refuses);
  g_test_add_func ("/json/refuses-damage", test_refuses_damage);
  g_test_add_func ("/json/empty", test_empty);
  g_test_add_func ("/json/depth", test_depth);
  g_test_add_func ("/json/long-values", test_long_values);
  g_test_add_func ("/json/many-members", test_many_members);
  return g_test_run ();
}
