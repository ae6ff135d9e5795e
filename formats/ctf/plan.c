/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/plan-steps.h"

static TtCtfStepKind
choose_text (const TtCtfType *type)
{
  if (type->encoding != TT_CTF_UTF_8 || type->is_blob || type->align % 8 != 0)
    return TT_CTF_READ_TEXT;
  if (type->kind == TT_CTF_TYPE_STRING && type->align == 8)
    return TT_CTF_READ_STRING;
  return type->kind == TT_CTF_TYPE_ARRAY && type->length <= TT_CTF_MAX_TEXT_BYTES ? TT_CTF_READ_CHARS
                                                                                  : TT_CTF_READ_TEXT;
}

static TtCtfStepKind
choose_step (const TtCtfType *type)
{
  gboolean is_plain = type->meaning == TT_CTF_PLAIN && type->clock == NULL && type->store < 0 && !type->is_reversed;

  if (!type->is_shown)
    return TT_CTF_READ_SKIP;
  switch (tt_ctf_value_kind (type))
    {
    case TT_CTF_UNSIGNED:
    case TT_CTF_SIGNED:
      return is_plain && type->align % 8 == 0 &&
                     (type->size == 8 || type->size == 16 || type->size == 32 || type->size == 64)
                 ? TT_CTF_READ_BYTES
                 : TT_CTF_READ_NUMBER;
    case TT_CTF_REAL:
      return type->align % 8 == 0 && (type->size == 32 || type->size == 64) && !type->is_reversed ? TT_CTF_READ_BYTES
                                                                                                  : TT_CTF_READ_REAL;
    case TT_CTF_TEXT:
      return choose_text (type);
    default:
      return TT_CTF_READ_JSON;
    }
}

static TtCtfLoad
choose_load (const TtCtfType *type)
{
  const gboolean is_signed = type->is_signed;

  if (type->kind == TT_CTF_TYPE_REAL)
    return type->size == 32 ? TT_CTF_LOAD_REAL_32 : TT_CTF_LOAD_ANY_64;
  switch (type->size)
    {
    case 8:
      return is_signed ? TT_CTF_LOAD_SIGNED_8 : TT_CTF_LOAD_UNSIGNED_8;
    case 16:
      return is_signed ? TT_CTF_LOAD_SIGNED_16 : TT_CTF_LOAD_UNSIGNED_16;
    case 32:
      return is_signed ? TT_CTF_LOAD_SIGNED_32 : TT_CTF_LOAD_UNSIGNED_32;
    default:
      return TT_CTF_LOAD_ANY_64;
    }
}

static void
add_step (GArray *steps, TtCtfStepKind kind, const TtCtfType *type)
{
  const TtCtfStep step = { .kind = kind,
                           .n_bytes = kind == TT_CTF_READ_CHARS ? (guint) type->length : type->size / 8,
                           .field = { .load = (guint8) choose_load (type),
                                      .is_big_endian = type->is_big_endian != FALSE,
                                      .is_signed = type->kind == TT_CTF_TYPE_INTEGER && type->is_signed,
                                      .shift = (guint8) (64 - type->size) },
                           .mask = type->align - 1,
                           .type = type };

  g_array_append_val (steps, step);
}

static void
add_scope (GArray *steps, const TtCtfType *scope)
{
  if (scope == NULL)
    return;
  add_step (steps, TT_CTF_READ_ALIGN, scope);
  for (guint i = 0; i < scope->n_fields; i++)
    add_step (steps, choose_step (scope->fields[i].type), scope->fields[i].type);
}

static void
add_members (TtCtfClass *klass, TtCtfScope of, const TtCtfType *scope)
{
  for (guint i = 0; scope != NULL && i < scope->n_fields; i++)
    {
      const TtCtfType *type = scope->fields[i].type;
      const TtCtfMember member = { .name = scope->fields[i].name,
                                   .scope = of,
                                   .slot = klass->members->len,
                                   .kind = tt_ctf_value_kind (type),
                                   .is_hex = type->kind == TT_CTF_TYPE_INTEGER && type->base == 16,
                                   .labels = type->is_enum ? type : NULL };

      if (type->is_shown)
        g_array_append_val (klass->members, member);
    }
}

static guint
count_shown (const TtCtfType *scope)
{
  guint n = 0;

  for (guint i = 0; scope != NULL && i < scope->n_fields; i++)
    n += scope->fields[i].type->is_shown;
  return n;
}

/* How many steps from @step on, up to @end, are a run; of @n_bytes. */
static guint
measure_run (const TtCtfStep *step, const TtCtfStep *end, guint64 *n_bytes, guint *n_fields)
{
  const TtCtfStep *first = step;

  *n_fields = 0;
  for (*n_bytes = 0; step < end && (step->kind == TT_CTF_READ_BYTES || step->kind == TT_CTF_READ_ALIGN); step++)
    {
      guint64 mask = step->mask / 8;
      guint64 until = ((*n_bytes + mask) & ~mask) + (step->kind == TT_CTF_READ_BYTES ? step->n_bytes : 0);

      if (step->mask > first->mask || step->mask < 7 || until > TT_CTF_MAX_RUN_BYTES)
        break;
      *n_bytes = until;
      *n_fields += step->kind == TT_CTF_READ_BYTES;
    }
  return (guint) (step - first);
}

