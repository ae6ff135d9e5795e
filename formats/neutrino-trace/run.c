/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/run.h"

#include "formats/neutrino-trace/lines.h"
#include "formats/neutrino-trace/log.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"

#include <string.h>
#include <sys/stat.h>

/* -- the directory ----------------------------------------------------------------------------------------------- */

/* NULL: no regular file with something in it. */
static char *
file_in (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  struct stat status;

  if (tt_look_stat (path, &status) != 0 || !S_ISREG (status.st_mode) || status.st_size == 0)
    return NULL;
  return g_steal_pointer (&path);
}

static gboolean
is_result (const char *name)
{
  return g_str_has_suffix (name, ".bin") || g_str_has_suffix (name, ".bin.gz") || g_str_has_suffix (name, ".bin.zst");
}

/* "12.345678.bin" by its number, then by its name. */
static int
by_seconds (gconstpointer a, gconstpointer b)
{
  const char *x = *(char *const *) a, *y = *(char *const *) b;
  double x_s = g_ascii_strtod (strrchr (x, '/') + 1, NULL), y_s = g_ascii_strtod (strrchr (y, '/') + 1, NULL);

  return x_s < y_s ? -1 : x_s > y_s ? 1 : strcmp (x, y);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
find_results (TtNeutrinoRun *self)
{
  g_autofree char *path = g_build_filename (self->root, "result", NULL);
  g_autoptr (GDir) directory = tt_look_folder (path, NULL);
  const char *name;

  while (directory != NULL && (name = tt_look_next (directory, path)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      if (is_result (name) && tt_look_test (file, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (self->results, g_steal_pointer (&file));
    }
  g_ptr_array_sort (self->results, by_seconds);
}

static void
find_kernels (TtNeutrinoRun *self)
{
  g_autofree char *path = g_build_filename (self->root, "kernel", NULL);
  g_autoptr (GDir) directory = tt_look_folder (path, NULL);
  const char *name;

  while (directory != NULL && (name = tt_look_next (directory, path)) != NULL)
    {
      g_autofree char *kernel = g_build_filename (path, name, NULL);
      char *info = file_in (kernel, "kernel.info");
      if (info != NULL)
        g_ptr_array_add (self->kernels, info);
    }
  g_ptr_array_sort (self->kernels, by_text);
}

TtNeutrinoRun *
tt_neutrino_run_find (const char *root)
{
  TtNeutrinoRun *self = g_new0 (TtNeutrinoRun, 1);

  self->root = g_strdup (root);
  self->log = file_in (root, "event.log");
  self->probe = file_in (root, "probe.toml");
  self->tensors = file_in (root, "tensor.trace");
  self->results = g_ptr_array_new_with_free_func (g_free);
  self->kernels = g_ptr_array_new_with_free_func (g_free);
  find_results (self);
  find_kernels (self);
  return self;
}

void
tt_neutrino_run_free (TtNeutrinoRun *self)
{
  if (self == NULL)
    return;
  g_free (self->root);
  g_free (self->log);
  g_free (self->probe);
  g_free (self->tensors);
  g_ptr_array_unref (self->results);
  g_ptr_array_unref (self->kernels);
  g_free (self);
}

static gboolean
is_log (const char *path)
{
  guint8 head[256];
  gssize n = tt_input_peek (path, head, sizeof head, NULL, NULL);

  return n > 0 && tt_neutrino_log_probe (head, (gsize) n);
}

gboolean
tt_neutrino_run_is_one (const char *root)
{
  g_autofree char *log = file_in (root, "event.log");

  if (log != NULL && is_log (log))
    return TRUE;
  g_autofree char *probe = file_in (root, "probe.toml");
  g_autofree char *results = g_build_filename (root, "result", NULL);
  if (probe == NULL || !tt_look_test (results, G_FILE_TEST_IS_DIR))
    return FALSE;
  g_autoptr (TtNeutrinoRun) run = tt_neutrino_run_find (root);
  return run->results->len > 0;
}

char *
tt_neutrino_run_pid (const char *root)
{
  g_autofree char *name = g_path_get_basename (root);
  const char *last = strrchr (name, '_');
  guint64 pid;

  if (last == NULL || !g_ascii_string_to_unsigned (last + 1, 10, 0, G_MAXUINT32, &pid, NULL))
    return NULL;
  return g_strdup (last + 1);
}

/* -- kernel.info
 * ------------------------------------------------------------------------------------------------------- */

void
tt_neutrino_kernel_free (TtNeutrinoKernel *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

/* "1,16" or "0,-1". */
static gboolean
read_map (TtNeutrinoKernel *self, guint i, const char *text)
{
  const char *comma = strchr (text, ',');

  self->is_warp[i] = text[0] == '1';
  return comma == text + 1 && (text[0] == '0' || text[0] == '1') &&
         g_ascii_string_to_signed (comma + 1, 10, -1, G_MAXUINT32, &self->unit_bytes[i], NULL);
}

static gboolean
read_line (TtNeutrinoKernel *self, guint64 number, char *text, guint64 *n_maps)
{
  g_strstrip (text);
  if (number == 1)
    self->name = g_utf8_make_valid (text, -1);
  if (number == 1)
    return *text != '\0';
  if (number == 2)
    return g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &self->n_parameters, NULL);
  if (number == 3)
    return g_ascii_string_to_unsigned (text, 10, 0, TT_NEUTRINO_MAX_MAPS, n_maps, NULL);
  if (self->n_maps == *n_maps)
    return *text == '\0';
  return read_map (self, self->n_maps++, text);
}

TtNeutrinoKernel *
tt_neutrino_kernel_load (const char *path, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open (path, error);
  g_autoptr (TtNeutrinoKernel) self = g_new0 (TtNeutrinoKernel, 1);
  g_auto (TtNeutrinoLines) lines = { 0 };
  g_autoptr (GError) fault = NULL;
  guint64 n_maps = 0;

  if (input == NULL)
    return NULL;
  tt_neutrino_lines_init (&lines, input);
  while (tt_neutrino_lines_next (&lines, &fault))
    if (lines.is_cut || !read_line (self, lines.number, lines.text->str, &n_maps))
      {
        g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                     "%s: line %" G_GUINT64_FORMAT ": not what kernel.info has there (name, number of parameters, "
                     "number of maps, then 'LEVEL,BYTES' per map)",
                     path, lines.number);
        return NULL;
      }
  if (fault == NULL && self->name != NULL && lines.number > 3 && self->n_maps == n_maps)
    return g_steal_pointer (&self);
  if (fault != NULL)
    g_propagate_error (error, g_steal_pointer (&fault));
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: line %" G_GUINT64_FORMAT ": the file ends here, too early",
                 path, lines.number);
  return NULL;
}

char *
tt_neutrino_kernel_difference (const TtNeutrinoKernel *self, const TtNeutrinoLayout *layout)
{
  if (self->n_maps != layout->maps->len)
    return g_strdup_printf ("%u maps instead of %u", self->n_maps, layout->maps->len);
  for (guint i = 0; i < self->n_maps; i++)
    {
      const TtNeutrinoMap *map = layout->maps->pdata[i];
      gint64 bytes = map->is_dynamic ? -1 : (gint64) (map->record_bytes * map->cap);
      if (map->is_warp != self->is_warp[i] || bytes != self->unit_bytes[i])
        return g_strdup_printf (
            "map '%s' with %" G_GINT64_FORMAT " bytes per %s instead of %" G_GINT64_FORMAT " per %s", map->name,
            self->unit_bytes[i], self->is_warp[i] ? "warp" : "thread", bytes, map->is_warp ? "warp" : "thread");
    }
  return NULL;
}
