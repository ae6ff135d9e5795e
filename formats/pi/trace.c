#include "config.h"

#include "formats/pi/trace-private.h"

#include "formats/pi/archive/archive.h"
#include "formats/pi/native.h"
#include "src/base/error.h"
#include "src/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that may stay open, with their pieces in memory. */
#define MOST_OPEN 200u

/* -- names ----------------------------------------------------------------------------------------------- */

/* What a file of calls is called. */
static const struct
{
  const char *suffix;
  const char *whole; /* NULL: the thread's name is before the suffix */
  TtPiGeneration generation;
} call_files[] = {
  { TT_PI_NATIVE_SUFFIX, NULL, TT_PI_GENERATION_NATIVE },
  { ".pi_trace", NULL, TT_PI_GENERATION_G3 },
  { ".trace", NULL, TT_PI_GENERATION_UNKNOWN },
  { "trace.data", "main", TT_PI_GENERATION_UNKNOWN },
};

/* The thread whose calls the file @name has; NULL: it has none. Free it. */
static char *
thread_of_file (const char *name, TtPiGeneration *by_name)
{
  for (guint i = 0; i < G_N_ELEMENTS (call_files); i++)
    {
      const char *suffix = call_files[i].suffix;
      if (call_files[i].whole != NULL ? strcmp (name, suffix) != 0
                                      : !g_str_has_suffix (name, suffix) || strlen (name) == strlen (suffix))
        continue;
      *by_name = call_files[i].generation;
      return call_files[i].whole != NULL ? g_strdup (call_files[i].whole)
                                         : g_strndup (name, strlen (name) - strlen (suffix));
    }
  return NULL;
}

int
tt_pi_thread_name_compare (const char *a, const char *b)
{
  gboolean a_main = strcmp (a, "main") == 0 || g_str_has_prefix (a, "main_");
  gboolean b_main = strcmp (b, "main") == 0 || g_str_has_prefix (b, "main_");

  if (a_main != b_main)
    return a_main ? -1 : 1;
  while (*a != '\0' && *b != '\0')
    {
      if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
        {
          gsize a_len = strspn (a, "0123456789"), b_len = strspn (b, "0123456789");
          int order = a_len != b_len ? (a_len < b_len ? -1 : 1) : strncmp (a, b, a_len);
          if (order != 0)
            return order;
          a += a_len;
          b += b_len;
        }
      else if (*a != *b)
        return (guchar) *a < (guchar) *b ? -1 : 1;
      else
        {
          a++;
          b++;
        }
    }
  return *a != '\0' ? 1 : *b != '\0' ? -1 : 0;
}

