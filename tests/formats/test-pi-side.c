/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/side/private.h"

#include <string.h>

/* Files beside the calls, built here a byte at a time, with what they say known. */

/* -- building ---------------------------------------------------------------------------------------- */

static void
put_fixed (GByteArray *to, guint64 value, guint size)
{
  for (guint i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * i);
      g_byte_array_append (to, &byte, 1);
    }
}

static void
put_text (GByteArray *to, const char *text)
{
  put_fixed (to, strlen (text) + 1, 8);
  g_byte_array_append (to, (const guint8 *) text, (guint) strlen (text) + 1);
}

static void
put_varint (GByteArray *to, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    put_fixed (to, (value & 0x7f) | 0x80, 1);
  put_fixed (to, value, 1);
}

static void
put_number (GByteArray *to, guint field, guint64 value)
{
  put_varint (to, field << 3);
  put_varint (to, value);
}

static void
put_bytes (GByteArray *to, guint field, const void *bytes, gsize len)
{
  put_varint (to, field << 3 | 2);
  put_varint (to, len);
  g_byte_array_append (to, bytes, (guint) len);
}

static void
put_string (GByteArray *to, guint field, const char *text)
{
  put_bytes (to, field, text, strlen (text));
}

/* Frees @message. */
static void
put_message (GByteArray *to, guint field, GByteArray *message)
{
  put_bytes (to, field, message->data, message->len);
  g_byte_array_unref (message);
}

static GByteArray *
raw_descriptor (void)
{
  GByteArray *to = g_byte_array_new ();

  put_fixed (to, 2, 2);
  put_fixed (to, 4, 1);
  put_fixed (to, 1, 1);
  put_text (to, "spir64_gen");
  put_text (to, "-O2");
  put_text (to, "");
  put_fixed (to, 2, 8);
  put_fixed (to, 0x1000, 8);
  put_text (to, "_ZTS3foo");
  put_fixed (to, 7, 8);
  put_fixed (to, 0, 8);
  put_text (to, "b\xff");
  put_fixed (to, 0, 8);
  put_fixed (to, 1, 8);
  put_text (to, "SYCL/misc");
  put_fixed (to, 2, 8);
  put_text (to, "mask");
  put_fixed (to, 0, 8);
  put_fixed (to, 1, 4);
  put_fixed (to, 77, 8);
  put_text (to, "text");
  put_fixed (to, 0x7fff00001000, 8);
  put_fixed (to, 3, 4);
  put_fixed (to, 12, 8);
  return to;
}

static GByteArray *
protobuf_descriptor (void)
{
  GByteArray *body = g_byte_array_new (), *to = g_byte_array_new ();
  GByteArray *entry = g_byte_array_new (), *set = g_byte_array_new (), *property = g_byte_array_new ();

  put_number (body, 1, 2);
  put_number (body, 2, 4);
  put_number (body, 3, 3);
  put_string (body, 4, "nvptx64");
  put_string (body, 6, "-l");
  put_number (entry, 1, 5);
  put_string (entry, 2, "_ZTS3foo");
  put_number (entry, 3, 300);
  put_number (entry, 4, (guint64) -2);
  put_message (body, 7, entry);
  put_message (body, 7, g_byte_array_new ());
  put_string (property, 1, "opts");
  put_number (property, 2, 3);
  put_string (property, 3, "-g");
  put_string (set, 1, "SYCL/opts");
  put_message (set, 2, property);
  put_message (body, 8, set);
  put_string (body, 9, "manifest");
  put_string (body, 4000, "of a later version");
  put_fixed (to, body->len, 8);
  g_byte_array_append (to, body->data, body->len);
  g_byte_array_unref (body);
  return to;
}

/* Frees @message. */
static void
put_event (GByteArray *to, GByteArray *message)
{
  put_fixed (to, message->len, 4);
  g_byte_array_append (to, message->data, message->len);
  g_byte_array_unref (message);
}

static void
put_metadata (GByteArray *to, const char *name, const char *value)
{
  GByteArray *message = g_byte_array_new ();

  put_string (message, 1, name);
  put_string (message, 2, value);
  put_message (to, 8, message);
}

static GByteArray *
graph (void)
{
  GByteArray *to = g_byte_array_new (), *node = g_byte_array_new (), *edge = g_byte_array_new ();

  put_number (node, 2, 11);
  put_number (node, 3, 100);
  put_number (node, 4, 0);
  put_number (node, 5, 130);
  put_metadata (node, "sycl_device", "1");
  put_metadata (node, "kernel_name", "add");
  put_event (to, node);
  put_number (edge, 1, 1);
  put_number (edge, 2, (guint64) -12);
  put_number (edge, 6, 11);
  put_number (edge, 7, 13);
  put_event (to, edge);
  node = g_byte_array_new ();
  put_number (node, 2, 13);
  put_metadata (node, "copy_from", "1");
  put_event (to, node);
  return to;
}

