#include "config.h"

#include "formats/pi/trace-private.h"

#include "src/base/error.h"

void
tt_pi_reader_init (TtPiReader *self, TtPiTrace *trace, guint thread, gboolean is_quiet)
{
  *self = (TtPiReader){ .trace = trace, .thread = thread, .is_quiet = is_quiet };
  self->kept = g_byte_array_new ();
  self->memory_file = g_string_new (NULL);
  self->names = g_ptr_array_new_with_free_func (tt_pi_native_name_free);
  tt_pi_thread_window (trace, thread, &self->window);
}

void
tt_pi_reader_clear (TtPiReader *self)
{
  tt_pi_window_clear (&self->window);
  g_clear_pointer (&self->kept, g_byte_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  if (self->memory_file != NULL)
    g_string_free (self->memory_file, TRUE);
  self->memory_file = NULL;
}

TtPiReader *
tt_pi_reader_open (TtPiTrace *trace, guint thread, GError **error)
{
  TtPiReader *self = g_new (TtPiReader, 1);

  tt_pi_reader_init (self, trace, thread, FALSE);
  if (self->window.size == 0)
    tt_pi_trace_warn (trace, TT_PI_WARN_EMPTY, 0, tt_pi_trace_thread_path (trace, thread), G_MAXUINT64, G_MAXUINT64,
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

TtPiStep
tt_pi_reader_fail (TtPiReader *self, guint64 offset, GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: record %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ": %s",
               tt_pi_trace_thread_path (self->trace, self->thread), self->record, offset, reason);
  return TT_PI_STEP_FAILED;
}

/* -- what every generation has in common ------------------------------------------------------------------- */

G_GNUC_PRINTF (4, 5)
static void
warn (TtPiReader *self, TtPiWarn kind, const TtPiCall *call, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  tt_pi_trace_warn (
      self->trace, kind,
      kind == TT_PI_WARN_UNKNOWN_ID || kind == TT_PI_WARN_ARGS || kind == TT_PI_WARN_IN_PROGRESS ? call->id : 0,
      tt_pi_trace_thread_path (self->trace, self->thread), call->offset, call->record, "%s", text);
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
      const TtPiFunction *variant = call->n_args == 0 ? NULL : tt_pi_function_variant (known, call->n_args, 0);
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
    warn (self, TT_PI_WARN_BACKWARDS, call,
          "starts before the call before it: threads that share a name, or two runs in one directory");
  else if (self->has_last && call->start_ns < self->last_end)
    warn (self, TT_PI_WARN_OVERLAP, call, "starts before the call before it has ended: threads that share a name");
  self->has_last = TRUE;
  self->last_start = call->start_ns;
  self->last_end = call->end_ns;
}

static void
warn_call (TtPiReader *self, const TtPiCall *call)
{
  if (call->function == NULL)
    warn (self, TT_PI_WARN_UNKNOWN_ID, call, "unknown function id %u; kept as %s", call->id, call->name);
  if ((call->flags & TT_PI_CALL_END_BEFORE_START) != 0)
    warn (self, TT_PI_WARN_END_BEFORE_START, call, "%s ends before it starts; duration 0", call->name);
  if ((call->flags & TT_PI_CALL_ARGS_DIFFER) != 0)
    warn (self, TT_PI_WARN_ARGS, call, "arguments of %s are not those of the table", call->name);
  if ((call->flags & TT_PI_CALL_TEXT_UNENDED) != 0)
    warn (self, TT_PI_WARN_TEXT, call, "the text in %s has no end", call->name);
  if ((call->flags & TT_PI_CALL_IN_PROGRESS) != 0)
    warn (self, TT_PI_WARN_IN_PROGRESS, call, "call in progress: %s", call->name);
  if (call->backend >= 0 && tt_pi_backend_name (call->backend) == NULL)
    warn (self, TT_PI_WARN_BACKEND, call, "unknown backend %d", call->backend);
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
  if (!is_native && G_UNLIKELY (start > TT_PI_LATEST_US || end > TT_PI_LATEST_US))
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
  self->record++;
  return TRUE;
}

static TtPiStep
decode (TtPiReader *self, TtPiCall *call, GError **error)
{
  switch (self->trace->generation)
    {
    case TT_PI_GENERATION_G3:
      return tt_pi_decode_protobuf (self, call, error);
    case TT_PI_GENERATION_NATIVE:
      return tt_pi_decode_native (self, call, error);
    case TT_PI_GENERATION_UNKNOWN:
      return TT_PI_STEP_END;
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
      switch (decode (self, call, error))
        {
        case TT_PI_STEP_CALL:
          return finish_call (self, call, error);
        case TT_PI_STEP_NONE:
          self->record++;
          break;
        case TT_PI_STEP_END:
        case TT_PI_STEP_FAILED:
          return FALSE;
        }
    }
}

gboolean
tt_pi_reader_next (TtPiReader *self, TtPiCall *call, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (self->has_ended)
    return FALSE;
  if (G_LIKELY (read_call (self, call, &local)))
    return TRUE;
  self->has_ended = TRUE;
  if (local == NULL)
    return FALSE;
  if (!self->trace->options.salvage)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (self->is_quiet)
    return FALSE;
  /* The message says path and place already. */
  tt_pi_trace_warn (self->trace, TT_PI_WARN_DAMAGE, self->thread, NULL, self->window.offset, self->record,
                    "%s; the calls before are kept", local->message);
  return FALSE;
}

guint64
tt_pi_reader_progress (TtPiReader *self)
{
  guint64 done = self->window.offset > self->reported ? self->window.offset - self->reported : 0;

  self->reported += done;
  return done;
}
