/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* The threads of a trace in the order of their names, and what is known of it as a whole. */
#include "formats/pi/trace-private.h"

#include <string.h>

/* Files that may stay open, with their pieces in memory. */
#define MAX_OPEN_FILES 200u

/* -- the order of threads ----------------------------------------------------------------------------------- */

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
      tt_pi_trace_warn (self, TT_PI_WARN_LEFT_ASIDE, self->warnings->len, &TT_PI_WHOLE_FILE (thread->path),
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

/* -- a trace ------------------------------------------------------------------------------------------------- */

static void
thread_free (gpointer data)
{
  TtPiThread *thread = data;

  g_free (thread->name);
  g_free (thread->path);
  g_free (thread->file);
  g_free (thread);
}

static int
by_text (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

TtPiTrace *
tt_pi_trace_list (const char *path, const TtPiOptions *options, GError **error)
{
  g_autoptr (TtPiTrace) self = g_new0 (TtPiTrace, 1);

  self->path = g_strdup (path);
  self->options = *options;
  self->threads = g_ptr_array_new_with_free_func (thread_free);
  self->side_names = g_ptr_array_new_with_free_func (g_free);
  self->warnings = g_ptr_array_new_with_free_func (tt_pi_warning_free);
  self->warned = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (!tt_pi_trace_find_files (self, error))
    return NULL;
  g_ptr_array_sort (self->side_names, by_text);
  g_ptr_array_add (self->side_names, NULL);
  order_threads (self);
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
  gboolean stays_open = self->threads->len <= MAX_OPEN_FILES;

  if (file->packed > 0)
    tt_pi_window_init_packed (window, file->file, file->base, file->packed, file->size, stays_open);
  else
    tt_pi_window_init (window, file->file, file->base, file->size, stays_open);
}

void
tt_pi_trace_tell_times (TtPiTrace *self, TtPiTimesOfCommand func, gpointer data)
{
  self->times_func = func;
  self->times_data = data;
}

/* -- what is known of it --------------------------------------------------------------------------------------- */

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

const guint *
tt_pi_trace_directory_order (const TtPiTrace *self)
{
  return self->directory_order;
}
