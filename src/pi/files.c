/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "config.h"

#include "src/pi/files.h"

#include "formats/pi/api.h"
#include "formats/pi/native.h"
#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/output.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static TtOutput *
open_in (const char *directory, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return tt_output_open (path, error);
}

static void
put_texts (TtOutput *out, char *const *texts, gsize n, const char *indent)
{
  if (n == 0)
    {
      tt_output_literal (out, "[]");
      return;
    }
  tt_output_literal (out, "[\n");
  for (gsize i = 0; i < n; i++)
    {
      tt_output_text (out, indent);
      tt_output_literal (out, "    ");
      tt_output_json_string (out, texts[i]);
      tt_output_text (out, i + 1 < n ? ",\n" : "\n");
    }
  tt_output_text (out, indent);
  tt_output_literal (out, "]");
}

static void
put_text_member (TtOutput *out, const char *key, const char *value, const char *end)
{
  tt_output_printf (out, "    \"%s\": ", key);
  tt_output_json_string (out, value);
  tt_output_text (out, end);
}

static void
put_flag (TtOutput *out, const char *key, gboolean value)
{
  tt_output_printf (out, "    \"%s\": %s,\n", key, value ? "true" : "false");
}

gboolean
tt_pi_write_config (const char *directory, const TtPiReplayConfig *config, GError **error)
{
  g_autoptr (TtOutput) out = open_in (directory, "replay_config.json", error);

  if (out == NULL)
    return FALSE;
  tt_output_literal (out, "{\n    \"arguments\": ");
  put_texts (out, config->arguments, g_strv_length ((char **) config->arguments), "    ");
  tt_output_literal (out, ",\n");
  put_text_member (out, "command", config->command, ",\n");
  put_text_member (out, "executable", config->executable, ",\n");
  put_flag (out, "hasCUDAPlugin", config->has_cuda);
  put_flag (out, "hasLevelZeroPlugin", config->has_level_zero);
  put_flag (out, "hasOpenCLPlugin", config->has_opencl);
  put_flag (out, "hasROCmPlugin", config->has_rocm);
  put_text_member (out, "recordMode", config->record_mode, "\n}\n");
  return tt_output_close (out, error);
}

gboolean
tt_pi_write_files (const char *directory, const GPtrArray *files, GError **error)
{
  g_autoptr (TtOutput) out = open_in (directory, "files_config.json", error);

  if (out == NULL)
    return FALSE;
  if (files->len == 0)
    tt_output_literal (out, "null");
  else
    put_texts (out, (char *const *) files->pdata, files->len, "");
  tt_output_literal (out, "\n");
  return tt_output_close (out, error);
}

typedef struct
{
  TtOutput *out;
  gboolean has_one;
} Map;

static gboolean
put_mapped (gpointer key, gpointer value, gpointer data)
{
  Map *self = data;

  tt_output_text (self->out, self->has_one ? ",\n    " : "\n    ");
  tt_output_json_string (self->out, key);
  tt_output_literal (self->out, ": ");
  tt_output_json_string (self->out, value);
  self->has_one = TRUE;
  return FALSE;
}

gboolean
tt_pi_write_map (const char *directory, GTree *map, GError **error)
{
  g_autoptr (TtOutput) out = open_in (directory, "replay_file_map.json", error);
  Map self = { out, FALSE };

  if (out == NULL)
    return FALSE;
  tt_output_literal (out, "{");
  g_tree_foreach (map, put_mapped, &self);
  tt_output_text (out, self.has_one ? "\n}\n" : "}\n");
  return tt_output_close (out, error);
}

gboolean
tt_pi_write_environment (const char *directory, char *const *environment, GError **error)
{
  g_autoptr (TtOutput) out = open_in (directory, "env", error);

  if (out == NULL)
    return FALSE;
  for (gsize i = 0; environment[i] != NULL; i++)
    tt_output_printf (out, "%s\n", environment[i]);
  return tt_output_close (out, error);
}

char **
tt_pi_environment_add (char **environment, const char *name, const char *value, const char *separator)
{
  const char *old = g_environ_getenv (environment, name);

  if (separator == NULL || old == NULL || *old == '\0')
    return g_environ_setenv (environment, name, value, TRUE);
  g_autofree char *both = g_strconcat (value, separator, old, NULL);
  return g_environ_setenv (environment, name, both, TRUE);
}

static int
delete_one (const char *path, const struct stat *status, int kind, struct FTW *walk)
{
  return remove (path);
}

gboolean
tt_pi_delete_directory (const char *path, GError **error)
{
  if (nftw (path, delete_one, 32, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot delete '%s': %s", path, g_strerror (errno));
  return FALSE;
}

static gboolean
begins_with_ur (const char *path)
{
  g_autoptr (GMappedFile) file = tt_look_map (path, NULL);
  gsize len = file != NULL ? g_mapped_file_get_length (file) : 0;
  TtPiNativeRecord record;

  if (len < TT_PI_NATIVE_HEADER + 8)
    return FALSE;
  const guint8 *first = (const guint8 *) g_mapped_file_get_contents (file) + TT_PI_NATIVE_HEADER;
  guint32 size = tt_pi_native_record_size (first, len - TT_PI_NATIVE_HEADER);
  return size >= 8 && size <= len - TT_PI_NATIVE_HEADER && tt_pi_native_record (first, size, &record) == NULL &&
         record.kind == TT_PI_NATIVE_NAME && record.name.api == TT_PI_API_UR;
}

gboolean
tt_pi_recording_is_ur (const char *directory)
{
  g_autoptr (GDir) dir = tt_look_folder (directory, NULL);
  gboolean is_ur = FALSE;
  const char *name;

  while (dir != NULL && (name = tt_look_next (dir, directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      if (!g_str_has_suffix (name, TT_PI_NATIVE_SUFFIX) || !tt_look_test (path, G_FILE_TEST_IS_REGULAR))
        continue;
      if (!begins_with_ur (path))
        return FALSE;
      is_ur = TRUE;
    }
  return is_ur;
}
