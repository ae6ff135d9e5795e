/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/layout.h"

#include "formats/ctf/metadata.h"
#include "src/base/error.h"
#include "src/base/look.h"

#include <string.h>

#define MAX_DEPTH 32
/* Somebody's home directory is not searched through to its end. */
#define MAX_ENTRIES 20000u

typedef struct
{
  GPtrArray *traces;
  GPtrArray *others; /* regular files outside of traces; NULL: not wanted */
  guint n_entries;
} Search;

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
search_traces (Search *self, const char *path, guint depth)
{
  g_autoptr (GDir) directory = NULL;
  g_autoptr (GPtrArray) below = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (tt_ctf_is_trace (path))
    {
      g_ptr_array_add (self->traces, g_strdup (path));
      return;
    }
  directory = depth > MAX_DEPTH ? NULL : tt_look_folder (path, NULL);
  while (directory != NULL && self->n_entries <= MAX_ENTRIES && (name = tt_look_next (directory, path)) != NULL)
    {
      g_autofree char *entry = g_build_filename (path, name, NULL);

      if (name[0] == '.')
        continue;
      self->n_entries++;
      if (tt_look_test (entry, G_FILE_TEST_IS_REGULAR) && self->others != NULL)
        g_ptr_array_add (self->others, g_steal_pointer (&entry));
      else if (tt_look_test (entry, G_FILE_TEST_IS_DIR) && !tt_look_test (entry, G_FILE_TEST_IS_SYMLINK))
        g_ptr_array_add (below, g_steal_pointer (&entry));
    }
  g_ptr_array_sort (below, by_text);
  for (guint i = 0; i < below->len; i++)
    search_traces (self, below->pdata[i], depth + 1);
}

GPtrArray *
tt_ctf_layout_traces (const char *path)
{
  Search self = { .traces = g_ptr_array_new_with_free_func (g_free) };

  search_traces (&self, path, 0);
  return self.traces;
}

static guint
count_metadata (const TtInputSet *input)
{
  guint n = 0;

  for (guint i = 0; i < input->paths->len; i++)
    {
      g_autofree char *name = g_path_get_basename (input->paths->pdata[i]);
      n += tt_ctf_is_metadata_name (name);
    }
  return n;
}

GPtrArray *
tt_ctf_layout_find (const TtInputSet *input, GError **error)
{
  g_autoptr (GPtrArray) traces = tt_ctf_layout_traces (input->root);

  for (guint i = 0; i < input->joined->len; i++)
    {
      g_autoptr (GPtrArray) more = tt_ctf_layout_traces (input->joined->pdata[i]);
      for (guint k = 0; k < more->len; k++)
        if (!g_ptr_array_find_with_equal_func (traces, more->pdata[k], g_str_equal, NULL))
          g_ptr_array_add (traces, g_strdup (more->pdata[k]));
    }
  if (traces->len == count_metadata (input))
    return g_steal_pointer (&traces);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s: only %u of %u traces can be opened again: files have gone, or too many are open (ulimit -n)",
               input->root, traces->len, count_metadata (input));
  return NULL;
}

gboolean
tt_ctf_layout_claims (const char *path, TtIsTraceFunc is_trace)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  Search self = { .traces = traces, .others = others };

  search_traces (&self, path, 0);
  if (traces->len == 0 || self.n_entries > MAX_ENTRIES)
    return FALSE;
  for (guint i = 0; i < others->len; i++)
    if (is_trace (others->pdata[i]))
      return FALSE;
  return TRUE;
}