static int
by_thread_name (gconstpointer a, gconstpointer b)
{
  return tt_pi_thread_name_compare ((*(TtPiThread *const *) a)->name, (*(TtPiThread *const *) b)->name);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* -- warnings -------------------------------------------------------------------------------------------------- */

void
tt_pi_trace_warn (TtPiTrace *self,
                  TtPiWarn kind,
                  guint32 detail,
                  const char *path,
                  guint64 offset,
                  guint64 record,
                  const char *format,
                  ...)
{
  guint64 key = (guint64) kind << 32 | detail;
  TtPiWarning *warning = g_hash_table_lookup (self->warned, &key);
  va_list args;

  if (warning == NULL)
    {
      warning = g_new0 (TtPiWarning, 1);
      warning->kind = kind;
      va_start (args, format);
      warning->text = g_strdup_vprintf (format, args);
      va_end (args);
      warning->path = g_strdup (path);
      warning->offset = offset;
      warning->record = record;
      g_ptr_array_add (self->warnings, warning);
      g_hash_table_insert (self->warned, g_memdup2 (&key, sizeof key), warning);
    }
  warning->count++;
}

static void
warning_free (gpointer data)
{
  TtPiWarning *warning = data;

  g_free (warning->text);
  g_free (warning->path);
  g_free (warning);
}

const GPtrArray *
tt_pi_trace_warnings (const TtPiTrace *self)
{
  return self->warnings;
}

/* -- opening ----------------------------------------------------------------------------------------------------- */

static void
thread_free (gpointer data)
{
  TtPiThread *thread = data;

  g_free (thread->name);
  g_free (thread->path);
  g_free (thread->file);
  g_free (thread);
}

/* Takes @name. */
static TtPiThread *
add_thread (TtPiTrace *self, char *name, const char *path, const char *file, guint64 size, TtPiGeneration by_name)
{
  TtPiThread *thread = g_new0 (TtPiThread, 1);

  thread->name = name;
  thread->path = g_strdup (path);
  thread->file = g_strdup (file);
  thread->size = size;
  thread->by_name = by_name;
  thread->listed_at = self->threads->len;
  g_ptr_array_add (self->threads, thread);
  return thread;
}

/* Only regular files are opened; a link may lead anywhere. */
static void
add_file (TtPiTrace *self, const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
  g_autofree char *thread = thread_of_file (name, &by_name);
  struct stat status;

  if (thread == NULL)
    g_ptr_array_add (self->side_names, g_strdup (name));
  else if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
    tt_pi_trace_warn (self, TT_PI_WARN_LEFT_ASIDE, self->warnings->len, path, G_MAXUINT64, G_MAXUINT64,
                      "no regular file; left out");
  else
    add_thread (self, g_steal_pointer (&thread), path, path, (guint64) status.st_size, by_name);
}

/* Names in @directory/@below, which is "buffers" or "pack". */
static void
list_below (TtPiTrace *self, const char *directory, const char *below)
{
  g_autofree char *path = g_build_filename (directory, below, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (self->side_names, g_build_filename (below, name, NULL));
}

static gboolean
open_directory (TtPiTrace *self, const char *path, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &local);
  const char *name;

  if (dir == NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot read the directory '%s': %s", path, local->message);
      return FALSE;
    }
  self->directory = g_strdup (path);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (strcmp (name, "buffers") == 0 || strcmp (name, "pack") == 0)
      list_below (self, path, name);
    else
      add_file (self, path, name);
  if (self->threads->len > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
               "%s: no calls here: no file THREAD.ttpi, THREAD.pi_trace or THREAD.trace", path);
  return FALSE;
}

static gboolean
open_archive (TtPiTrace *self, const char *path, GError **error)
{
  self->archive = tt_pi_archive_read (path, error);
  if (self->archive == NULL)
    return FALSE;
  for (guint i = 0; i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
      char *thread = thread_of_file (entry->name, &by_name);
      if (thread == NULL || strchr (entry->name, '/') != NULL)
        {
          g_ptr_array_add (self->side_names, g_strdup (entry->name));
          g_free (thread);
          continue;
        }
      g_autofree char *shown = g_strdup_printf ("%s: %s", path, entry->name);
      TtPiThread *added = add_thread (self, thread, shown, path, entry->size, by_name);
      added->base = entry->at;
      added->packed = entry->packed_size;
    }
  if (self->threads->len > 0)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: no calls in this packed trace", path);
  return FALSE;
}

static gboolean
open_file (TtPiTrace *self, const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  TtPiGeneration by_name = TT_PI_GENERATION_UNKNOWN;
  char *thread = thread_of_file (name, &by_name);
  guint8 head[4096];
  guint64 size = 0;
  struct stat status;

  gssize n = tt_input_peek (path, head, sizeof head, &size, error);
  if (n < 0 || stat (path, &status) != 0)
    {
      g_free (thread);
      return FALSE;
    }
  if (thread == NULL && tt_pi_archive_probe (head, (gsize) n, size))
    return open_archive (self, path, error);
  if (n >= 8 && memcmp (head, TT_PI_NATIVE_MAGIC, 8) == 0)
    by_name = TT_PI_GENERATION_NATIVE;
  add_thread (self, thread != NULL ? thread : g_strdup (name), path, path, (guint64) status.st_size, by_name);
  return TRUE;
}

/* The directory that a single file lies in has its side files, but other threads too: it is not asked. */
static gboolean
open_path (TtPiTrace *self, const char *path, GError **error)
{
  struct stat status;

  if (stat (path, &status) != 0)
    {
      int saved = errno;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot open '%s': %s", path, g_strerror (saved));
      return FALSE;
    }
  if (S_ISDIR (status.st_mode))
    return open_directory (self, path, error);
  return open_file (self, path, error);
}

/* -- threads -------------------------------------------------------------------------------------------------------- */

static int
find_thread (const TtPiTrace *self, const char *name, gsize len)
{
  for (guint i = 0; i < self->threads->len; i++)
    {
      const TtPiThread *thread = self->threads->pdata[i];
      if (strlen (thread->name) == len && strncmp (thread->name, name, len) == 0)
        return (int) i;
    }
  return -1;
}

/* main_0_1 was created by main_0; where that made no calls, the nearest one before it that did. */
static int
parent_of (const TtPiTrace *self, const char *name)
{
  gsize len = strlen (name);

  for (;;)
    {
      gsize digits = 0;
      while (digits < len && g_ascii_isdigit (name[len - 1 - digits]))
        digits++;
      if (digits == 0 || digits + 1 >= len || name[len - 1 - digits] != '_')
        return -1;
      len -= digits + 1;
      int parent = find_thread (self, name, len);
      if (parent >= 0)
        return parent;
    }
}

/* Files of another generation than the largest are of another run. */
static void
leave_out_others (TtPiTrace *self)
{
  const TtPiThread *largest = self->threads->pdata[0];

  for (guint i = 1; i < self->threads->len; i++)
    {
      const TtPiThread *thread = self->threads->pdata[i];
      if (thread->size > largest->size)
        largest = thread;
    }
  TtPiGeneration by_name = largest->by_name;
  for (guint i = 0; i < self->threads->len;)
    {
      const TtPiThread *thread = self->threads->pdata[i];
      if (thread->by_name == by_name)
        {
          i++;
          continue;
        }
      tt_pi_trace_warn (self, TT_PI_WARN_LEFT_ASIDE, self->warnings->len, thread->path, G_MAXUINT64, G_MAXUINT64,
                        "another generation than the largest file, so of another run; left out");
      g_ptr_array_remove_index (self->threads, i);
    }
}

static void
order_threads (TtPiTrace *self)
{
  guint n;

  leave_out_others (self);
  n = self->threads->len;
  g_ptr_array_sort (self->threads, by_thread_name);
  self->directory_order = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      TtPiThread *thread = self->threads->pdata[i];
      guint at = 0;
      thread->parent = parent_of (self, thread->name);
      for (guint k = 0; k < n; k++)
        at += ((TtPiThread *) self->threads->pdata[k])->listed_at < thread->listed_at;
      self->directory_order[at] = i;
    }
}

