/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/hash-ahead.h"

#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/readers.h"

#define PAYS_FROM_BYTES ((guint64) 4 << 20)

typedef struct
{
  char *hash; /* NULL: not taken, or an error */
  GError *error;
  guint64 disk_bytes;
} File;

struct _TtHashAhead
{
  const GPtrArray *paths;
  File *files;
  GThread *thread; /* has the files; NULL: none */
  gint is_stopped;
};

TtHashAhead *
tt_hash_ahead_new (const GPtrArray *paths)
{
  TtHashAhead *self = g_new0 (TtHashAhead, 1);

  self->paths = paths;
  self->files = g_new0 (File, paths->len);
  return self;
}

void
tt_hash_ahead_free (TtHashAhead *self)
{
  if (self == NULL)
    return;
  g_atomic_int_set (&self->is_stopped, TRUE);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  for (guint i = 0; i < self->paths->len; i++)
    {
      g_free (self->files[i].hash);
      g_clear_error (&self->files[i].error);
    }
  g_free (self->files);
  g_free (self);
}

static void
hash_file (TtHashAhead *self, guint i)
{
  File *file = &self->files[i];
  g_autoptr (TtInput) input = tt_input_open (self->paths->pdata[i], &file->error);

  if (input == NULL)
    return;
  file->hash = tt_input_hash_until (input, &self->is_stopped, &file->error);
  file->disk_bytes = tt_input_disk_bytes (input);
}

static gpointer
hash_all (gpointer data)
{
  TtHashAhead *self = data;

  for (guint i = 0; i < self->paths->len && !g_atomic_int_get (&self->is_stopped); i++)
    hash_file (self, i);
  return NULL;
}

void
tt_hash_ahead_start (TtHashAhead *self)
{
  guint64 n_bytes = 0;
  guint n_threads;

  for (guint i = 0; i < self->paths->len; i++)
    {
      struct stat facts;
      if (tt_look_stat (self->paths->pdata[i], &facts) == 0)
        n_bytes += (guint64) MAX (facts.st_size, 0);
    }
  gboolean is_asked = tt_readers_wanted (1, &n_threads);
  if (n_threads > 0 && (is_asked || n_bytes >= PAYS_FROM_BYTES))
    self->thread = g_thread_try_new ("hasher", hash_all, self, NULL);
}

char *
tt_hash_ahead_take (TtHashAhead *self, guint i, guint64 *disk_bytes, GError **error)
{
  File *file = &self->files[i];

  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
  if (file->hash == NULL && file->error == NULL)
    hash_file (self, i);
  *disk_bytes = file->disk_bytes;
  if (file->error != NULL)
    g_propagate_error (error, g_steal_pointer (&file->error));
  return g_steal_pointer (&file->hash);
}
