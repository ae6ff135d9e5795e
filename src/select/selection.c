/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/select/selection.h"

#include <string.h>

#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/room.h"
#include "src/select/filter.h"

/* Answers about (process, name) pairs, found by hash; a newer pair takes the place of an older. */
#define PAIR_SLOTS TT_ROOM (65536u, 64u)

typedef struct
{
  guint32 process, name;
  gboolean matches;
} Pair;

struct _TtSelection
{
  GPtrArray *filters[TT_N_SCOPES]; /* of TtFilter */
  guint8 flags_match[1 << TT_N_FLAGS];
  gboolean has_flags;

  gboolean has_window;
  gint64 window_begin, window_end; /* from the first event; G_MININT64, G_MAXINT64: open */
  gint64 first_ns, begin_ns, end_ns;

  /* By id: whether the name and the thread pass all filters that look at them alone. */
  GByteArray *names_match, *threads_match;
  gboolean asks_threads; /* filters or processes left out */

  const guint8 *kept; /* by event id - first_kept; NULL: all */
  guint64 first_kept, n_kept;

  /* For op_long_name, which is made of both. */
  TtStore *store;         /* where names are, if bound to one */
  GPtrArray *name_texts;  /* by id, if not */
  GPtrArray *thread_pids; /* by id */
  GArray *thread_processes;
  Pair *pairs;
  GString *long_name;
};

/* -- parsing ---------------------------------------------------------------------------------- */

static gboolean
parse_window_end (const char *window, const char *text, gsize len, TtUnit unit, gint64 *ns, GError **error)
{
  g_autoptr (GError) fault = NULL;
  g_autofree char *end = g_strstrip (g_strndup (text, len));

  if (*end == '\0' || tt_time_parse_as_said (end, unit, ns, &fault))
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "time window '%s': %s", window, fault->message);
  return FALSE;
}

static gboolean
parse_window (TtSelection *self, const char *window, TtUnit unit, GError **error)
{
  const char *colon = strchr (window, ':');

  if (colon == NULL || strchr (colon + 1, ':') != NULL)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "time window '%s' is not BEGIN:END, as in 0:1500 or 200:", window);
      return FALSE;
    }
  if (!parse_window_end (window, window, (gsize) (colon - window), unit, &self->window_begin, error) ||
      !parse_window_end (window, colon + 1, strlen (colon + 1), unit, &self->window_end, error))
    return FALSE;
  if (self->window_begin >= self->window_end)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "time window '%s' is empty: its end is not after its begin",
                   window);
      return FALSE;
    }
  self->has_window = TRUE;
  return TRUE;
}

static gboolean
add_filter (TtSelection *self, const char *text, TtUnit unit, GError **error)
{
  TtFilter *filter = tt_filter_new (text, unit, error);

  if (filter == NULL)
    return FALSE;
  g_ptr_array_add (self->filters[tt_filter_scope (filter)], filter);
  if (tt_filter_scope (filter) != TT_SCOPE_FLAGS)
    return TRUE;

  self->has_flags = TRUE;
  for (guint flags = 0; flags < G_N_ELEMENTS (self->flags_match); flags++)
    self->flags_match[flags] &= tt_filter_matches_flags (filter, flags);
  return TRUE;
}

TtSelection *
tt_selection_new (const char *const *filters, const char *time_window, TtUnit unit, GError **error)
{
  g_autoptr (TtSelection) self = g_new0 (TtSelection, 1);

  for (guint scope = 0; scope < TT_N_SCOPES; scope++)
    self->filters[scope] = g_ptr_array_new_with_free_func ((GDestroyNotify) tt_filter_free);
  memset (self->flags_match, 1, sizeof self->flags_match);
  self->names_match = g_byte_array_new ();
  self->threads_match = g_byte_array_new ();
  self->name_texts = g_ptr_array_new_with_free_func (g_free);
  self->thread_pids = g_ptr_array_new_with_free_func (g_free);
  self->thread_processes = g_array_new (FALSE, TRUE, sizeof (guint32));
  self->long_name = g_string_new (NULL);
  self->window_begin = G_MININT64;
  self->window_end = G_MAXINT64;

  for (; filters != NULL && *filters != NULL; filters++)
    if (!add_filter (self, *filters, unit, error))
      return NULL;
  self->asks_threads = self->filters[TT_SCOPE_THREAD]->len > 0;
  if (time_window != NULL && !parse_window (self, time_window, unit, error))
    return NULL;
  if (self->filters[TT_SCOPE_LONG_NAME]->len > 0)
    self->pairs = g_new0 (Pair, PAIR_SLOTS);
  tt_selection_bind_first_time (self, 0);
  return g_steal_pointer (&self);
}

