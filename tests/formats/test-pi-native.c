/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/native.h"
#include "formats/pi/trace.h"

#include <glib/gstdio.h>
#include <string.h>

/* Native recordings, built here by the description in formats/pi/native.h. */

enum
{
  QUEUE_FINISH,
  EVENT_RELEASE,
  UNKNOWN_KIND = 99,
};

static void
put (GByteArray *to, guint64 value, guint size)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * i);
      g_byte_array_append (to, &byte, 1);
    }
}

static void
put_zeros (GByteArray *to, guint len)
{
  while (to->len < len)
    put (to, 0, 1);
}

static void
put_header (GByteArray *to)
{
  g_byte_array_append (to, (const guint8 *) TT_PI_NATIVE_MAGIC, 8);
  put (to, TT_PI_NATIVE_VERSION, 4);
  put (to, TT_PI_NATIVE_HEADER, 4);
  put_zeros (to, 32);
  put (to, 100, 4);
  put (to, 100, 4);
  put_zeros (to, TT_PI_NATIVE_HEADER);
}

/* A function of Unified Runtime with one parameter of 8 bytes. */
static void
put_name (GByteArray *to, guint index, guint id, const char *name)
{
  guint end = to->len + (guint) TT_PI_NATIVE_PAD (24 + 1 + strlen (name));

  put (to, end - to->len, 4);
  put (to, TT_PI_NATIVE_NAME, 4);
  put (to, index, 4);
  put (to, id, 4);
  put (to, 1, 1);
  put (to, 1, 1);
  put (to, strlen (name), 2);
  put (to, 0, 4);
  put (to, 8, 1);
  g_byte_array_append (to, (const guint8 *) name, (guint) strlen (name));
  put_zeros (to, end);
}

static void
put_begin (GByteArray *to, guint index, guint64 instance, guint64 time_ns)
{
  put (to, 40, 4);
  put (to, TT_PI_NATIVE_BEGIN, 4);
  put (to, index, 4);
  put (to, 0xffff, 2);
  put (to, 8, 2);
  put (to, instance, 8);
  put (to, time_ns, 8);
  put (to, 0xa000, 8);
}

static void
put_end (GByteArray *to, guint64 instance, guint64 time_ns, guint result)
{
  put (to, 32, 4);
  put (to, TT_PI_NATIVE_END, 4);
  put (to, result, 4);
  put (to, 0, 4);
  put (to, instance, 8);
  put (to, time_ns, 8);
}

static void
put_unknown (GByteArray *to, guint size)
{
  guint end = to->len + size;

  put (to, size, 4);
  put (to, UNKNOWN_KIND, 4);
  put_zeros (to, end);
}

static GByteArray *
new_recording (void)
{
  GByteArray *bytes = g_byte_array_new ();

  put_header (bytes);
  put_name (bytes, QUEUE_FINISH, 97, "urQueueFinish");
  put_name (bytes, EVENT_RELEASE, 44, "urEventRelease");
  return bytes;
}

/* "name begin-end=result", with "?" for a call without an end, "; " between them; the error, if there is one. */
static char *
list_calls (const GByteArray *bytes)
{
  static const TtPiOptions options = { .ids = -1 };
  g_autofree char *folder = g_dir_make_tmp ("pi-native-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "main" TT_PI_NATIVE_SUFFIX, NULL);
  g_autoptr (GError) error = NULL;
  GString *text = g_string_new (NULL);
  TtPiCall call;

  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (folder, &options, &error);
  g_autoptr (TtPiReader) reader = trace == NULL ? NULL : tt_pi_reader_open (trace, 0, &error);
  while (reader != NULL && tt_pi_reader_next (reader, &call, &error))
    {
      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT "-", text->len > 0 ? "; " : "", call.name, call.start_ns);
      if (call.flags & TT_PI_CALL_IN_PROGRESS)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GUINT64_FORMAT "=%d", call.end_ns, call.result);
    }
  if (error != NULL)
    g_string_append (text, error->message);
  g_unlink (path);
  g_rmdir (folder);
  return g_string_free (text, FALSE);
}

/* Each END belongs to the BEGIN of its own instance, whatever stands between them. */
static void
test_calls_within_calls (void)
{
  g_autoptr (GByteArray) bytes = new_recording ();

  put_begin (bytes, QUEUE_FINISH, 1, 100);
  put_begin (bytes, EVENT_RELEASE, 2, 200);
  put_begin (bytes, EVENT_RELEASE, 3, 210);
  put_end (bytes, 3, 220, 5);
  put_end (bytes, 2, 300, 0);
  put_begin (bytes, EVENT_RELEASE, 4, 350);
  put_end (bytes, 4, 360, 0);
  put_end (bytes, 1, 400, 7);
  put_begin (bytes, QUEUE_FINISH, 5, 500);
  put_begin (bytes, EVENT_RELEASE, 6, 600);
  put_end (bytes, 6, 610, 0);
  g_autofree char *calls = list_calls (bytes);
  g_assert_cmpstr (calls, ==,
                   "urQueueFinish 100-400=7; urEventRelease 200-300=0; urEventRelease 210-220=5; "
                   "urEventRelease 350-360=0; urQueueFinish 500-?; urEventRelease 600-610=0");
}

/* Records of an unknown kind are to be skipped, be they no more than their head. */
static void
test_unknown_kinds (void)
{
  g_autoptr (GByteArray) bytes = new_recording ();

  put_unknown (bytes, 8);
  put_begin (bytes, QUEUE_FINISH, 1, 100);
  put_unknown (bytes, 8);
  put_unknown (bytes, 24);
  put_end (bytes, 1, 400, 0);
  put_unknown (bytes, 16);
  g_autofree char *calls = list_calls (bytes);
  g_assert_cmpstr (calls, ==, "urQueueFinish 100-400=0");
}

/* What is not a whole record is told with its place, except the zeros into which the next one would go. */
static void
test_ends_of_file (void)
{
  g_autoptr (GByteArray) zeros = new_recording (), small = new_recording (), large = new_recording ();
  guint end = small->len;

  put_begin (zeros, QUEUE_FINISH, 1, 100);
  put_end (zeros, 1, 400, 0);
  put_zeros (zeros, 4096);
  g_autofree char *calls = list_calls (zeros);
  g_assert_cmpstr (calls, ==, "urQueueFinish 100-400=0");

  put (small, 7, 4);
  put (small, UNKNOWN_KIND, 4);
  put (large, 16, 4);
  put (large, UNKNOWN_KIND, 4);
  g_autofree char *of_small = list_calls (small), *of_large = list_calls (large);
  g_autofree char *place = g_strdup_printf ("record 0 at byte %u: its size says ", end);
  g_assert_nonnull (strstr (of_small, place));
  g_assert_nonnull (strstr (of_small, "says 7 bytes; 8 are left"));
  g_assert_nonnull (strstr (of_large, place));
  g_assert_nonnull (strstr (of_large, "says 16 bytes; 8 are left"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/pi-native/calls-within-calls", test_calls_within_calls);
  g_test_add_func ("/pi-native/unknown-kinds", test_unknown_kinds);
  g_test_add_func ("/pi-native/ends-of-file", test_ends_of_file);
  return g_test_run ();
}
