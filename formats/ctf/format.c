/* SPDX-License-Identifier: Apache-2.0 */
/* The format: which files are CTF traces, and which belong together. */
#include "config.h"

#include "formats/ctf/fingerprint.h"
#include "formats/ctf/import.h"

#include "formats/ctf/layout.h"
#include "formats/ctf/metadata.h"
#include "formats/format.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>

static gboolean
list_files (TtInputSet *set, GError **error)
{
  g_autoptr (GPtrArray) traces = tt_ctf_layout_traces (set->root);

  for (guint i = 0; i < traces->len; i++)
    {
      gboolean is_cut;
      g_autofree char *text = tt_ctf_metadata_read (traces->pdata[i], &is_cut, error);
      g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (traces->pdata[i], text, NULL, error);

      if (files == NULL)
        return FALSE;
      for (guint k = 0; k < files->len; k++)
        g_ptr_array_add (set->paths, g_strdup (files->pdata[k]));
    }
  if (set->paths->len == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: no CTF trace in the directory or below: none has a file 'metadata'", set->root);
  return set->paths->len > 0;
}

/* Whether @path is one stream of a trace; a file of metadata stands for its directory. */
static gboolean
is_lone_stream (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return !tt_ctf_is_metadata_name (name);
}

static gboolean
group (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error)
{
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];
      gboolean is_directory = tt_look_test (path, G_FILE_TEST_IS_DIR);
      g_autofree char *directory = is_directory ? g_strdup (path) : g_path_get_dirname (path);
      g_autoptr (TtInputSet) set = tt_input_set_new ();

      if (!is_directory && is_lone_stream (path))
        {
          const char *advice =
              tt_ctf_is_trace (directory) ? "give its directory" : "its directory has no file 'metadata'";
          if (from_directory)
            {
              g_ptr_array_add (notes, g_strdup_printf ("'%s' left aside: one stream of a CTF trace; %s", path, advice));
              continue;
            }
          g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: one stream of a CTF trace, no trace alone; %s, '%s'",
                       path, advice, directory);
          return FALSE;
        }
      set->root = g_steal_pointer (&directory);
      if (!list_files (set, error))
        return FALSE;
      g_ptr_array_add (inputs, g_steal_pointer (&set));
    }
  return TRUE;
}

static guint
probe (const TtProbe *file)
{
  switch (tt_ctf_head (file->head, file->len))
    {
    case TT_CTF_TEXT_HEAD:
    case TT_CTF_PACKET_HEAD:
      return 95;
    case TT_CTF_STREAM_HEAD:
      return 90;
    default:
      return 0;
    }
}

const TtFormat tt_format_ctf = {
  .name = "ctf",
  .summary = "CTF 1.8 and 2, of PInsight and LTTng: directories with a file 'metadata'",
  .probe = probe,
  .group = group,
  .import = tt_ctf_import,
  .claims = tt_ctf_layout_claims,
  .joins = TRUE,
  .fingerprint = tt_ctf_fingerprint,
};
