#include "config.h"

#include "formats/format.h"

#include "formats/job/side-files.h"
#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/suggest.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define DEEPEST 64

/* To add a format: write its folder, declare its descriptor in format.h, list it here and its files in
 * local.mk. */
const TtFormat *const tt_formats[] = {
  &tt_format_tau,        &tt_format_job,
  &tt_format_pi,         &tt_format_chrome,
  &tt_format_plain, /* before its dialects, which are only for --format */
  &tt_format_standard,   &tt_format_kineto,
  &tt_format_tensorflow, &tt_format_mxnet,
  &tt_format_horovod,    &tt_format_nccl,
  &tt_format_byteps,     &tt_format_neutrino,
  &tt_format_ctf,        NULL,
};

#define N_FORMATS (G_N_ELEMENTS (tt_formats) - 1)

TtInputSet *
tt_input_set_new (void)
{
  TtInputSet *self = g_new0 (TtInputSet, 1);

  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->joined = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
tt_input_set_free (TtInputSet *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->joined);
  g_free (self->root);
  g_free (self);
}

const TtFormat *
tt_format_by_name (const char *name, GError **error)
{
  const char *names[N_FORMATS + 1] = { NULL };

  for (guint i = 0; i < N_FORMATS; i++)
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

/* NULL without @error: nobody knows it. */
static const TtFormat *
best_format (const char *path, const TtFormat *forced, guint64 *size, GError **error)
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
  for (guint i = 0; i < N_FORMATS; i++)
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

const TtFormat *
tt_format_recognise (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint64 size = 0;
  const TtFormat *best = best_format (path, NULL, &size, &local);
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

  names = g_string_new (NULL);
  for (guint i = 0; i < N_FORMATS; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", tt_formats[i]->name);
  if (size == 0)
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: the file is empty", path);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                 "%s: not a trace of a known format (%s); --format NAME reads it as one all the same", path,
                 names->str);
  g_string_free (names, TRUE);
  return NULL;
}

/* -- planning ----------------------------------------------------------------------------------------- */

typedef struct
{
  const TtFormat *forced;
  GPtrArray *plan; /* of TtPlannedInput */
  GPtrArray *notes;
  GHashTable *seen;        /* "device:inode" */
  GHashTable *directories; /* the same, of those walked */
  guint n_sets;            /* found so far; some of them are read with another */
} Planner;

static void
planned_free (gpointer data)
{
  TtPlannedInput *planned = data;

  tt_input_set_free (planned->set);
  g_free (planned);
}

static gboolean
is_new_file (GHashTable *seen, const struct stat *status)
{
  return g_hash_table_add (seen, g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) status->st_dev,
                                                  (guint64) status->st_ino));
}

/* The input of @format that @set is read with; NULL: none. */
static TtInputSet *
partner_of (const Planner *self, const TtFormat *format)
{
  for (guint i = 0; format->joins && i < self->plan->len; i++)
    {
      const TtPlannedInput *planned = self->plan->pdata[i];
      if (planned->format == format)
        return planned->set;
    }
  return NULL;
}

/* Takes @set. */
static void
join (Planner *self, TtInputSet *partner, TtInputSet *set)
{
  g_ptr_array_add (self->notes,
                   g_strdup_printf ("'%s' is read together with '%s', as one run", set->root, partner->root));
  for (guint i = 0; i < set->paths->len; i++)
    if (!g_ptr_array_find_with_equal_func (partner->paths, set->paths->pdata[i], g_str_equal, NULL))
      g_ptr_array_add (partner->paths, g_strdup (set->paths->pdata[i]));
  g_ptr_array_add (partner->joined, g_steal_pointer (&set->root));
  tt_input_set_free (set);
}

/* @paths, of one format, become its inputs. */
static gboolean
plan_group (Planner *self, const TtFormat *format, GPtrArray *paths, gboolean from_directory, GError **error)
{
  g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
  gboolean is_grouped = format->group (paths, from_directory, inputs, self->notes, error);

  self->n_sets += inputs->len;
  for (guint k = 0; k < inputs->len; k++)
    {
      TtInputSet *partner = partner_of (self, format);
      if (partner != NULL)
        {
          join (self, partner, inputs->pdata[k]);
          continue;
        }
      TtPlannedInput *planned = g_new0 (TtPlannedInput, 1);
      planned->format = format;
      planned->set = inputs->pdata[k];
      g_ptr_array_add (self->plan, planned);
    }
  return is_grouped;
}

/* The files of each format, in order, become its inputs. */
static gboolean
plan_groups (Planner *self, GPtrArray *const files[N_FORMATS], gboolean from_directory, GError **error)
{
  for (guint i = 0; i < N_FORMATS; i++)
    if (files[i]->len > 0 && !plan_group (self, tt_formats[i], files[i], from_directory, error))
      return FALSE;
  return TRUE;
}

/* The format that takes the directory @path as a whole; NULL: none does. */
static const TtFormat *
claiming_format (const Planner *self, const char *path)
{
  for (guint i = 0; i < N_FORMATS; i++)
    if (tt_formats[i]->claims != NULL && (self->forced == NULL || self->forced == tt_formats[i]) &&
        tt_formats[i]->claims (path))
      return tt_formats[i];
  return NULL;
}

static gboolean
plan_claimed (Planner *self, const TtFormat *format, const char *path, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (paths, g_strdup (path));
  return plan_group (self, format, paths, TRUE, error);
}

