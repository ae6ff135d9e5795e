/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/print/walk.h"

#include "src/base/error.h"
#include "src/base/glob.h"
#include "src/base/progress.h"
#include "src/base/suggest.h"

#include <string.h>

/* Calls between two looks at Ctrl-C. */
#define CANCEL_EVERY 4096

typedef struct
{
  TtPiWalk base; /* must be first */
  const TtPiChoice *choice;
  gboolean *is_chosen; /* by thread */
  TtPiMerge *merge;    /* NULL: one thread's file is read */
  TtPiReader *reader;  /* NULL: they are merged */
  TtPiCall call;       /* of the reader */
  TtPiHandles *handles;
} Walk;

/* -- choices --------------------------------------------------------------------------------------------- */

static gboolean
parse_bound (const char *text, gsize len, guint64 *bound)
{
  g_autofree char *digits = g_strndup (text, len);

  return len == 0 || g_ascii_string_to_unsigned (digits, 10, 1, G_MAXUINT64, bound, NULL);
}

gboolean
tt_pi_choice_parse_calls (TtPiChoice *self, const char *text, GError **error)
{
  const char *colon = strchr (text, ':');
  gsize len = colon != NULL ? (gsize) (colon - text) : strlen (text);
  gboolean is_ok = *text != '\0' && parse_bound (text, len, &self->first);

  if (is_ok && colon == NULL)
    self->last = self->first;
  else if (is_ok)
    is_ok = parse_bound (colon + 1, strlen (colon + 1), &self->last);
  if (is_ok && self->first <= self->last)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE,
               "'--calls %s' is not A:B, the numbers of the first and the last call, counted from 1", text);
  return FALSE;
}

gboolean
tt_pi_choice_has_thread (const TtPiChoice *self, const char *name)
{
  return self->threads == NULL || g_strv_contains ((const char *const *) self->threads, name);
}

gboolean
tt_pi_choice_check (const TtPiChoice *self, const TtPiTrace *trace, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < tt_pi_trace_n_threads (trace); i++)
    g_ptr_array_add (names, (gpointer) tt_pi_trace_thread_name (trace, i));
  g_ptr_array_add (names, NULL);
  for (char **name = self->threads; name != NULL && *name != NULL; name++)
    if (!g_strv_contains ((const char *const *) names->pdata, *name))
      {
        const char *near = tt_suggest (*name, (const char *const *) names->pdata);
        g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "the trace has no thread '%s'%s%s%s", *name,
                     near == NULL ? "" : "; did you mean '", near == NULL ? "" : near, near == NULL ? "" : "'?");
        return FALSE;
      }
  return TRUE;
}

/* -- walking ---------------------------------------------------------------------------------------------- */

/* Numbers and names of objects follow the order of start; without them a thread's file can be read by itself. */
static gboolean
needs_merge (const TtPiChoice *choice, int only)
{
  return only < 0 || choice->names_objects || choice->first > 1 || choice->last < G_MAXUINT64;
}

TtPiWalk *
tt_pi_walk_new (TtPiTrace *trace, const TtPiChoice *choice, int only, GError **error)
{
  Walk *walk = g_new0 (Walk, 1);
  g_autoptr (TtPiWalk) self = &walk->base;
  guint n = tt_pi_trace_n_threads (trace);

  walk->choice = choice;
  walk->is_chosen = g_new0 (gboolean, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    walk->is_chosen[i] =
        (only < 0 || only == (int) i) && tt_pi_choice_has_thread (choice, tt_pi_trace_thread_name (trace, i));
  if (choice->names_objects)
    self->handles = walk->handles = tt_pi_handles_new ();
  if (needs_merge (choice, only))
    walk->merge = tt_pi_merge_new (trace, error);
  else
    {
      walk->reader = tt_pi_reader_open (trace, (guint) only, error);
      self->thread = (guint) only;
    }
  return walk->merge == NULL && walk->reader == NULL ? NULL : g_steal_pointer (&self);
}

void
tt_pi_walk_free (TtPiWalk *self)
{
  Walk *walk = (Walk *) (void *) self;

  if (self == NULL)
    return;
  g_clear_pointer (&walk->merge, tt_pi_merge_free);
  g_clear_pointer (&walk->reader, tt_pi_reader_free);
  g_clear_pointer (&walk->handles, tt_pi_handles_free);
  g_free (walk->is_chosen);
  g_free (walk);
}

static const TtPiCall *
read_call (Walk *walk, GError **error)
{
  if (walk->merge != NULL)
    return tt_pi_merge_next (walk->merge, &walk->base.thread, error);
  return tt_pi_reader_next (walk->reader, &walk->call, error) ? &walk->call : NULL;
}

static gboolean
is_wanted (const Walk *walk, const TtPiCall *call)
{
  const TtPiChoice *choice = walk->choice;

  return walk->base.number >= choice->first && walk->is_chosen[walk->base.thread] &&
         (choice->functions == NULL || tt_glob_fits (choice->functions, call->name, strlen (call->name), FALSE));
}

const TtPiCall *
tt_pi_walk_next (TtPiWalk *self, GError **error)
{
  Walk *walk = (Walk *) (void *) self;

  while (self->number < walk->choice->last)
    {
      const TtPiCall *call = read_call (walk, error);

      if (call == NULL || (++self->number % CANCEL_EVERY == 0 && tt_cancelled (error)))
        return NULL;
      if (walk->handles != NULL)
        tt_pi_handles_call (walk->handles, call, self->number);
      if (is_wanted (walk, call))
        return call;
    }
  return NULL;
}
