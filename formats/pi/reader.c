/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* What every generation has in common: names of calls, their order, warnings, salvage. */
#include "formats/pi/decode/decode.h"

#include "src/base/error.h"

/* Places of damage in a thread that are passed. */
#define MAX_HOLES 1000u

TtPiReader *
tt_pi_reader_open (TtPiTrace *trace, guint thread, GError **error)
{
  TtPiReader *self = g_new (TtPiReader, 1);

  tt_pi_reader_init (self, trace, thread, FALSE);
  if (self->window.size == 0)
    tt_pi_trace_warn (trace, TT_PI_WARN_EMPTY, 0, &TT_PI_WHOLE_FILE (tt_pi_trace_thread_path (trace, thread)),
                      "an empty file: a thread without calls");
  return self;
}

void
tt_pi_reader_free (TtPiReader *self)
{
  if (self == NULL)
    return;
  tt_pi_reader_clear (self);
  g_free (self);
}

/* -- what every generation has in common ------------------------------------------------------------------- */

/* The signature with so many arguments, which the calls of a function mostly have. */
static const TtPiFunction *
find_variant (TtPiReader *self, const TtPiFunction *known, guint n_args)
{
  TtPiVariant *variant = &self->variants[(known->index + n_args) % TT_PI_N_VARIANTS];

  if (G_UNLIKELY (variant->known != known || variant->n_args != n_args))
    *variant = (TtPiVariant){ known, n_args, n_args == 0 ? NULL : tt_pi_function_variant (known, n_args, 0) };
  return variant->variant;
}

/* Name, signature by the number of arguments. */
static inline void
name_call (TtPiReader *self, TtPiCall *call)
{
  const TtPiFunction *known = tt_pi_trace_known (self->trace, call->id)->function;

  if (G_UNLIKELY (known == NULL))
    {
      call->function = NULL;
      g_snprintf (self->unknown_name, sizeof self->unknown_name, "pi#%u", call->id);
      call->name = self->unknown_name;
      return;
    }
  call->name = known->name;
  if (self->trace->generation != TT_PI_GENERATION_G3)
    {
      if (call->function == NULL)
        call->function = known;
      return;
    }
  call->function = known;
  if (G_UNLIKELY (known->params != NULL && call->n_args != known->n_params))
    {
      const TtPiFunction *variant = find_variant (self, known, call->n_args);
      if (variant != NULL)
        call->function = variant;
      else
        call->flags |= TT_PI_CALL_ARGS_DIFFER;
    }
}

/* The order of calls in one thread: they neither nest nor go back, but threads may share a file. */
static void
check_order (TtPiReader *self, const TtPiCall *call)
{
  if (self->has_last && call->start_ns < self->last_start)
    tt_pi_reader_warn (self, TT_PI_WARN_BACKWARDS, 0, call->offset,
                       "starts before the call before it: threads that share a name, or two runs in one directory");
  else if (self->has_last && call->start_ns < self->last_end)
    tt_pi_reader_warn (self, TT_PI_WARN_OVERLAP, 0, call->offset,
                       "starts before the call before it has ended: threads that share a name");
}

static void
warn_call (TtPiReader *self, const TtPiCall *call)
{
  if (call->function == NULL)
    tt_pi_reader_warn (self, TT_PI_WARN_UNKNOWN_ID, call->id, call->offset, "unknown function id %u; kept as %s",
                       call->id, call->name);
  if ((call->flags & TT_PI_CALL_END_BEFORE_START) != 0)
    tt_pi_reader_warn (self, TT_PI_WARN_END_BEFORE_START, 0, call->offset, "%s ends before it starts; duration 0",
                       call->name);
  if ((call->flags & TT_PI_CALL_ARGS_DIFFER) != 0)
    tt_pi_reader_warn (self, TT_PI_WARN_ARGS, call->id, call->offset, "arguments of %s are not those of the table",
                       call->name);
  if ((call->flags & TT_PI_CALL_TEXT_UNENDED) != 0)
    tt_pi_reader_warn (self, TT_PI_WARN_TEXT, 0, call->offset, "the text in %s has no end", call->name);
  if ((call->flags & TT_PI_CALL_IN_PROGRESS) != 0)
    tt_pi_reader_warn (self, TT_PI_WARN_IN_PROGRESS, call->id, call->offset, "call in progress: %s", call->name);
  if (call->backend >= 0 && tt_pi_backend_name (call->backend) == NULL)
    tt_pi_reader_warn (self, TT_PI_WARN_BACKEND, 0, call->offset, "unknown backend %d", call->backend);
}