static GBytes *
bytes_of (GByteArray *array, gsize len)
{
  /* An exact copy, so that a sanitizer sees reads beyond the end. */
  return g_bytes_new (array->data, len);
}

/* -- descriptors --------------------------------------------------------------------------------------- */

static void
test_raw (void)
{
  g_autoptr (GByteArray) array = raw_descriptor ();
  g_autoptr (GBytes) bytes = bytes_of (array, array->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiImage) image = tt_pi_image_parse ("t/0.desc", bytes, &error);

  g_assert_no_error (error);
  g_assert_true (image->is_raw);
  g_assert_cmpuint (image->version, ==, 2);
  g_assert_cmpuint (image->kind, ==, 4);
  g_assert_cmpuint (image->format, ==, 1);
  g_assert_cmpstr (image->target, ==, "spir64_gen");
  g_assert_cmpstr (image->compile_options, ==, "-O2");
  g_assert_cmpstr (image->link_options, ==, "");
  g_assert_cmpuint (image->entries->len, ==, 2);
  const TtPiEntry *entry = image->entries->pdata[0];
  g_assert_cmpuint (entry->address, ==, 0x1000);
  g_assert_cmpstr (entry->name, ==, "_ZTS3foo");
  g_assert_cmpuint (entry->size, ==, 7);
  g_assert_cmpstr (((const TtPiEntry *) image->entries->pdata[1])->name, ==, "b\xef\xbf\xbd");
  g_assert_cmpuint (image->property_sets->len, ==, 1);
  const TtPiPropertySet *set = image->property_sets->pdata[0];
  g_assert_cmpstr (set->name, ==, "SYCL/misc");
  g_assert_cmpuint (set->properties->len, ==, 2);
  const TtPiProperty *property = set->properties->pdata[0];
  g_assert_cmpstr (property->name, ==, "mask");
  g_assert_cmpuint (property->type, ==, 1);
  g_assert_cmpuint (property->size, ==, 77);
  g_assert_null (property->data);
  property = set->properties->pdata[1];
  g_assert_cmpuint (property->type, ==, 3);
  g_assert_cmpuint (property->size, ==, 12);
}

static void
test_protobuf (void)
{
  g_autoptr (GByteArray) array = protobuf_descriptor ();
  g_autoptr (GBytes) bytes = bytes_of (array, array->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiImage) image = tt_pi_image_parse ("t/0.desc", bytes, &error);

  g_assert_no_error (error);
  g_assert_false (image->is_raw);
  g_assert_cmpuint (image->version, ==, 2);
  g_assert_cmpuint (image->kind, ==, 4);
  g_assert_cmpuint (image->format, ==, 3);
  g_assert_cmpstr (image->target, ==, "nvptx64");
  g_assert_cmpstr (image->compile_options, ==, "");
  g_assert_cmpstr (image->link_options, ==, "-l");
  g_assert_cmpuint (image->entries->len, ==, 2);
  const TtPiEntry *entry = image->entries->pdata[0];
  g_assert_cmpuint (entry->address, ==, 5);
  g_assert_cmpuint (entry->size, ==, 300);
  g_assert_cmpint (entry->flags, ==, -2);
  g_assert_cmpstr (((const TtPiEntry *) image->entries->pdata[1])->name, ==, "");
  const TtPiPropertySet *set = image->property_sets->pdata[0];
  const TtPiProperty *property = set->properties->pdata[0];
  g_assert_cmpstr (set->name, ==, "SYCL/opts");
  g_assert_cmpstr (property->name, ==, "opts");
  g_assert_cmpuint (property->type, ==, 3);
  g_assert_cmpmem (g_bytes_get_data (property->data, NULL), property->size, "-g", 2);
}

/* Every beginning of a descriptor is an error that names file and byte. */
static void
test_cut (gconstpointer data)
{
  GByteArray *(*const build) (void) = (GByteArray * (*) (void) ) (gsize) data;
  g_autoptr (GByteArray) array = build ();

  for (gsize len = 0; len < array->len; len++)
    {
      g_autoptr (GBytes) bytes = bytes_of (array, len);
      g_autoptr (GError) error = NULL;
      g_autoptr (TtPiImage) image = tt_pi_image_parse ("t/0.desc", bytes, &error);

      g_assert_null (image);
      g_assert_error (error, TT_ERROR, TT_ERROR_FORMAT);
      g_assert_true (g_str_has_prefix (error->message, "t/0.desc: byte "));
    }
}