TtPiTrace *
tt_pi_trace_list (const char *path, const TtPiOptions *options, GError **error)
{
  g_autoptr (TtPiTrace) self = g_new0 (TtPiTrace, 1);

  self->path = g_strdup (path);
  self->options = *options;
  self->threads = g_ptr_array_new_with_free_func (thread_free);
  self->side_names = g_ptr_array_new_with_free_func (g_free);
  self->warnings = g_ptr_array_new_with_free_func (warning_free);
  self->warned = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (!open_path (self, path, error))
    return NULL;
  g_ptr_array_sort (self->side_names, by_text);
  g_ptr_array_add (self->side_names, NULL);
  order_threads (self);
  return g_steal_pointer (&self);
}

TtPiTrace *
tt_pi_trace_open (const char *path, const TtPiOptions *options, GError **error)
{
  g_autoptr (TtPiTrace) self = tt_pi_trace_list (path, options, error);

  if (self == NULL || !tt_pi_trace_detect (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_pi_trace_free (TtPiTrace *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->description);
  g_free (self->directory);
  g_free (self->directory_order);
  g_ptr_array_unref (self->threads);
  g_ptr_array_unref (self->side_names);
  g_clear_pointer (&self->archive, g_ptr_array_unref);
  g_hash_table_unref (self->warned);
  g_ptr_array_unref (self->warnings);
  g_free (self);
}

void
tt_pi_thread_window (const TtPiTrace *self, guint thread, TtPiWindow *window)
{
  const TtPiThread *file = self->threads->pdata[thread];
  gboolean stays_open = self->threads->len <= MOST_OPEN;

  if (file->packed > 0)
    tt_pi_window_init_packed (window, file->file, file->base, file->packed, file->size, stays_open);
  else
    tt_pi_window_init (window, file->file, file->base, file->size, stays_open);
}

/* -- side files ------------------------------------------------------------------------------------------------------ */

static GBytes *
window_bytes (TtPiWindow *window, gsize limit, GError **error)
{
  gsize len = (gsize) MIN (window->size, limit);
  const guint8 *bytes = len == 0 ? (const guint8 *) "" : tt_pi_window_need (window, len, error);

  return bytes == NULL ? NULL : g_bytes_new (bytes, len);
}

static GBytes *
archived_file (TtPiTrace *self, const char *name, gsize limit, GError **error)
{
  for (guint i = 0; i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      if (strcmp (entry->name, name) != 0)
        continue;
      g_auto (TtPiWindow) window = { .fd = -1 };
      tt_pi_window_init_packed (&window, self->path, entry->at, entry->packed_size, entry->size, TRUE);
      return window_bytes (&window, limit, error);
    }
  return NULL;
}

/* Names come from files of the trace: none leads out of it. */
static gboolean
is_inside (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] == '\0' || strcmp (parts[i], "..") == 0)
      return FALSE;
  return parts[0] != NULL;
}

