/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/shards/directory.h"

#include "src/base/error.h"
#include "src/base/look.h"
#include "src/base/new-file.h"
#include "src/base/output.h"
#include "src/base/paths.h"
#include "src/base/progress.h"
#include "src/base/temporary-file.h"
#include "src/base/unpacked.h"
#include "src/base/version.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "tracetool shard"
#define ID_LEN 32
#define MARK "part" /* of shards that grow */

typedef struct
{
  char magic[16];
  char id[ID_LEN];
  guint64 input;
} Head;

/* -- names --------------------------------------------------------------------------------------------------------- */

gboolean
tt_shard_folder_is (const char *path)
{
  gsize len = strlen (path);

  while (len > 1 && path[len - 1] == '/')
    len--;
  g_autofree char *plain = g_strndup (path, len);
  return tt_path_has_suffix (plain, TT_SHARD_FOLDER_SUFFIX);
}

static char *
manifest_path (const char *path)
{
  return g_build_filename (path, "manifest", NULL);
}

static char *
shard_path (const char *path, guint i)
{
  g_autofree char *name = g_strdup_printf ("%06u.shard", i);

  return g_build_filename (path, name, NULL);
}

gboolean
tt_shard_folder_is_whole (const char *path)
{
  g_autofree char *manifest = manifest_path (path);

  return tt_look_test (manifest, G_FILE_TEST_EXISTS);
}

static void
add_text (GChecksum *sum, const char *text)
{
  g_checksum_update (sum, (const guchar *) text, (gssize) strlen (text) + 1);
}

char *
tt_shard_folder_id (const GPtrArray *plan, const char *words)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  add_text (sum, tt_version_build);
  add_text (sum, words);
  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *input = plan->pdata[i];
      add_text (sum, input->format->name);
      for (guint k = 0; k < input->set->paths->len; k++)
        {
          /* Of an archive, what is unpacked has another place and time in each process. */
          const char *path = tt_unpacked_archive (input->set->paths->pdata[k]);
          GStatBuf status = { 0 };
          tt_look_stat (path, &status);
          g_autofree char *facts = g_strdup_printf ("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, path,
                                                    (gint64) status.st_size, (gint64) status.st_mtime);
          add_text (sum, facts);
        }
    }
  return g_strndup (g_checksum_get_string (sum), ID_LEN);
}

/* -- a shard ------------------------------------------------------------------------------------------------------- */

static Head
head_of (const char *id, guint i)
{
  Head head = { .magic = MAGIC, .input = i };

  memcpy (head.id, id, ID_LEN);
  return head;
}

static TtShard *
open_shard (const char *path, const char *id, guint i, int *fd, GError **error)
{
  g_autofree char *file = shard_path (path, i), *name = g_strdup_printf ("the shard '%s'", file);
  const Head wanted = head_of (id, i);
  Head head;
  GStatBuf status;

  *fd = open (file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (*fd < 0 || fstat (*fd, &status) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the shard '%s' cannot be opened: %s", file, g_strerror (errno));
      return NULL;
    }
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the shard '%s' cannot be read: it is not a file", file);
      return NULL;
    }
  if ((guint64) status.st_size < sizeof head)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the shard '%s' is damaged: it ends early", file);
      return NULL;
    }
  if (!tt_file_read_named_at (*fd, name, 0, &head, sizeof head, error))
    return NULL;
  if (memcmp (&head, &wanted, sizeof head) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' is not shard %u of this import: it is of another, or of another build", file, i);
      return NULL;
    }
  return tt_shard_open (*fd, sizeof head, (guint64) status.st_size - sizeof head, name, error);
}

static gboolean
has_shard (const char *path, const char *id, guint i)
{
  int fd;
  g_autoptr (TtShard) shard = open_shard (path, id, i, &fd, NULL);

  if (fd >= 0)
    close (fd);
  return shard != NULL;
}

static gboolean
decode (const TtShardJob *job, const char *id, guint i, int fd, const char *file, guint64 *n_bytes, GError **error)
{
  const Head head = head_of (id, i);

  if (!tt_file_write_named_at (fd, file, 0, &head, sizeof head, error) ||
      !tt_shard_job_write (job, i, fd, file, sizeof head, n_bytes, error))
    return FALSE;
  *n_bytes += sizeof head;
  return TRUE;
}

/* In the scratch directory, whose file has no name; then the whole of it to @fd. */
static gboolean
decode_elsewhere (const TtShardJob *job, const char *id, guint i, int fd, const char *file, GError **error)
{
  g_autofree char *name = shard_path (job->scratch, i);
  guint64 n_bytes;
  int scratch = tt_temporary_file_in (job->scratch, error);
  gboolean done = scratch >= 0 && decode (job, id, i, scratch, name, &n_bytes, error) &&
                  tt_file_copy_named_at (scratch, fd, file, 0, n_bytes, error);

  if (scratch >= 0)
    close (scratch);
  return done;
}

