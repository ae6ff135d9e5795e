/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/plan.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/base/unpacked.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_DEPTH 64

typedef struct
{
  const TtFormat *forced;
  GPtrArray *plan; /* of TtPlannedInput */
  GPtrArray *notes;
  GPtrArray *faults;       /* of TtPathFault, or NULL */
  GHashTable *seen;        /* "device:inode" */
  GHashTable *directories; /* likewise, of those walked */
  guint n_sets;            /* found so far; some of them are read with another */
} Planner;

static void
planned_free (gpointer data)
{
  TtPlannedInput *planned = data;

  tt_input_set_free (planned->set);
  g_free (planned);
}

GPtrArray *
tt_format_plan_new (void)
{
  return g_ptr_array_new_with_free_func (planned_free);
}

TtPlannedInput *
tt_planned_input_new (const TtFormat *format, TtInputSet *set)
{
  TtPlannedInput *self = g_new0 (TtPlannedInput, 1);

  self->format = format;
  self->set = set;
  return self;
}

void
tt_path_fault_free (gpointer data)
{
  TtPathFault *self = data;

  g_free (self->path);
  g_clear_error (&self->fault);
  g_free (self);
}

/* Takes @fault; FALSE: it is that of the plan. */
static gboolean
note_fault (const Planner *self, const char *path, GError *fault, GError **error)
{
  if (self->faults == NULL || !tt_look_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  TtPathFault *kept = g_new0 (TtPathFault, 1);
  kept->path = g_strdup (path);
  kept->fault = fault;
  g_ptr_array_add (self->faults, kept);
  return TRUE;
}

static gboolean
is_new_file (GHashTable *seen, const struct stat *status)
{
  return g_hash_table_add (seen, g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) status->st_dev,
                                                  (guint64) status->st_ino));
}

