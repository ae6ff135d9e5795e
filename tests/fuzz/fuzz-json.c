/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/json-tokens.h"

/*
 * Any bytes as a JSON file. The first byte says how large the buffer is at first: it must not matter. What yajl takes
 * must be taken without repairs, with the same tokens, whichever way it is read.
 */

static void
check_sizes (const char *path, ReadFunc func, gsize size)
{
  g_auto (Outcome) small = { 0 }, large = { 0 };

  read_file (&small, path, func, size);
  read_file (&large, path, func, 4096);
  assert_same (&small, &large);
}

#ifdef HAVE_YAJL
static void
check_against_yajl (const char *path, const guint8 *bytes, gsize len)
{
  static const ReadFunc funcs[] = { read_steps, read_whole, read_records, read_skip };
  GString *tokens = g_string_new (NULL);

  /* It does not look at half a string behind the end, and takes VT and FF for white space. */
  if (yajl_read (tokens, bytes, len) && (tokens->str[0] == '{' || tokens->str[0] == '['))
    for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
      {
        g_auto (Outcome) ours = { 0 };

        read_file (&ours, path, funcs[i], 64);
        if (ours.error != NULL && strstr (ours.error, "1024 arrays") != NULL)
          continue;
        g_assert_cmpstr (ours.error, ==, NULL);
        /* yajl replaces halves of pairs by a question mark. */
        if (ours.repairs.count[TT_REPAIR_JSON_TEXT] == 0 && funcs[i] != read_skip)
          g_assert_cmpstr (ours.tokens->str, ==, tokens->str);
        tt_repairs_forget (&ours.repairs, TT_REPAIR_JSON_TEXT);
        tt_repairs_forget (&ours.repairs, TT_REPAIR_JSON_DUPLICATE_KEY);
        tt_repairs_forget (&ours.repairs, TT_REPAIR_JSON_TRAILING_BYTES);
        tt_repairs_forget (&ours.repairs, TT_REPAIR_JSON_SPACE);
        g_assert_cmpuint (tt_repairs_total (&ours.repairs), ==, 0);
      }
  g_string_free (tokens, TRUE);
}
#endif

/* Text that no scanner has passed must do no harm either. */
static void
check_members (const guint8 *bytes, gsize len)
{
  TtSlice slice = { (const char *) bytes, len };
  TtJsonValue key, value;
  const char *cursor = NULL;
  gint64 number;
  guint64 id;
  gboolean is_inexact;

  while (tt_json_member (slice, &cursor, &key, &value))
    {
      g_autofree char *text = tt_json_text (&value);

      g_assert_true (value.kind != TT_JSON_STRING || g_utf8_validate (text, -1, NULL));
      if (tt_json_decimal (&value, 3, &number, &is_inexact) && tt_json_int64 (&value, &number))
        g_assert_true (number < 0 || tt_json_uint64 (&value, &id));
    }
  cursor = NULL;
  while (tt_json_item (slice, &cursor, &value))
    tt_json_get (value.raw, "ph");
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  static const ReadFunc funcs[] = { read_steps, read_whole, read_records, read_skip };

  if (len == 0)
    return 0;

  gsize size = (gsize) bytes[0] % 64 + 1;
  bytes++;
  len--;
  if (len >= 3 && memcmp (bytes, "\x1f\x8b\x08", 3) == 0)
    return 0;

  const char *path = memory_file (bytes, len);
  if (len >= 4 && (memcmp (bytes, "\x28\xb5\x2f\xfd", 4) == 0 || memcmp (bytes + 1, "\x2a\x4d\x18", 3) == 0))
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (funcs); i++)
    check_sizes (path, funcs[i], size);
#ifdef HAVE_YAJL
  check_against_yajl (path, bytes, len);
#endif
  check_members (bytes, len);
  return 0;
}