static gboolean
write_shard (const char *path, const char *id, const TtShardJob *job, guint i, GError **error)
{
  g_autofree char *file = shard_path (path, i);
  guint64 n_bytes;
  int number;

  if (has_shard (path, id, i))
    return TRUE;
  g_autoptr (TtNewFile) fresh = tt_new_file_open (file, MARK, error);
  if (fresh == NULL)
    return FALSE;
  int fd = tt_new_file_descriptor (fresh);
  if (!(job->scratch == NULL ? decode (job, id, i, fd, file, &n_bytes, error)
                             : decode_elsewhere (job, id, i, fd, file, error)))
    return FALSE;
  if ((number = tt_new_file_sync (fresh)) == 0)
    number = tt_new_file_publish (fresh);
  if (number != 0)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s': %s", file, g_strerror (number));
  return number == 0;
}

gboolean
tt_shard_folder_write (const char *path, const char *id, const TtShardJob *job, guint i, GError **error)
{
  const TtPlannedInput *input = job->plan->pdata[i];
  gboolean done = write_shard (path, id, job, i, error);

  if (!done && !tt_cancelled (NULL))
    g_prefix_error (error, "%s: ", (const char *) input->set->paths->pdata[0]);
  return done;
}

gboolean
tt_shard_folder_has (const char *path, guint i)
{
  g_autofree char *file = shard_path (path, i);

  return g_file_test (file, G_FILE_TEST_IS_REGULAR);
}

void
tt_shard_folder_sweep (const char *path)
{
  tt_new_file_sweep (path, MARK);
}

TtShard *
tt_shard_folder_get (const TtShardFolder *self, guint i, GError **error)
{
  int fd;
  TtShard *shard = open_shard (self->path, self->id, i, &fd, error);

  if (shard != NULL)
    tt_shard_own_descriptor (shard);
  else if (fd >= 0)
    close (fd);
  return shard;
}

/* -- the manifest ---------------------------------------------------------------------------------------------------- */

void
tt_shard_folder_free (TtShardFolder *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->id);
  g_free (self->command);
  g_free (self->words);
  g_free (self->name_rules);
  g_clear_pointer (&self->plan, g_ptr_array_unref);
  g_clear_pointer (&self->unknown, g_ptr_array_unref);
  g_free (self);
}

/* Names of files are any bytes. */
static void
set_bytes (GKeyFile *file, const char *group, const char *key, const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_key_file_set_value (file, group, key, escaped);
}

/* NULL: it is not there. */
static char *
get_bytes (GKeyFile *file, const char *group, const char *key)
{
  g_autofree char *escaped = g_key_file_get_value (file, group, key, NULL);

  return escaped == NULL ? NULL : g_strcompress (escaped);
}

static void
set_fault (GKeyFile *file, const char *group, const GError *fault)
{
  g_key_file_set_integer (file, group, "fault-code", fault->code);
  set_bytes (file, group, "fault", fault->message);
}

static GError *
get_fault (GKeyFile *file, const char *group)
{
  g_autofree char *message = get_bytes (file, group, "fault");
  int code = g_key_file_get_integer (file, group, "fault-code", NULL);

  return message == NULL ? NULL : g_error_new_literal (TT_ERROR, code, message);
}

gboolean
tt_shard_folder_write_manifest (const TtShardFolder *self, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *manifest = manifest_path (self->path);
  gsize len;

  g_key_file_set_string (file, "import", "id", self->id);
  set_bytes (file, "import", "command", self->command);
  set_bytes (file, "import", "options", self->words);
  g_key_file_set_boolean (file, "import", "strict", self->is_strict);
  g_key_file_set_boolean (file, "import", "name-rules", self->name_rules != NULL);
  for (guint i = 0; i < self->plan->len; i++)
    {
      const TtPlannedInput *input = self->plan->pdata[i];
      g_autofree char *group = g_strdup_printf ("input %u", i);
      g_key_file_set_string (file, group, "format", input->format->name);
      set_bytes (file, group, "path", input->set->paths->pdata[0]);
      if (input->set->fault != NULL)
        set_fault (file, group, input->set->fault);
    }
  for (guint i = 0; i < self->unknown->len; i++)
    {
      const TtPathFault *unknown = self->unknown->pdata[i];
      g_autofree char *group = g_strdup_printf ("unknown %u", i);
      set_bytes (file, group, "path", unknown->path);
      set_fault (file, group, unknown->fault);
    }
  /* Last: what is cut has not both. */
  g_key_file_set_uint64 (file, "end", "inputs", self->plan->len);
  g_key_file_set_uint64 (file, "end", "unknown", self->unknown->len);
  g_autofree char *text = g_key_file_to_data (file, &len, NULL);
  return tt_output_print (manifest, text, (gssize) len, error);
}