static gboolean
finish_call (TtPiReader *self, TtPiCall *call, GError **error)
{
  gboolean is_native = self->trace->generation == TT_PI_GENERATION_NATIVE;
  guint64 start = call->start_ns, end = call->end_ns;

  if (!is_native)
    name_call (self, call);
  if (G_UNLIKELY (end < start))
    call->flags |= TT_PI_CALL_END_BEFORE_START;
  if (!is_native && G_UNLIKELY (start > TT_PI_MAX_US || end > TT_PI_MAX_US))
    {
      tt_pi_reader_fail (self, call->offset, error,
                         "its times, %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " us, are beyond the range of times",
                         start, end);
      return FALSE;
    }
  if (!is_native)
    {
      call->start_ns = start * 1000;
      call->end_ns = end * 1000;
    }
  if (G_LIKELY (!self->is_quiet))
    {
      check_order (self, call);
      if (G_UNLIKELY (call->flags != 0 || call->function == NULL || call->backend > 0))
        warn_call (self, call);
    }
  self->has_last = TRUE;
  self->last_start = call->start_ns;
  self->last_end = call->end_ns;
  self->record++;
  return TRUE;
}

static TtPiOutcome
decode_call (TtPiReader *self, TtPiCall *call, GError **error)
{
  switch (self->trace->generation)
    {
    case TT_PI_GENERATION_G3:
      return tt_pi_decode_protobuf (self, call, error);
    case TT_PI_GENERATION_NATIVE:
      return tt_pi_decode_native (self, call, error);
    case TT_PI_GENERATION_UNKNOWN:
      return TT_PI_OUTCOME_END;
    default:
      return tt_pi_decode_raw (self, call, error);
    }
}

static gboolean
read_call (TtPiReader *self, TtPiCall *call, GError **error)
{
  for (;;)
    {
      self->record_at = self->window.offset;
      switch (decode_call (self, call, error))
        {
        case TT_PI_OUTCOME_CALL:
          return finish_call (self, call, error);
        case TT_PI_OUTCOME_NONE:
          self->record++;
          break;
        case TT_PI_OUTCOME_END:
        case TT_PI_OUTCOME_FAILED:
          return FALSE;
        }
    }
}

/* TRUE: calls come after the damage. */
static gboolean
pass_damage (TtPiReader *self, const GError *fault)
{
  const guint64 offset = self->record_at;

  if (self->n_holes == 0)
    {
      self->hole_at = offset;
      self->hole_record = self->record;
    }
  if (!g_error_matches (fault, TT_ERROR, TT_ERROR_FORMAT) || self->n_holes >= MAX_HOLES)
    return FALSE;
  const gboolean is_found = tt_pi_reader_find_records (self);
  /* The message has path and place already. */
  const TtPiPlace place = { NULL, offset, self->record };

  self->n_holes++;
  if (self->is_quiet)
    return is_found;
  if (is_found)
    tt_pi_trace_warn (self->trace, TT_PI_WARN_DAMAGE, self->thread, &place,
                      "%s; calls are found again at byte %" G_GUINT64_FORMAT, fault->message, self->window.offset);
  else
    tt_pi_trace_warn (self->trace, TT_PI_WARN_DAMAGE, self->thread, &place, "%s; the calls before are kept",
                      fault->message);
  return is_found;
}

gboolean
tt_pi_reader_next (TtPiReader *self, TtPiCall *call, GError **error)
{
  while (!self->has_ended)
    {
      g_autoptr (GError) local = NULL;
      const gboolean has_last = self->has_last;
      const guint64 last_start = self->last_start;

      if (G_LIKELY (read_call (self, call, &local)))
        {
          if (G_LIKELY (self->n_holes == 0 || !has_last || call->start_ns >= last_start))
            return TRUE;
          /* Whether the file is in order was not asked of what is behind damage. */
          tt_pi_reader_warn (self, TT_PI_WARN_DAMAGE, 0, call->offset,
                             "starts before calls that stand before the damage; left out");
          self->last_start = last_start;
          continue;
        }
      if (local != NULL && !self->trace->options.salvage)
        g_propagate_error (error, g_steal_pointer (&local));
      else if (local != NULL && (!self->is_quiet || self->looks_behind) && pass_damage (self, local))
        continue;
      self->has_ended = TRUE;
    }
  return FALSE;
}

guint64
tt_pi_reader_progress (TtPiReader *self)
{
  guint64 done = self->window.offset > self->reported ? self->window.offset - self->reported : 0;

  self->reported += done;
  return done;
}
