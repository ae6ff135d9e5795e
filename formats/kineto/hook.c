/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/importer.h"

/* What the hook returns for the spans inside: the context, and on a device the step of the annotation, + 1. */
#define PARENT_CONTEXT_MASK 7u
#define PARENT_STEP_SHIFT 3
#define PARENT_MAX_STEP ((gint32) (G_MAXUINT32 >> PARENT_STEP_SHIFT) - 1)

/* -- what a span does with a device ------------------------------------------------------------------ */

/* The row of a stream of the device that @mark lies on. */
static guint32
find_stream (Kineto *self, const TtTraceRecord *mark, gint64 stream)
{
  g_autofree char *tid = g_strdup_printf ("%" G_GINT64_FORMAT, stream);

  return stream < 0 ? TT_NO_ID : tt_sink_find_thread (self->import->sink, mark->process, tid);
}

static KinetoMark
read_mark (Kineto *self, const TtTraceRecord *span)
{
  KinetoMark mark;

  tt_tape_read (self->marks, span->key - 1, &mark, sizeof mark);
  return mark;
}

static gboolean
has_mark (Kineto *self, const TtTraceRecord *span, KinetoTraits traits)
{
  return span->key != 0 && (tt_kineto_names_traits (self->names, span->name) & (guint32) traits) != 0;
}

static guint64
correlation_of (Kineto *self, const TtTraceRecord *span)
{
  return has_mark (self, span, KINETO_NAME_HAS_MARK) ? read_mark (self, span).correlation : span->key;
}

static void
note_activity (Kineto *self, TtTraceRecord *span)
{
  TtActivity activity = { .correlation = correlation_of (self, span) };

  activity.role = tt_kineto_names_role (self->names, span->name, &activity.blocks);
  if (activity.role == TT_ACTIVITY_NONE)
    return;
  if (tt_activity_is_mark (activity.role) && span->key != 0)
    {
      const KinetoMark mark = read_mark (self, span);

      activity.waits_for = mark.waits_for;
      activity.queue = find_stream (self, span, mark.stream);
      activity.waits_on = find_stream (self, span, mark.waits_on);
    }
  else if (tt_activity_is_work (activity.role))
    activity.queue = span->thread;
  span->activity = tt_sink_hold_activity (self->import->sink, &activity);
}

/* Ranks number the calls of a group alike, also those before the profiler began. That it is the root only the root itself
 * can tell: the others do not know its process. */
static void
note_call_together (Kineto *self, TtTraceRecord *span)
{
  if (!has_mark (self, span, KINETO_NAME_IS_JOINT))
    return;

  const KinetoMark mark = read_mark (self, span);
  gint64 root = mark.work != 0 ? tt_kineto_roots_of_work (self->roots, mark.work) : mark.root;
  gboolean is_root = root >= 0 && root == self->import->rank;

  if (mark.sequence < 0 && !is_root)
    return;
  span->owner = tt_sink_new_owner (self->import->sink);
  tt_sink_call (self->import->sink, span->owner, is_root ? span->process : TT_NO_ID, -1, mark.sequence);
}

/* -- where a span lies ------------------------------------------------------------------------------ */

static gint32
step_on_device (Kineto *self, const TtTraceRecord *span, guint32 parent)
{
  guint64 correlation = correlation_of (self, span);
  gint32 step = (gint32) (parent >> PARENT_STEP_SHIFT) - 1;
  gboolean is_known = FALSE;

  if (correlation != 0)
    {
      gint32 of_call = tt_kineto_steps_of_correlation (self->steps, correlation, &is_known);
      if (is_known)
        return of_call;
    }
  return step != TT_NO_STEP ? step : tt_kineto_steps_at (self->steps, span->process, span->ts_ns);
}

static guint32
hook_on_device (Kineto *self, TtTraceRecord *span, KinetoKind kind, guint32 parent)
{
  if (span->step == TT_NO_STEP)
    span->step = step_on_device (self, span, parent);
  gboolean is_step = kind == KINETO_DEVICE_ANNOTATION &&
                     (tt_kineto_names_traits (self->names, span->name) & KINETO_NAME_IS_STEP) != 0 &&
                     self->import->options->is_step == NULL;

  /* A step lasts as long as the host says, if it says so. */
  if (is_step && tt_kineto_steps_count (self->steps) == 0)
    span->flags |= TT_FLAG_STEP;
  if (is_step && span->step >= 0 && span->step < PARENT_MAX_STEP)
    return (guint32) (span->step + 1) << PARENT_STEP_SHIFT;
  return parent;
}

guint32
tt_kineto_hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data)
{
  Kineto *self = data;
  KinetoKind kind = (span->tag & TAG_KIND_MASK) - 1;
  KinetoAutograd autograd = (KinetoAutograd) (span->tag >> TAG_AUTOGRAD_SHIFT);
  guint32 links = flows >> 4 * self->link_kind;
  gboolean is_renamed;

  note_activity (self, span);
  note_call_together (self, span);
  if (kind == KINETO_CALL || kind == KINETO_DEVICE)
    tt_kineto_launches_tie (self->launches, span, correlation_of (self, span), kind == KINETO_DEVICE);
  if (kind == KINETO_DEVICE || kind == KINETO_DEVICE_ANNOTATION)
    return hook_on_device (self, span, kind, parent);
  if (span->step == TT_NO_STEP && kind != KINETO_PROFILER)
    span->step = tt_kineto_steps_at (self->steps, span->process, span->ts_ns);
  if (kind != KINETO_OPERATOR && kind != KINETO_ANNOTATION && kind != KINETO_PYTHON)
    return parent;

  KinetoContext context = tt_kineto_context (
      kind, autograd, tt_kineto_names_traits (self->names, span->name), (KinetoContext) (parent & PARENT_CONTEXT_MASK),
      (links & 1u << TT_FLOW_START) != 0, (links & 1u << TT_FLOW_END) != 0, &is_renamed);
  if (is_renamed)
    span->name = tt_kineto_names_within (self->names, span->name, context);
  return context;
}