/* The values of the @n steps, with their places. */
static void
add_fields (GArray *fields, const TtCtfStep *step, guint n)
{
  guint64 at = 0;

  for (const TtCtfStep *end = step + n; step < end; step++)
    {
      TtCtfStepField field = step->field;

      at = (at + step->mask / 8) & ~(step->mask / 8);
      if (step->kind != TT_CTF_READ_BYTES)
        continue;
      field.offset = (guint16) at;
      g_array_append_val (fields, field);
      at += step->n_bytes;
    }
}

/* Makes runs of steps. */
static void
join_steps (TtCtfPlan *self)
{
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (TtCtfStepField));
  const TtCtfStep *end = self->steps + self->n_steps;
  guint n_steps = 0, n, n_fields;
  guint64 n_bytes;

  for (const TtCtfStep *step = self->steps; step < end; step += n)
    {
      TtCtfStep joined = *step;

      n = measure_run (step, end, &n_bytes, &n_fields);
      if (n_fields > 1)
        {
          joined.kind = TT_CTF_READ_RUN;
          joined.n_bytes = (guint) n_bytes;
          joined.n_fields = n_fields;
          for (guint i = 0; i < n; i++)
            joined.has_short_real |= step[i].kind == TT_CTF_READ_BYTES && step[i].field.load == TT_CTF_LOAD_REAL_32;
          add_fields (fields, step, n);
        }
      else
        n = 1;
      self->steps[n_steps++] = joined;
    }
  self->n_steps = n_steps;
  self->steps = g_renew (TtCtfStep, self->steps, MAX (n_steps, 1));
  self->fields = g_array_free (fields, FALSE);
  const TtCtfStepField *field = self->fields;
  for (guint i = 0; i < n_steps; i++)
    {
      self->steps[i].fields = field;
      if (self->steps[i].kind == TT_CTF_READ_RUN)
        field += self->steps[i].n_fields;
    }
}

static TtCtfPlan *
make_plan (GArray *steps)
{
  TtCtfPlan *self = g_new0 (TtCtfPlan, 1);

  self->n_steps = steps->len;
  self->steps = (TtCtfStep *) (gpointer) g_array_free (steps, FALSE);
  if (self->steps == NULL)
    self->steps = g_new0 (TtCtfStep, 1);
  join_steps (self);
  return self;
}

TtCtfPlan *
tt_ctf_plan_new (const TtCtfStreamType *stream, const TtCtfEventType *event, GHashTable *names)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (TtCtfStep));
  TtCtfClass *klass = g_new0 (TtCtfClass, 1);

  klass->name = event->name != NULL ? g_utf8_make_valid (event->name, -1)
                                    : g_strdup_printf ("event %" G_GUINT64_FORMAT, event->id);
  klass->members = g_array_new (FALSE, TRUE, sizeof (TtCtfMember));
  klass->names = names;
  add_members (klass, TT_CTF_PACKET, stream->packet_context);
  add_members (klass, TT_CTF_COMMON, stream->event_context);
  add_members (klass, TT_CTF_SPECIFIC, event->context);
  add_members (klass, TT_CTF_PAYLOAD, event->payload);
  add_scope (steps, stream->event_context);
  add_scope (steps, event->context);
  add_scope (steps, event->payload);

  TtCtfPlan *self = make_plan (steps);
  self->klass = klass;
  self->n_slots = klass->members->len;
  return self;
}

TtCtfPlan *
tt_ctf_plan_new_packet (const TtCtfStreamType *stream)
{
  GArray *steps;

  if (stream->packet_context == NULL)
    return NULL;
  steps = g_array_new (FALSE, FALSE, sizeof (TtCtfStep));
  add_scope (steps, stream->packet_context);
  /* Each event of the packet would have a copy. */
  for (guint i = 0; i < stream->packet_context->n_fields; i++)
    {
      TtCtfStep *step = &g_array_index (steps, TtCtfStep, i + 1);
      if (step->kind >= TT_CTF_READ_STRING && strcmp (stream->packet_context->fields[i].name, "cpu_id") != 0)
        step->kind = TT_CTF_READ_UNUSED;
    }
  TtCtfPlan *self = make_plan (steps);
  self->n_slots = count_shown (stream->packet_context);
  return self;
}

void
tt_ctf_plan_free (TtCtfPlan *self)
{
  if (self == NULL)
    return;
  if (self->klass != NULL)
    {
      if (self->klass->free_binding != NULL)
        self->klass->free_binding (self->klass->binding);
      g_array_unref (self->klass->members);
      g_free (self->klass->name);
      g_free (self->klass);
    }
  g_free (self->steps);
  g_free (self->fields);
  g_free (self);
}