static gboolean
read_inputs (TtShardFolder *self, GKeyFile *file, GError **error)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *group = g_strdup_printf ("input %u", i);
      if (!g_key_file_has_group (file, group))
        return TRUE;
      g_autofree char *path = get_bytes (file, group, "path"), *name = get_bytes (file, group, "format");
      const TtFormat *format = name == NULL ? NULL : tt_format_by_name (name, error);
      if (path == NULL || *path == '\0' || format == NULL)
        return FALSE;
      TtPlannedInput *input = tt_planned_input_new (format, tt_input_set_new ());
      g_ptr_array_add (input->set->paths, g_steal_pointer (&path));
      input->set->fault = get_fault (file, group);
      g_ptr_array_add (self->plan, input);
    }
}

static gboolean
read_unknown (TtShardFolder *self, GKeyFile *file)
{
  for (guint i = 0;; i++)
    {
      g_autofree char *group = g_strdup_printf ("unknown %u", i);
      if (!g_key_file_has_group (file, group))
        return TRUE;
      TtPathFault *unknown = g_new0 (TtPathFault, 1);
      g_ptr_array_add (self->unknown, unknown);
      unknown->path = get_bytes (file, group, "path");
      unknown->fault = get_fault (file, group);
      if (unknown->path == NULL || unknown->fault == NULL)
        return FALSE;
    }
}

static gboolean
has_all (const TtShardFolder *self, GKeyFile *file)
{
  return self->plan->len > 0 && g_key_file_get_uint64 (file, "end", "inputs", NULL) == self->plan->len &&
         g_key_file_has_key (file, "end", "unknown", NULL) &&
         g_key_file_get_uint64 (file, "end", "unknown", NULL) == self->unknown->len;
}

static gboolean
fail_manifest (const char *manifest, const char *why, GError **error)
{
  g_clear_error (error);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the manifest '%s' %s", manifest, why);
  return FALSE;
}

static gboolean
read_manifest (TtShardFolder *self, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *manifest = manifest_path (self->path), *text = NULL;
  gsize len;

  if (!tt_shard_folder_is_whole (self->path))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE,
                   "'%s' has no manifest: its import has not ended; the same import with '--resume' goes on with it",
                   self->path);
      return FALSE;
    }
  if (!tt_look_test (manifest, G_FILE_TEST_IS_REGULAR) || !tt_look_contents (manifest, &text, &len, error) ||
      !g_key_file_load_from_data (file, text, len, G_KEY_FILE_NONE, NULL))
    return fail_manifest (manifest, "cannot be read", error);
  self->id = get_bytes (file, "import", "id");
  self->command = get_bytes (file, "import", "command");
  self->words = get_bytes (file, "import", "options");
  self->is_strict = g_key_file_get_boolean (file, "import", "strict", NULL);
  if (g_key_file_get_boolean (file, "import", "name-rules", NULL))
    self->name_rules = g_build_filename (self->path, "name-rules.ini", NULL);
  if (self->id == NULL || strlen (self->id) != ID_LEN || self->command == NULL || self->words == NULL ||
      !read_inputs (self, file, error) || !read_unknown (self, file) || !has_all (self, file))
    return fail_manifest (manifest, "is damaged, or of another build", error);
  if (self->name_rules != NULL && !tt_look_test (self->name_rules, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the rules of names '%s' are missing", self->name_rules);
      return FALSE;
    }
  return TRUE;
}

TtShardFolder *
tt_shard_folder_open (const char *path, gboolean looks, GError **error)
{
  g_autoptr (TtShardFolder) self = g_new0 (TtShardFolder, 1);

  self->path = g_strdup (path);
  self->plan = tt_format_plan_new ();
  self->unknown = g_ptr_array_new_with_free_func (tt_path_fault_free);
  if (!read_manifest (self, error))
    return NULL;
  for (guint i = 0; looks && i < self->plan->len; i++)
    {
      const TtPlannedInput *input = self->plan->pdata[i];
      if (input->set->fault != NULL)
        continue;
      g_autoptr (TtShard) shard = tt_shard_folder_get (self, i, error);
      if (shard == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

char *
tt_shard_folder_database (const TtShardFolder *self, GError **error)
{
  g_autofree char *manifest = manifest_path (self->path), *text = NULL;
  gsize len;

  if (!tt_look_contents (manifest, &text, &len, error))
    return NULL;
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, len);
  g_autofree char *name = g_strdup_printf ("joined-%.16s.db", sum);
  return g_build_filename (self->path, name, NULL);
}