void
tt_selection_free (TtSelection *self)
{
  if (self == NULL)
    return;
  for (guint scope = 0; scope < TT_N_SCOPES; scope++)
    g_ptr_array_unref (self->filters[scope]);
  g_byte_array_unref (self->names_match);
  g_byte_array_unref (self->threads_match);
  g_ptr_array_unref (self->name_texts);
  g_ptr_array_unref (self->thread_pids);
  g_array_unref (self->thread_processes);
  g_string_free (self->long_name, TRUE);
  g_free (self->pairs);
  g_free (self);
}

gboolean
tt_selection_is_everything (const TtSelection *self)
{
  for (guint scope = 0; scope < TT_N_SCOPES; scope++)
    if (self->filters[scope]->len > 0)
      return FALSE;
  return !self->has_window && self->kept == NULL && !self->asks_threads;
}

gboolean
tt_selection_chooses_spans (const TtSelection *self)
{
  for (guint scope = 0; scope < TT_N_SCOPES; scope++)
    if (scope != TT_SCOPE_THREAD && self->filters[scope]->len > 0)
      return TRUE;
  return FALSE;
}

gboolean
tt_selection_has_window (const TtSelection *self)
{
  return self->has_window;
}

gboolean
tt_selection_has_filters (const TtSelection *self)
{
  for (guint scope = 0; scope < TT_N_SCOPES; scope++)
    if (self->filters[scope]->len > 0)
      return TRUE;
  return FALSE;
}

/* -- binding ---------------------------------------------------------------------------------- */

static gboolean
has_filters (const TtSelection *self, TtFilterScope scope)
{
  return self->filters[scope]->len > 0;
}

static gint64
add_saturating (gint64 a, gint64 b)
{
  gint64 sum;

  if (__builtin_add_overflow (a, b, &sum))
    return b < 0 ? G_MININT64 : G_MAXINT64;
  return sum;
}

void
tt_selection_bind_first_time (TtSelection *self, gint64 first_ns)
{
  self->first_ns = first_ns;
  self->begin_ns = self->window_begin == G_MININT64 ? G_MININT64 : add_saturating (first_ns, self->window_begin);
  self->end_ns = self->window_end == G_MAXINT64 ? G_MAXINT64 : add_saturating (first_ns, self->window_end);
}

static void
set_byte (GByteArray *bytes, guint32 id, gboolean value)
{
  guint before = bytes->len;

  if (id >= before)
    {
      g_byte_array_set_size (bytes, id + 1);
      memset (bytes->data + before, 0, id + 1 - before);
    }
  bytes->data[id] = value != FALSE;
}

static void
set_text (GPtrArray *texts, guint32 id, char *text)
{
  if (id >= texts->len)
    g_ptr_array_set_size (texts, (gint) id + 1);
  g_free (texts->pdata[id]);
  texts->pdata[id] = text;
}

void
tt_selection_bind_name (TtSelection *self, guint32 id, const TtStoredName *name)
{
  GPtrArray *filters = self->filters[TT_SCOPE_NAME];
  gboolean matches = TRUE;

  for (guint i = 0; i < filters->len && matches; i++)
    matches = tt_filter_matches_name (filters->pdata[i], name);
  if (filters->len > 0)
    set_byte (self->names_match, id, matches);
  if (has_filters (self, TT_SCOPE_LONG_NAME) && self->store == NULL)
    set_text (self->name_texts, id,
              name->suffix == NULL ? g_strdup (name->text) : g_strconcat (name->text, "~>", name->suffix, NULL));
}