static const char *
image_error (const guint8 *contents, gsize len)
{
  static char text[256];
  g_autoptr (GBytes) bytes = g_bytes_new (contents, len);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiImage) image = tt_pi_image_parse ("d", bytes, &error);

  g_assert_null (image);
  g_strlcpy (text, error->message, sizeof text);
  return text;
}

static void
test_hostile (void)
{
  g_autoptr (GByteArray) array = g_byte_array_new ();

  put_fixed (array, 2, 2);
  put_fixed (array, 4, 1);
  put_fixed (array, 0, 1);
  for (guint i = 0; i < 3; i++)
    put_text (array, "");
  put_fixed (array, G_MAXUINT64, 8);
  g_assert_cmpstr (image_error (array->data, array->len), ==,
                   "d: byte 31: 18446744073709551615 offload entries do not fit into the 0 bytes left");

  static const guint8 wires[][6] = {
    { 0x0b, 0, 0, 0, 0, 0 },             /* wire type 3 */
    { 0x00, 0, 0, 0, 0, 0 },             /* field 0 */
    { 0x0a, 0x05, 0, 0, 0, 0 },          /* one byte too long */
    { 8, 0x80, 0x80, 0x80, 0x80, 0x80 }, /* never ends */
  };
  static const char *const faults[] = { "an unknown wire type", "a field number out of range",
                                        "a length that is longer than the rest", "a number that is cut short" };
  for (guint i = 0; i < G_N_ELEMENTS (wires); i++)
    {
      guint8 contents[14] = { sizeof wires[0] };
      g_autofree char *wanted = g_strdup_printf ("d: byte 8: %s", faults[i]);

      memcpy (contents + 8, wires[i], sizeof wires[i]);
      g_assert_cmpstr (image_error (contents, sizeof contents), ==, wanted);
    }
}

/* -- the graph ------------------------------------------------------------------------------------------ */

static void
test_graph (void)
{
  g_autoptr (GByteArray) array = graph ();
  g_autoptr (GBytes) bytes = bytes_of (array, array->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) items = tt_pi_graph_parse ("t/g", bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (items->len, ==, 3);
  const TtPiGraphItem *item = items->pdata[0];
  g_assert_false (item->is_edge);
  g_assert_cmpint (item->id, ==, 11);
  g_assert_cmpstr (item->name, ==, "add");
  g_assert_cmpuint (item->create_us, ==, 100);
  g_assert_true (item->has_start && item->start_us == 0 && item->has_end && item->end_us == 130);
  g_assert_cmpstr (tt_pi_graph_metadata (item, "sycl_device"), ==, "1");
  g_assert_null (tt_pi_graph_metadata (item, "none"));
  item = items->pdata[1];
  g_assert_true (item->is_edge && item->has_source && item->has_target && !item->has_start && !item->has_end);
  g_assert_cmpint (item->id, ==, -12);
  g_assert_cmpint (item->source, ==, 11);
  g_assert_cmpint (item->target, ==, 13);
  g_assert_cmpstr (((const TtPiGraphItem *) items->pdata[2])->name, ==, "copy");

  guint n_whole = 0;
  for (gsize len = 0; len < array->len; len++)
    {
      g_autoptr (GBytes) part = bytes_of (array, len);
      g_autoptr (GError) fault = NULL;
      g_autoptr (GPtrArray) some = tt_pi_graph_parse ("t/g", part, &fault);

      n_whole += some != NULL;
      g_assert_true ((some != NULL) == (fault == NULL));
      g_assert_true (fault == NULL || g_str_has_prefix (fault->message, "t/g: byte "));
    }
  g_assert_cmpuint (n_whole, ==, 3);
}

static void
test_graph_json (void)
{
  static const char text[] =
      "[{\"name\":\"add\",\"id\":11,\"kind\":\"node\",\"sycl_device\":\"1\"},"
      "{\"kind\":\"edge\",\"id\":-2,\"source\":11,\"target\":13,\"access_mode\":\"10\\u001b24\"}]";
  static const struct
  {
    const char *text, *error;
  } bad[] = {
    { "{}", "expected" },
    { "[1]", "g.json: byte 1: an item that is no object" },
    { "[{\"id\":\"x\"}]", "g.json: byte 7: 'id' is no integer" },
    { "[{\"id\":1},{\"id\":", "g.json: byte" },
    { "", "g.json" },
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) items = tt_pi_graph_json_parse ("g.json", bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (items->len, ==, 2);
  const TtPiGraphItem *item = items->pdata[1];
  g_assert_cmpstr (((const TtPiGraphItem *) items->pdata[0])->name, ==, "add");
  g_assert_true (item->is_edge && item->has_source && item->source == 11 && item->has_target && item->target == 13);
  g_assert_cmpint (item->id, ==, -2);
  g_assert_cmpstr (item->name, ==, "edge");
  g_assert_cmpstr (tt_pi_graph_metadata (item, "access_mode"), ==,
                   "10\x1b"
                   "24");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GBytes) wrong = g_bytes_new_static (bad[i].text, strlen (bad[i].text));
      g_autoptr (GError) fault = NULL;
      g_autoptr (GPtrArray) none = tt_pi_graph_json_parse ("g.json", wrong, &fault);

      g_assert_null (none);
      g_assert_nonnull (fault);
      if (strstr (fault->message, bad[i].error) == NULL)
        g_test_fail_printf ("'%s' is not in: %s", bad[i].error, fault->message);
    }
}

