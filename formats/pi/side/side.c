/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Finds the side files of a trace and hands them to their parsers. */
#include "formats/pi/side/private.h"

#define DESCRIPTOR_SUFFIX ".desc"

static char *
side_path (TtPiTrace *trace, const char *name)
{
  return g_build_filename (tt_pi_trace_path (trace), name, NULL);
}

static GBytes *
read_side_file (TtPiTrace *trace, const char *name, GError **error)
{
  return tt_pi_trace_side_file (trace, name, TT_PI_SIDE_LIMIT, error);
}

TtPiConfig *
tt_pi_config_read (TtPiTrace *trace, GError **error)
{
  g_autofree char *path = side_path (trace, "replay_config.json");
  g_autoptr (GBytes) bytes = read_side_file (trace, "replay_config.json", error);

  return bytes == NULL ? NULL : tt_pi_config_parse (path, bytes, error);
}

GStrv
tt_pi_files_read (TtPiTrace *trace, GError **error)
{
  g_autofree char *path = side_path (trace, "files_config.json");
  g_autoptr (GBytes) bytes = read_side_file (trace, "files_config.json", error);

  return bytes == NULL ? NULL : tt_pi_files_parse (path, bytes, error);
}

GStrv
tt_pi_environment_read (TtPiTrace *trace, GError **error)
{
  g_autoptr (GBytes) bytes = read_side_file (trace, "env", error);

  return bytes == NULL ? NULL : tt_pi_environment_parse (bytes);
}

GPtrArray *
tt_pi_graph_read (TtPiTrace *trace, GError **error)
{
  g_autofree char *path = side_path (trace, "sycl.graph_trace");
  GError *fault = NULL;
  g_autoptr (GBytes) bytes = read_side_file (trace, "sycl.graph_trace", &fault);

  if (bytes != NULL)
    return tt_pi_graph_parse (path, bytes, error);
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  g_autofree char *json_path = side_path (trace, "graph.json");
  g_autoptr (GBytes) json = read_side_file (trace, "graph.json", error);
  return json == NULL ? NULL : tt_pi_graph_json_parse (json_path, json, error);
}

/* -- images ------------------------------------------------------------------------------------------ */

/* i of "<i>.desc". */
static gboolean
parse_descriptor_name (const char *name, guint *index)
{
  char *end;

  if (!g_ascii_isdigit (*name))
    return FALSE;
  guint64 number = g_ascii_strtoull (name, &end, 10);
  if (number > G_MAXINT || !g_str_equal (end, DESCRIPTOR_SUFFIX))
    return FALSE;
  *index = (guint) number;
  return TRUE;
}

/* "<i>_<target>..." among the names of all files. */
static const char *
find_image (const char *const *names, guint index)
{
  g_autofree char *prefix = g_strdup_printf ("%u_", index);

  for (; *names != NULL; names++)
    if (g_str_has_prefix (*names, prefix))
      return *names;
  return NULL;
}

static int
compare_images (gconstpointer a, gconstpointer b)
{
  const TtPiImage *x = *(const TtPiImage *const *) a, *y = *(const TtPiImage *const *) b;

  return x->index < y->index ? -1 : x->index > y->index;
}

GPtrArray *
tt_pi_images_read (TtPiTrace *trace, GPtrArray *warnings)
{
  const char *const *names = tt_pi_trace_side_files (trace);
  GPtrArray *images = g_ptr_array_new_with_free_func ((GDestroyNotify) tt_pi_image_free);
  guint index;

  for (const char *const *name = names; *name != NULL; name++)
    if (parse_descriptor_name (*name, &index))
      {
        g_autofree char *path = side_path (trace, *name);
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) bytes = read_side_file (trace, *name, &error);
        TtPiImage *image = bytes == NULL ? NULL : tt_pi_image_parse (path, bytes, &error);

        if (image == NULL)
          {
            if (error != NULL)
              g_ptr_array_add (warnings, g_strdup (error->message));
            continue;
          }
        image->index = index;
        image->image = g_strdup (find_image (names, index));
        g_ptr_array_add (images, image);
      }
  g_ptr_array_sort (images, compare_images);
  return images;
}