static void
list_file (GPtrArray *const files[N_FORMATS], const TtFormat *format, const char *path)
{
  for (guint i = 0; i < N_FORMATS; i++)
    if (tt_formats[i] == format)
      g_ptr_array_add (files[i], g_strdup (path));
}

static void
new_lists (GPtrArray *files[N_FORMATS])
{
  for (guint i = 0; i < N_FORMATS; i++)
    files[i] = g_ptr_array_new_with_free_func (g_free);
}

static void
free_lists (GPtrArray *files[N_FORMATS])
{
  for (guint i = 0; i < N_FORMATS; i++)
    g_ptr_array_unref (files[i]);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
directory_entries (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) directory = g_dir_open (path, 0, &local);
  const char *name;

  if (directory == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read the directory '%s': %s", path, local->message);
      return NULL;
    }
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_free);
  while ((name = g_dir_read_name (directory)) != NULL)
    if (name[0] != '.')
      g_ptr_array_add (entries, g_build_filename (path, name, NULL));
  g_ptr_array_sort (entries, by_text);
  return entries;
}

/* Traces lie in @path or below; other files are passed by. Links to directories are not followed. */
static gboolean
walk (Planner *self, const char *path, guint depth, GError **error)
{
  const TtFormat *claiming = claiming_format (self, path);
  if (claiming != NULL)
    return plan_claimed (self, claiming, path, error);

  g_autoptr (GPtrArray) entries = directory_entries (path, error);
  g_autoptr (GPtrArray) below = g_ptr_array_new ();
  GPtrArray *files[N_FORMATS];

  if (entries == NULL)
    return FALSE;
  new_lists (files);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *entry = entries->pdata[i];
      struct stat status;
      guint64 size;

      if (stat (entry, &status) != 0)
        continue;
      if (S_ISDIR (status.st_mode))
        {
          if (!g_file_test (entry, G_FILE_TEST_IS_SYMLINK) && depth < DEEPEST &&
              is_new_file (self->directories, &status))
            g_ptr_array_add (below, entries->pdata[i]);
          continue;
        }
      if (!S_ISREG (status.st_mode))
        continue;
      const TtFormat *format = best_format (entry, self->forced, &size, NULL);
      if (format != NULL && is_new_file (self->seen, &status))
        list_file (files, format, entry);
    }
  gboolean is_planned = plan_groups (self, files, TRUE, error);
  free_lists (files);

  for (guint i = 0; is_planned && i < below->len; i++)
    is_planned = walk (self, below->pdata[i], depth + 1, error);
  return is_planned;
}

static gboolean
plan_directory (Planner *self, const char *path, const struct stat *status, GError **error)
{
  guint n_before = self->n_sets;

  if (!is_new_file (self->directories, status))
    return TRUE;
  /* Who forces a format that takes directories means this one, unless jobs lie below. */
  if (!walk (self, path, 0, error))
    return FALSE;
  if (self->n_sets == n_before && self->forced != NULL && self->forced->claims != NULL)
    return plan_claimed (self, self->forced, path, error);
  if (self->n_sets > n_before)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "no trace files in the directory '%s'", path);
  return FALSE;
}

/* Whether @path, named by the user, is to be read as a file; a directory is planned at once. */
static gboolean
is_file_to_read (Planner *self, const char *path, gboolean *is_file, GError **error)
{
  struct stat status;

  *is_file = TRUE;
  if (strcmp (path, "-") == 0)
    return TRUE;
  if (stat (path, &status) != 0)
    {
      int saved = errno;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (saved));
      return FALSE;
    }
  if (S_ISDIR (status.st_mode))
    {
      *is_file = FALSE;
      return plan_directory (self, path, &status, error);
    }
  if (S_ISREG (status.st_mode) && !is_new_file (self->seen, &status))
    {
      g_ptr_array_add (self->notes, g_strdup_printf ("'%s' is named twice, read once", path));
      *is_file = FALSE;
    }
  return TRUE;
}

GPtrArray *
tt_format_plan (char **paths, const TtFormat *forced, GPtrArray *notes, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) directories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) plan = g_ptr_array_new_with_free_func (planned_free);
  Planner self = { .forced = forced, .plan = plan, .notes = notes, .seen = seen, .directories = directories };
  GPtrArray *files[N_FORMATS];
  gboolean is_good = TRUE;

  new_lists (files);
  for (guint i = 0; is_good && paths[i] != NULL; i++)
    {
      gboolean is_file;
      is_good = is_file_to_read (&self, paths[i], &is_file, error);
      if (!is_good || !is_file)
        continue;
      const TtFormat *format = forced != NULL ? forced : tt_format_recognise (paths[i], error);
      if (format == NULL)
        is_good = FALSE;
      else
        list_file (files, format, paths[i]);
    }
  is_good = is_good && plan_groups (&self, files, FALSE, error);
  free_lists (files);
  return is_good ? g_steal_pointer (&plan) : NULL;
}

guint64
tt_format_plan_bytes (const GPtrArray *plan)
{
  guint64 bytes = 0;

  for (guint i = 0; i < plan->len; i++)
    {
      const TtPlannedInput *planned = plan->pdata[i];
      for (guint k = 0; k < planned->set->paths->len; k++)
        {
          GStatBuf status;
          if (g_stat (planned->set->paths->pdata[k], &status) == 0 && S_ISREG (status.st_mode))
            bytes += (guint64) status.st_size;
        }
    }
  return bytes;
}