/* -- configuration --------------------------------------------------------------------------------------- */

static void
test_config (void)
{
  static const char text[] = "{\"arguments\":[\"-n\",\"a \\\"b\\\"\",7],\"command\":\"./x\",\"executable\":null,"
                             "\"hasCUDAPlugin\":true,\"hasROCmPlugin\":false,\"new\":{\"deep\":[1]},"
                             "\"recordMode\":\"traceOnly\"}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiConfig) config = tt_pi_config_parse ("c", bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (config->arguments), ==, 2);
  g_assert_cmpstr (config->arguments[1], ==, "a \"b\"");
  g_assert_cmpstr (config->command, ==, "./x");
  g_assert_null (config->executable);
  g_assert_cmpstr (config->record_mode, ==, "traceOnly");
  g_assert_true (config->has_cuda && !config->has_rocm && !config->has_opencl);

  static const char *const bad[] = { "", "[]", "{\"command\":\"./x", "{\"arguments\":[\"a\"" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GBytes) wrong = g_bytes_new_static (bad[i], strlen (bad[i]));
      g_autoptr (GError) fault = NULL;
      g_autoptr (TtPiConfig) none = tt_pi_config_parse ("c.json", wrong, &fault);

      g_assert_null (none);
      g_assert_true (fault != NULL && strstr (fault->message, "c.json") != NULL);
      g_test_message ("%s", fault->message);
    }
}

static void
test_files (void)
{
  g_autoptr (GBytes) list = g_bytes_new_static ("[\"/a\",\"/b\",\"/a\"]", 16);
  g_autoptr (GBytes) none = g_bytes_new_static ("null", 4);
  g_autoptr (GBytes) wrong = g_bytes_new_static ("[\"/a\",", 6);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) files = tt_pi_files_parse ("f", list, &error);
  g_auto (GStrv) nothing = tt_pi_files_parse ("f", none, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (files), ==, 3);
  g_assert_cmpstr (files[2], ==, "/a");
  g_assert_cmpuint (g_strv_length (nothing), ==, 0);
  g_assert_null (tt_pi_files_parse ("f", wrong, &error));
  g_assert_nonnull (error);
}

static void
test_environment (void)
{
  static const char text[] = "A=1\n\nB=\xff\nC=x";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, sizeof text - 1);
  g_autoptr (GBytes) none = g_bytes_new_static ("", 0);
  g_auto (GStrv) lines = tt_pi_environment_parse (bytes);
  g_auto (GStrv) nothing = tt_pi_environment_parse (none);

  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_assert_cmpstr (lines[0], ==, "A=1");
  g_assert_cmpstr (lines[1], ==, "B=\xef\xbf\xbd");
  g_assert_cmpstr (lines[2], ==, "C=x");
  g_assert_cmpuint (g_strv_length (nothing), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pi-side/descriptor/raw", test_raw);
  g_test_add_func ("/pi-side/descriptor/protobuf", test_protobuf);
  g_test_add_data_func ("/pi-side/descriptor/raw-cut", (gconstpointer) (gsize) raw_descriptor, test_cut);
  g_test_add_data_func ("/pi-side/descriptor/protobuf-cut", (gconstpointer) (gsize) protobuf_descriptor, test_cut);
  g_test_add_func ("/pi-side/descriptor/hostile", test_hostile);
  g_test_add_func ("/pi-side/graph/protobuf", test_graph);
  g_test_add_func ("/pi-side/graph/json", test_graph_json);
  g_test_add_func ("/pi-side/config", test_config);
  g_test_add_func ("/pi-side/files", test_files);
  g_test_add_func ("/pi-side/environment", test_environment);
  return g_test_run ();
}