/* The input of @format that @set is read with; NULL: none. */
static TtInputSet *
find_partner (const Planner *self, const TtFormat *format)
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
join_partner (Planner *self, TtInputSet *partner, TtInputSet *set)
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
      TtInputSet *partner = find_partner (self, format);
      if (partner != NULL)
        {
          join_partner (self, partner, inputs->pdata[k]);
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
plan_groups (Planner *self, GPtrArray *const files[TT_N_FORMATS], gboolean from_directory, GError **error)
{
  for (guint i = 0; i < TT_N_FORMATS; i++)
    if (files[i]->len > 0 && !plan_group (self, tt_formats[i], files[i], from_directory, error))
      return FALSE;
  return TRUE;
}

static gboolean
is_trace (const char *path)
{
  return tt_format_recognise (path, NULL) != NULL;
}

/* The format that takes the directory @path as a whole; NULL: none does. */
static const TtFormat *
claiming_format (const Planner *self, const char *path)
{
  for (guint i = 0; i < TT_N_FORMATS; i++)
    if (tt_formats[i]->claims != NULL && (self->forced == NULL || self->forced == tt_formats[i]) &&
        tt_formats[i]->claims (path, is_trace))
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
list_file (GPtrArray *const files[TT_N_FORMATS], const TtFormat *format, const char *path)
{
  for (guint i = 0; i < TT_N_FORMATS; i++)
    if (tt_formats[i] == format)
      g_ptr_array_add (files[i], g_strdup (path));
}

static void
new_lists (GPtrArray *files[TT_N_FORMATS])
{
  for (guint i = 0; i < TT_N_FORMATS; i++)
    files[i] = g_ptr_array_new_with_free_func (g_free);
}

static void
free_lists (GPtrArray *files[TT_N_FORMATS])
{
  for (guint i = 0; i < TT_N_FORMATS; i++)
    g_ptr_array_unref (files[i]);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
directory_entries (const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) directory = tt_look_folder (path, &local);
  const char *name;

  if (directory == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read the directory '%s': %s", path, local->message);
      return NULL;
    }
  GPtrArray *entries = g_ptr_array_new_with_free_func (g_free);
  while ((name = tt_look_next (directory, path)) != NULL)
    if (name[0] != '.')
      g_ptr_array_add (entries, g_build_filename (path, name, NULL));
  g_ptr_array_sort (entries, compare_texts);
  return entries;
}

/* Named as traces are, but nothing that is known. */
static gboolean
is_called_trace (const char *path)
{
  static const char *const suffixes[] = { ".json", ".trc", ".pftrace", ".nsys-rep.sqlite" };
  g_autofree char *plain = g_strdup (path);

  tt_path_cut_packing (plain);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (tt_path_has_suffix (plain, suffixes[i]))
      return TRUE;
  return FALSE;
}

/* Begins with nothing: what a full disk or a crash leaves of a trace. */
static gboolean
is_ruined (const char *path, guint64 size)
{
  guint8 head[TT_PROBE_BYTES];
  gssize n = size == 0 ? 0 : tt_input_peek (path, head, sizeof head, NULL, NULL);

  for (gssize i = 0; i < n; i++)
    if (head[i] != 0)
      return FALSE;
  return n >= 0;
}

static void
note_ruined (const Planner *self, const char *path)
{
  GError *fault = NULL;

  g_set_error (&fault, TT_ERROR, TT_ERROR_FORMAT, "%s: empty, or nothing but zeros", path);
  note_fault (self, path, fault, NULL);
}

static void
note_unknown (Planner *self, const GPtrArray *unknown)
{
  if (unknown->len == 1)
    g_ptr_array_add (self->notes, g_strdup_printf ("'%s' left aside: no trace that tracetool knows",
                                                   (const char *) unknown->pdata[0]));
  else if (unknown->len > 1)
    g_ptr_array_add (self->notes, g_strdup_printf ("'%s' and %u more left aside: no traces that tracetool knows",
                                                   (const char *) unknown->pdata[0], unknown->len - 1));
}

/* Finds traces in @path and below; skips other files. Links to directories are not followed. */
static gboolean
walk_directory (Planner *self, const char *path, guint depth, GError **error)
{
  const TtFormat *claiming = claiming_format (self, path);
  if (claiming != NULL)
    return plan_claimed (self, claiming, path, error);

  g_autoptr (GPtrArray) entries = directory_entries (path, error);
  g_autoptr (GPtrArray) below = g_ptr_array_new (), unknown = g_ptr_array_new ();
  GPtrArray *files[TT_N_FORMATS];

  if (entries == NULL)
    return FALSE;
  new_lists (files);
  for (guint i = 0; i < entries->len; i++)
    {
      const char *entry = entries->pdata[i];
      struct stat status;
      guint64 size;

      if (tt_look_stat (entry, &status) != 0)
        continue;
      if (S_ISDIR (status.st_mode))
        {
          if (!tt_look_test (entry, G_FILE_TEST_IS_SYMLINK) && depth < MAX_DEPTH &&
              is_new_file (self->directories, &status))
            g_ptr_array_add (below, entries->pdata[i]);
          continue;
        }
      if (!S_ISREG (status.st_mode))
        continue;
      const TtFormat *format = tt_format_best (entry, self->forced, &size, NULL);
      if (format != NULL && is_new_file (self->seen, &status))
        list_file (files, format, entry);
      else if (format == NULL && self->forced == NULL && is_called_trace (entry) && self->faults != NULL &&
               is_ruined (entry, (guint64) status.st_size))
        note_ruined (self, entry);
      else if (format == NULL && self->forced == NULL && is_called_trace (entry))
        g_ptr_array_add (unknown, entries->pdata[i]);
    }
  note_unknown (self, unknown);
  gboolean is_planned = plan_groups (self, files, TRUE, error);
  free_lists (files);

  for (guint i = 0; is_planned && i < below->len; i++)
    is_planned = walk_directory (self, below->pdata[i], depth + 1, error);
  return is_planned;
}

static gboolean
plan_directory (Planner *self, const char *path, const struct stat *status, GError **error)
{
  guint n_before = self->n_sets;

  if (!is_new_file (self->directories, status))
    return TRUE;
  /* A forced format that takes directories is meant for this one, unless claimed directories lie below. */
  if (!walk_directory (self, path, 0, error))
    return FALSE;
  if (self->n_sets == n_before && self->forced != NULL && self->forced->claims != NULL)
    return plan_claimed (self, self->forced, path, error);
  if (self->n_sets > n_before)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "no trace files in the directory '%s'", path);
  return FALSE;
}

/* As the folder that it is packed from. */
static gboolean
plan_archive (Planner *self, const char *path, GError **error)
{
  guint n_left_out;
  const char *folder = tt_unpacked_folder (path, &n_left_out, error);
  struct stat status;

  if (folder == NULL)
    return FALSE;
  if (n_left_out > 0)
    g_ptr_array_add (self->notes, g_strdup_printf ("%s: %u link%s and other members that are no files left out", path,
                                                   n_left_out, n_left_out == 1 ? "" : "s"));
  if (tt_look_stat (folder, &status) == 0)
    return plan_directory (self, folder, &status, error);
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' has gone", folder);
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
  if (tt_look_stat (path, &status) != 0)
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
  else if (S_ISREG (status.st_mode) && tt_unpacked_is_archive (path))
    {
      *is_file = FALSE;
      return plan_archive (self, path, error);
    }
  return TRUE;
}

GPtrArray *
tt_format_plan (char **paths, const TtFormat *forced, GPtrArray *notes, GPtrArray *faults, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) directories = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) plan = g_ptr_array_new_with_free_func (planned_free);
  Planner self = {
    .forced = forced, .plan = plan, .notes = notes, .faults = faults, .seen = seen, .directories = directories
  };
  GPtrArray *files[TT_N_FORMATS];
  gboolean is_good = TRUE;

  new_lists (files);
  for (guint i = 0; is_good && paths[i] != NULL; i++)
    {
      gboolean is_file;
      is_good = is_file_to_read (&self, paths[i], &is_file, error);
      if (!is_good || !is_file)
        continue;
      GError *fault = NULL;
      const TtFormat *format = forced != NULL ? forced : tt_format_recognise (paths[i], &fault);
      if (format == NULL)
        is_good = note_fault (&self, paths[i], fault, error);
      else
        list_file (files, format, paths[i]);
    }
  is_good = is_good && plan_groups (&self, files, FALSE, error);
  free_lists (files);
  return is_good ? g_steal_pointer (&plan) : NULL;
}

guint
tt_format_plan_alike (const GPtrArray *plan, const TtFormat *format)
{
  guint n = 0;

  for (guint i = 0; i < plan->len; i++)
    n += ((const TtPlannedInput *) plan->pdata[i])->format == format;
  return n;
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
          if (tt_look_stat (planned->set->paths->pdata[k], &status) == 0 && S_ISREG (status.st_mode))
            bytes += (guint64) status.st_size;
        }
    }
  return bytes;
}
