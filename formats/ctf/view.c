/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/view.h"

#include "formats/ctf/metadata.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/look.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

struct _TtCtfView
{
  char *path;
  GPtrArray *files; /* in it */
};

/* It is not the trace's fault: no reason to go on without it. */
static TtCtfView *
fail_io (const char *path, const char *place, const char *why, GError **error)
{
  GError *failure =
      g_error_new (TT_ERROR, TT_ERROR_INPUT, "%s: cannot prepare '%s' for babeltrace2: %s; TMPDIR names another place",
                   path, place, why);

  tt_failure_leave (g_error_copy (failure));
  g_propagate_error (error, failure);
  return NULL;
}

static gboolean
link_file (TtCtfView *self, const char *file)
{
  g_autofree char *target = g_canonicalize_filename (file, NULL);
  g_autofree char *name = g_path_get_basename (file);
  char *link = g_build_filename (self->path, name, NULL);

  g_ptr_array_add (self->files, link);
  return symlink (target, link) == 0;
}

TtCtfView *
tt_ctf_view_new (const char *path, const char *text, char *const *files, guint n_files, GError **error)
{
  g_autoptr (TtCtfView) self = g_new0 (TtCtfView, 1);
  g_autoptr (GError) local = NULL;
  char *metadata;

  self->files = g_ptr_array_new_with_free_func (g_free);
  self->path = g_dir_make_tmp ("tracetool-ctf-XXXXXX", NULL);
  if (self->path == NULL)
    return fail_io (path, g_get_tmp_dir (), g_strerror (errno), error);
  metadata = g_build_filename (self->path, TT_CTF_METADATA, NULL);
  g_ptr_array_add (self->files, metadata);
  if (!g_file_set_contents_full (metadata, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, &local))
    return fail_io (path, self->path, local->message, error);
  for (guint i = 0; i < n_files; i++)
    if (!link_file (self, files[i]))
      return fail_io (path, self->path, g_strerror (errno), error);
  return g_steal_pointer (&self);
}

char *
tt_ctf_view_add_cut (TtCtfView *self, const char *file, gsize len, GError **error)
{
  g_autoptr (GMappedFile) whole = tt_look_map (file, error);
  g_autoptr (GError) local = NULL;
  g_autofree char *name = g_path_get_basename (file);
  char *copy = g_build_filename (self->path, name, NULL);

  g_ptr_array_add (self->files, copy);
  if (whole == NULL)
    return NULL;
  len = MIN (len, g_mapped_file_get_length (whole));
  if (g_file_set_contents_full (copy, g_mapped_file_get_contents (whole), (gssize) len, G_FILE_SET_CONTENTS_NONE, 0600,
                                &local))
    return copy;
  fail_io (file, self->path, local->message, error);
  return NULL;
}

void
tt_ctf_view_free (TtCtfView *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->files->len; i++)
    g_unlink (self->files->pdata[i]);
  if (self->path != NULL)
    g_rmdir (self->path);
  g_ptr_array_unref (self->files);
  g_free (self->path);
  g_free (self);
}

const char *
tt_ctf_view_path (const TtCtfView *self)
{
  return self->path;
}
