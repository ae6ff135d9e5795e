/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* `pi print --errors`: the first failed call with the calls before it in its thread. */
#include "src/pi/print/tables.h"

#include "formats/pi/print/print.h"
#include "src/base/glob.h"

#include <string.h>

/* Calls of the same thread that are shown before the failing one. */
#define BEFORE 4

/* Why a call is shown. */
typedef struct
{
  guint64 number;
  char *why;
} Reason;

typedef struct
{
  guint64 last[BEFORE]; /* a ring of numbers; 0: none */
  guint at;
} Ring;

typedef struct
{
  guint64 n_calls, n_failed, n_refused, n_unfinished;
  guint64 number;      /* of the first failing call, else of the first that never returned; 0: none */
  gboolean has_failed; /* it is a failing one */
  guint thread;
  GArray *reasons; /* of Reason, in order of calls */
} Story;

static void
reason_clear (gpointer data)
{
  g_free (((Reason *) data)->why);
}

static void
story_clear (Story *self)
{
  g_clear_pointer (&self->reasons, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Story, story_clear)

/* -- finding it -------------------------------------------------------------------------------------------- */

/* Takes @why; joins it with what is already said of that call. */
static void
add_reason (Story *self, guint64 number, char *why)
{
  for (guint i = 0; i < self->reasons->len; i++)
    {
      Reason *reason = &g_array_index (self->reasons, Reason, i);

      if (reason->number != number)
        continue;
      char *both = g_strjoin ("; ", reason->why, why, NULL);
      g_free (reason->why);
      g_free (why);
      reason->why = both;
      return;
    }

  const Reason reason = { number, why };
  g_array_append_val (self->reasons, reason);
}

static void
add_objects (Story *self, const TtPiHandles *handles)
{
  const TtPiHandle *handle;

  for (guint i = 0; (handle = tt_pi_handles_used (handles, i)) != NULL; i++)
    {
      g_autoptr (GString) name = g_string_new (NULL);

      if (handle->is_new)
        continue;
      tt_pi_handle_append (name, handle);
      if (handle->created_by != TT_PI_NO_CALL)
        add_reason (self, handle->created_by,
                    g_strdup_printf ("made %s%s", name->str,
                                     handle->is_inferred ? " (inferred from the order of first uses)" : ""));
      if (handle->touched_by != TT_PI_NO_CALL && handle->touched_by != handle->created_by)
        add_reason (self, handle->touched_by, g_strdup_printf ("last used %s", name->str));
      else if (handle->created_by == TT_PI_NO_CALL && handle->touched_by == TT_PI_NO_CALL)
        add_reason (self, self->number, g_strdup_printf ("%s was never seen before", name->str));
    }
}

static void
add_before (Story *self, const Ring *ring)
{
  for (guint i = 0; i < BEFORE; i++)
    if (ring->last[i] != 0)
      add_reason (self, ring->last[i], g_strdup ("before it on the same thread"));
}

static int
compare_reasons (gconstpointer a, gconstpointer b)
{
  const Reason *x = a, *y = b;

  return x->number < y->number ? -1 : x->number > y->number;
}

static gboolean
is_asked_for (const TtPiChoice *choice, const char *thread, guint64 number, const TtPiCall *call)
{
  return number >= choice->first && number <= choice->last && tt_pi_choice_has_thread (choice, thread) &&
         (choice->functions == NULL || tt_glob_fits (choice->functions, call->name, strlen (call->name), FALSE));
}

/* A call that was asked for. */
static void
take_call (Story *self, const TtPiWalk *walk, const TtPiCall *call, const Ring *ring)
{
  gboolean is_failed = tt_pi_call_failed (call);
  gboolean is_unfinished = (call->flags & TT_PI_CALL_IN_PROGRESS) != 0;

  self->n_calls++;
  self->n_failed += is_failed;
  self->n_unfinished += is_unfinished;
  self->n_refused += call->result != 0 && tt_pi_result_is_probing (call->function, call->result, call->release);
  if (self->has_failed || !(is_failed || (is_unfinished && self->number == 0)))
    return;

  g_array_set_size (self->reasons, 0);
  self->has_failed = is_failed;
  self->number = walk->number;
  self->thread = walk->thread;
  add_objects (self, walk->handles);
  add_before (self, ring);
}

static gboolean
find_story (TtPiTrace *trace, const TtPiChoice *choice, Story *self, GError **error)
{
  const TtPiChoice everything = { .last = G_MAXUINT64, .names_objects = TRUE };
  g_autoptr (TtPiWalk) walk = tt_pi_walk_new (trace, &everything, -1, error);
  g_autofree Ring *rings = g_new0 (Ring, MAX (tt_pi_trace_n_threads (trace), 1));
  const TtPiCall *call;
  GError *fault = NULL;

  if (walk == NULL)
    return FALSE;
  self->reasons = g_array_new (FALSE, FALSE, sizeof (Reason));
  g_array_set_clear_func (self->reasons, reason_clear);
  while ((call = tt_pi_walk_next (walk, &fault)) != NULL)
    {
      Ring *ring = &rings[walk->thread];

      if (is_asked_for (choice, tt_pi_trace_thread_name (trace, walk->thread), walk->number, call))
        take_call (self, walk, call, ring);
      ring->last[ring->at++ % BEFORE] = walk->number;
    }
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  g_array_sort (self->reasons, compare_reasons);
  return TRUE;
}

/* -- the report ----------------------------------------------------------------------------------------------- */

static void
write_call (TtOutput *out, const TtPiTrace *trace, const TtPiWalk *walk, const TtPiCall *call, const char *why)
{
  g_autofree char *thread = tt_pi_safe_text (tt_pi_trace_thread_name (trace, walk->thread));
  const TtPiLine line = {
    .number = walk->number,
    .thread = thread,
    .thread_width = (guint) strlen (thread),
    .has_colours = tt_terminal_colours (1),
    .has_ns = tt_pi_trace_generation (trace) == TT_PI_GENERATION_NATIVE,
  };
  g_autoptr (GString) text = g_string_new (NULL);

  tt_pi_named_call (text, call, walk->handles, &line);
  if (why != NULL)
    g_string_append_printf (text, "%11s%s\n", "", why);
  tt_output_bytes (out, text->str, text->len);
}

static gboolean
write_calls (const char *path, const TtPiOptions *options, const Story *story, TtOutput *out, GError **error)
{
  const TtPiChoice until = { .last = story->number, .names_objects = TRUE };
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, options, error);
  g_autoptr (TtPiWalk) walk = trace == NULL ? NULL : tt_pi_walk_new (trace, &until, -1, error);
  const TtPiCall *call;
  GError *fault = NULL;
  guint at = 0;

  if (walk == NULL)
    return FALSE;
  while ((call = tt_pi_walk_next (walk, &fault)) != NULL)
    {
      const Reason *reason = at < story->reasons->len ? &g_array_index (story->reasons, Reason, at) : NULL;
      gboolean is_told = reason != NULL && reason->number == walk->number;

      at += is_told;
      if (is_told || walk->number == story->number)
        write_call (out, trace, walk, call, is_told ? reason->why : NULL);
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

static void
write_counts (TtOutput *out, const Story *story)
{
  tt_output_printf (out, "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " %s failed", story->n_failed, story->n_calls,
                    story->n_calls == 1 ? "call" : "calls");
  if (story->n_unfinished > 0)
    tt_output_printf (out, "; %" G_GUINT64_FORMAT " never returned: the process ended within", story->n_unfinished);
  if (story->n_refused > 0)
    tt_output_printf (out, "; %" G_GUINT64_FORMAT " %s refused, which is usual", story->n_refused,
                      story->n_refused == 1 ? "query was" : "queries were");
  tt_output_literal (out, "\n");
}

gboolean
tt_pi_write_first_error (TtPiTrace *trace,
                         const TtPiOptions *options,
                         const TtPiChoice *choice,
                         TtOutput *out,
                         GError **error)
{
  g_auto (Story) story = { 0 };

  if (!find_story (trace, choice, &story, error))
    return FALSE;
  write_counts (out, &story);
  if (story.number == 0)
    return TRUE;

  g_autofree char *thread = tt_pi_safe_text (tt_pi_trace_thread_name (trace, story.thread));
  tt_output_printf (out, "The first%s is number %" G_GUINT64_FORMAT " on %s. What led to it:\n\n",
                    story.has_failed ? "" : " that never returned", story.number, thread);
  /* Opened again, so that nothing is warned of twice. */
  return write_calls (tt_pi_trace_path (trace), options, &story, out, error);
}