GBytes *
tt_pi_trace_side_file (TtPiTrace *self, const char *name, gsize limit, GError **error)
{
  struct stat status;

  if (!is_inside (name))
    return NULL;
  if (self->archive != NULL)
    return archived_file (self, name, limit, error);
  if (self->directory == NULL)
    return NULL;
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  if (lstat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return NULL;
  g_auto (TtPiWindow) window = { .fd = -1 };
  tt_pi_window_init (&window, path, 0, (guint64) status.st_size, TRUE);
  return window_bytes (&window, limit, error);
}

guint64
tt_pi_trace_side_size (TtPiTrace *self, const char *name)
{
  struct stat status;

  for (guint i = 0; self->archive != NULL && i < self->archive->len; i++)
    {
      const TtPiArchived *entry = self->archive->pdata[i];
      if (strcmp (entry->name, name) == 0)
        return entry->size;
    }
  if (self->directory == NULL || !is_inside (name))
    return G_MAXUINT64;
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  return lstat (path, &status) == 0 && S_ISREG (status.st_mode) ? (guint64) status.st_size : G_MAXUINT64;
}

const char *const *
tt_pi_trace_side_files (const TtPiTrace *self)
{
  return (const char *const *) self->side_names->pdata;
}

/* -- what is asked ------------------------------------------------------------------------------------------------------ */

const char *
tt_pi_trace_path (const TtPiTrace *self)
{
  return self->path;
}

TtPiGeneration
tt_pi_trace_generation (const TtPiTrace *self)
{
  return self->generation;
}

const char *
tt_pi_trace_description (const TtPiTrace *self)
{
  return self->description;
}

TtPiIds
tt_pi_trace_ids (const TtPiTrace *self)
{
  return self->ids;
}

guint
tt_pi_trace_n_threads (const TtPiTrace *self)
{
  return self->threads->len;
}

static const TtPiThread *
thread_at (const TtPiTrace *self, guint thread)
{
  return self->threads->pdata[thread];
}

const char *
tt_pi_trace_thread_name (const TtPiTrace *self, guint thread)
{
  return thread_at (self, thread)->name;
}

int
tt_pi_trace_thread_parent (const TtPiTrace *self, guint thread)
{
  return thread_at (self, thread)->parent;
}

const char *
tt_pi_trace_thread_path (const TtPiTrace *self, guint thread)
{
  return thread_at (self, thread)->path;
}

guint64
tt_pi_trace_thread_bytes (const TtPiTrace *self, guint thread)
{
  return thread_at (self, thread)->size;
}

const guint *
tt_pi_trace_directory_order (const TtPiTrace *self)
{
  return self->directory_order;
}

gboolean
tt_pi_trace_probe (const char *path)
{
  const TtPiOptions options = { .ids = -1 };
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &options, NULL);

  return trace != NULL && trace->generation != TT_PI_GENERATION_UNKNOWN;
}