void
tt_selection_bind_thread (TtSelection *self, guint32 id, const TtThread *thread, const TtProcess *process)
{
  GPtrArray *filters = self->filters[TT_SCOPE_THREAD];
  gboolean matches = TRUE;

  for (guint i = 0; i < filters->len && matches; i++)
    matches = tt_filter_matches_thread (filters->pdata[i], thread, process);
  if (filters->len > 0)
    set_byte (self->threads_match, id, matches);
  if (has_filters (self, TT_SCOPE_LONG_NAME))
    {
      set_text (self->thread_pids, id, g_strdup (process->pid));
      if (id >= self->thread_processes->len)
        g_array_set_size (self->thread_processes, id + 1);
      g_array_index (self->thread_processes, guint32, id) = process->id;
    }
}

static gboolean
bind_time (TtSelection *self, TtStore *store, GError **error)
{
  g_autoptr (GError) failed = NULL;
  gint64 first_ns = 0, last_ns = 0;

  if (!tt_store_main_range (store, &first_ns, &last_ns, &failed) && failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  tt_selection_bind_first_time (self, first_ns);
  return TRUE;
}

static gboolean
bind_stored_name (const TtStoredName *name, gpointer data)
{
  tt_selection_bind_name (data, name->id, name);
  return TRUE;
}

gboolean
tt_selection_bind (TtSelection *self, TtStore *store, GError **error)
{
  guint n_threads = 0;

  self->store = store;
  if (tt_selection_is_everything (self))
    return TRUE;

  if (has_filters (self, TT_SCOPE_NAME) && !tt_store_each_name (store, bind_stored_name, self, error))
    return FALSE;

  const TtThread *threads = tt_store_threads (store, &n_threads);
  for (guint i = 0; i < n_threads; i++)
    {
      const TtProcess *process = tt_store_process (store, threads[i].process);
      if (process != NULL)
        tt_selection_bind_thread (self, threads[i].id, &threads[i], process);
    }
  return tt_failure_check (error) && bind_time (self, store, error);
}

/* -- matching --------------------------------------------------------------------------------- */

static inline gboolean
byte_set (const GByteArray *bytes, guint32 id)
{
  return id < bytes->len && bytes->data[id] != 0;
}

/* Appends "name[~>suffix]". */
static gboolean
append_name_text (const TtSelection *self, guint32 name, GString *text)
{
  if (self->store == NULL)
    {
      const char *known = name < self->name_texts->len ? self->name_texts->pdata[name] : NULL;

      g_string_append (text, known == NULL ? "" : known);
      return known != NULL;
    }

  const TtStoredName *stored = tt_store_peek_name (self->store, name);
  if (stored == NULL)
    return FALSE;
  g_string_append (text, stored->text);
  if (stored->suffix != NULL)
    g_string_append_printf (text, "~>%s", stored->suffix);
  return TRUE;
}

static gboolean
matches_long_name (const TtSelection *self, guint32 thread, guint32 name)
{
  GPtrArray *filters = self->filters[TT_SCOPE_LONG_NAME];

  if (thread >= self->thread_pids->len || self->thread_pids->pdata[thread] == NULL)
    return FALSE;

  guint32 process = g_array_index (self->thread_processes, guint32, thread);
  Pair *pair = &self->pairs[(name * 31 + process) % PAIR_SLOTS];

  if (pair->name == name && pair->process == process)
    return pair->matches;

  GString *text = self->long_name;
  g_string_assign (text, self->thread_pids->pdata[thread]);
  g_string_append (text, "->");
  if (!append_name_text (self, name, text))
    return FALSE;
  gboolean matches = TRUE;
  for (guint i = 0; i < filters->len && matches; i++)
    matches = tt_filter_matches_text (filters->pdata[i], text->str);
  *pair = (Pair){ process, name, matches };
  return matches;
}

static gboolean
matches_numbers (const TtSelection *self, const TtEvent *event)
{
  GPtrArray *filters = self->filters[TT_SCOPE_EVENT];

  for (guint i = 0; i < filters->len; i++)
    if (!tt_filter_matches_event (filters->pdata[i], event, self->first_ns))
      return FALSE;
  return TRUE;
}

/* A span overlaps the window; what has no length lies in it. */
static inline gboolean
in_window (const TtSelection *self, gint64 ts_ns, gint64 dur_ns)
{
  if (ts_ns >= self->end_ns)
    return FALSE;
  return ts_ns >= self->begin_ns || (dur_ns > 0 && add_saturating (ts_ns, dur_ns) > self->begin_ns);
}

void
tt_selection_keep (TtSelection *self, const guint8 *bits, guint64 first, guint64 n)
{
  self->kept = bits;
  self->first_kept = first;
  self->n_kept = n;
}

void
tt_selection_leave_out (TtSelection *self, GHashTable *processes)
{
  guint n;
  const TtThread *threads = tt_store_threads (self->store, &n);

  for (guint i = 0; i < n; i++)
    {
      gboolean matches = !self->asks_threads || byte_set (self->threads_match, threads[i].id);

      set_byte (self->threads_match, threads[i].id,
                matches && !g_hash_table_contains (processes, GUINT_TO_POINTER (threads[i].process)));
    }
  self->asks_threads = TRUE;
}

static gboolean
is_kept (const TtSelection *self, guint64 event)
{
  guint64 at = event - self->first_kept;

  return at < self->n_kept && (self->kept[at / 8] >> at % 8 & 1) != 0;
}

gboolean
tt_selection_has (const TtSelection *self, const TtEvent *event)
{
  return self->kept == NULL || is_kept (self, event->id);
}

gboolean
tt_selection_has_time_of (const TtSelection *self, const TtEvent *event)
{
  return tt_selection_has (self, event) && (!self->has_window || in_window (self, event->ts_ns, event->dur_ns));
}

gboolean
tt_selection_matches (const TtSelection *self, const TtEvent *event)
{
  if (!tt_selection_has (self, event))
    return FALSE;
  if (has_filters (self, TT_SCOPE_NAME) && !byte_set (self->names_match, event->name))
    return FALSE;
  if (self->asks_threads && !byte_set (self->threads_match, event->thread))
    return FALSE;
  if (self->has_flags && !self->flags_match[event->flags & (G_N_ELEMENTS (self->flags_match) - 1)])
    return FALSE;
  if (self->has_window && !in_window (self, event->ts_ns, event->dur_ns))
    return FALSE;
  if (has_filters (self, TT_SCOPE_EVENT) && !matches_numbers (self, event))
    return FALSE;
  return !has_filters (self, TT_SCOPE_LONG_NAME) || matches_long_name (self, event->thread, event->name);
}

gint64
tt_selection_clip (const TtSelection *self, gint64 ts_ns, gint64 dur_ns)
{
  if (!self->has_window || dur_ns <= 0)
    return dur_ns;

  gint64 begin = MAX (ts_ns, self->begin_ns), end = MIN (add_saturating (ts_ns, dur_ns), self->end_ns);
  return begin < end ? end - begin : 0;
}

void
tt_selection_window (const TtSelection *self, gint64 *begin_ns, gint64 *end_ns)
{
  *begin_ns = self->begin_ns;
  *end_ns = self->end_ns;
}

gboolean
tt_selection_matches_point (const TtSelection *self, guint32 thread, gint64 ts_ns)
{
  GPtrArray *filters = self->filters[TT_SCOPE_EVENT];

  if (self->asks_threads && !byte_set (self->threads_match, thread))
    return FALSE;
  for (guint i = 0; i < filters->len; i++)
    if (!tt_filter_matches_time (filters->pdata[i], ts_ns, self->first_ns))
      return FALSE;
  return !self->has_window || in_window (self, ts_ns, 0);
}

GPtrArray *
tt_selection_filters (const TtSelection *self, TtFilterScope scope)
{
  return self->filters[scope];
}
