/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/formats.h"

#include "formats/job/side-files.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/paths.h"
#include "src/base/suggest.h"

#include <string.h>

const TtFormat *const tt_formats[] = {
#define LIST_FORMAT(id) &tt_format_##id,
  TT_FORMATS (LIST_FORMAT)
#undef LIST_FORMAT
      NULL,
};

G_STATIC_ASSERT (G_N_ELEMENTS (tt_formats) == TT_N_FORMATS + 1);

const TtFormat *
tt_format_by_name (const char *name, GError **error)
{
  const char *names[TT_N_FORMATS + 1] = { NULL };

  for (guint i = 0; i < TT_N_FORMATS; i++)
    {
      names[i] = tt_formats[i]->name;
      if (strcmp (names[i], name) == 0)
        return tt_formats[i];
    }

  const char *near = tt_suggest (name, names);
  g_autofree char *all = g_strjoinv (", ", (char **) names);
  if (near != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown format '%s'; did you mean '%s'?", name, near);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown format '%s'; known are: %s", name, all);
  return NULL;
}

/* -- recognising ---------------------------------------------------------------------------------- */

const TtFormat *
tt_format_best (const char *path, const TtFormat *forced, guint64 *size, GError **error)
{
  guint8 head[TT_PROBE_BYTES];
  TtProbe file = { .path = path, .head = head };
  gssize n = tt_input_peek (path, head, sizeof head, &file.size, error);
  const TtFormat *best = NULL;
  guint best_score = 0;

  if (n < 0)
    return NULL;
  *size = (guint64) n;
  file.len = (gsize) n;
  /* Some read far ahead: nobody else is asked of what one is certain of. */
  for (guint i = 0; i < TT_N_FORMATS && best_score < TT_PROBE_CERTAIN; i++)
    {
      guint score = forced != NULL && forced != tt_formats[i] ? 0 : tt_formats[i]->probe (&file);
      if (score > best_score)
        {
          best = tt_formats[i];
          best_score = score;
        }
    }
  return best;
}

/* What a file is packed in that is not unpacked here, and what unpacks it; NULL: it is not. */
static const char *
find_packing (const char *path, const char **unpack)
{
  static const struct
  {
    const char *begin, *name, *unpack;
  } packings[] = {
    { "PK\003\004", "a ZIP archive", "unzip %s -d FOLDER" },
    { "7z\274\257\047\034", "a 7z archive", "7z x -oFOLDER %s" },
    { "\3757zXZ", "packed by xz", "xz -d %s" },
    { "BZh", "packed by bzip2", "bzip2 -d %s" },
  };
  guint8 head[8];
  guint64 size;
  gssize n = tt_input_peek (path, head, sizeof head, &size, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (packings); i++)
    if (n >= (gssize) strlen (packings[i].begin) && memcmp (head, packings[i].begin, strlen (packings[i].begin)) == 0)
      {
        *unpack = packings[i].unpack;
        return packings[i].name;
      }
  return NULL;
}

/* FALSE: it is not packed. */
static gboolean
set_packing_error (const char *path, GError **error)
{
  const char *unpack, *name = find_packing (path, &unpack);
  g_autofree char *word = name == NULL ? NULL : tt_shell_word (path);
  g_autoptr (GString) command = name == NULL ? NULL : g_string_new (unpack);

  if (name == NULL)
    return FALSE;
  g_string_replace (command, "%s", word, 1);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
               "%s: %s, which is not unpacked here; unpack it (%s) and import what comes out", path, name,
               command->str);
  return TRUE;
}

const TtFormat *
tt_format_recognise (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint64 size = 0;
  const TtFormat *best = tt_format_best (path, NULL, &size, &local);
  GString *names;

  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  if (best != NULL)
    return best;
  if (size > 0 && tt_side_file_meaning (path) != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: %s, but no trace; give the folder of the job, or the trace beside it, which takes it in", path,
                   tt_side_file_meaning (path));
      return NULL;
    }

  if (tt_path_is_database (path))
    {
      g_autofree char *word = tt_shell_word (path);
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: a database, not a trace; what one of tracetool holds is told by: tracetool --db %s info", path,
                   word);
      return NULL;
    }

  if (set_packing_error (path, error))
    return NULL;

  names = g_string_new (NULL);
  for (guint i = 0; i < TT_N_FORMATS; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", tt_formats[i]->name);
  if (size == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: %s", path, tt_input_why_nothing (path));
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: not a trace of a known format (%s); --format NAME reads it as one all the same", path,
                 names->str);
  g_string_free (names, TRUE);
  return NULL;
}
