/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/plan.h"

#include "src/base/append.h"

typedef enum
{
  ALIGN,  /* to a structure */
  SKIP,   /* what is not shown */
  BYTES,  /* an integer of 8, 16, 32 or 64 bits, in whole bytes, which says nothing to others; or such a real */
  RUN,    /* several of those, and alignments that change nothing, from a place of the first one's alignment on */
  NUMBER, /* any integer */
  REAL,
  STRING, /* a text in UTF-8 up to its NUL */
  CHARS,  /* one of n_bytes */
  TEXT,   /* any other */
  JSON,
  UNUSED, /* a text or JSON that has a slot, and nobody asks for */
} StepKind;

/* How the bytes of a value become what a slot holds. */
typedef enum
{
  UNSIGNED_8,
  UNSIGNED_16,
  UNSIGNED_32,
  ANY_64,
  SIGNED_8,
  SIGNED_16,
  SIGNED_32,
  REAL_32,
} Load;

/* A value of a run. */
typedef struct
{
  guint8 load, is_big_endian;
  guint16 offset; /* from the begin of the run, in bytes */
} Field;

#define MAX_RUN_BYTES 4096u
/* As in values.c. */
#define MAX_TEXT_BYTES ((gsize) 1 << 16)

struct _TtCtfStep
{
  StepKind kind;
  guint n_bytes;
  Field field;  /* of BYTES */
  guint64 mask; /* of the alignment */
  const TtCtfType *type;
  const Field *fields; /* of RUN: in TtCtfPlan.fields */
  guint n_fields;
};

/* -- making --------------------------------------------------------------------------------------------------------- */

static StepKind
choose_text (const TtCtfType *type)
{
  if (type->encoding != TT_CTF_UTF_8 || type->is_blob || type->align % 8 != 0)
    return TEXT;
  if (type->kind == TT_CTF_TYPE_STRING && type->align == 8)
    return STRING;
  return type->kind == TT_CTF_TYPE_ARRAY && type->length <= MAX_TEXT_BYTES ? CHARS : TEXT;
}

static StepKind
choose_step (const TtCtfType *type)
{
  gboolean is_plain = type->meaning == TT_CTF_PLAIN && type->clock == NULL && type->store < 0 && !type->is_reversed;

  if (!type->is_shown)
    return SKIP;
  switch (tt_ctf_value_kind (type))
    {
    case TT_CTF_UNSIGNED:
    case TT_CTF_SIGNED:
      return is_plain && type->align % 8 == 0 &&
                     (type->size == 8 || type->size == 16 || type->size == 32 || type->size == 64)
                 ? BYTES
                 : NUMBER;
    case TT_CTF_REAL:
      return type->align % 8 == 0 && (type->size == 32 || type->size == 64) && !type->is_reversed ? BYTES : REAL;
    case TT_CTF_TEXT:
      return choose_text (type);
    default:
      return JSON;
    }
}

static Load
choose_load (const TtCtfType *type)
{
  const gboolean is_signed = type->is_signed;

  if (type->kind == TT_CTF_TYPE_REAL)
    return type->size == 32 ? REAL_32 : ANY_64;
  switch (type->size)
    {
    case 8:
      return is_signed ? SIGNED_8 : UNSIGNED_8;
    case 16:
      return is_signed ? SIGNED_16 : UNSIGNED_16;
    case 32:
      return is_signed ? SIGNED_32 : UNSIGNED_32;
    default:
      return ANY_64;
    }
}

static void
add_step (GArray *steps, StepKind kind, const TtCtfType *type)
{
  const TtCtfStep step = { .kind = kind,
                           .n_bytes = kind == CHARS ? (guint) type->length : type->size / 8,
                           .field = { (guint8) choose_load (type), type->is_big_endian != FALSE, 0 },
                           .mask = type->align - 1,
                           .type = type };

  g_array_append_val (steps, step);
}

static void
add_scope (GArray *steps, const TtCtfType *scope)
{
  if (scope == NULL)
    return;
  add_step (steps, ALIGN, scope);
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
  for (*n_bytes = 0; step < end && (step->kind == BYTES || step->kind == ALIGN); step++)
    {
      guint64 mask = step->mask / 8;
      guint64 until = ((*n_bytes + mask) & ~mask) + (step->kind == BYTES ? step->n_bytes : 0);

      if (step->mask > first->mask || step->mask < 7 || until > MAX_RUN_BYTES)
        break;
      *n_bytes = until;
      *n_fields += step->kind == BYTES;
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
      Field field = step->field;

      at = (at + step->mask / 8) & ~(step->mask / 8);
      if (step->kind != BYTES)
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
  GArray *fields = g_array_new (FALSE, FALSE, sizeof (Field));
  const TtCtfStep *end = self->steps + self->n_steps;
  guint n_steps = 0, n, n_fields;
  guint64 n_bytes;

  for (const TtCtfStep *step = self->steps; step < end; step += n)
    {
      TtCtfStep joined = *step;

      n = measure_run (step, end, &n_bytes, &n_fields);
      if (n_fields > 1)
        {
          joined.kind = RUN;
          joined.n_bytes = (guint) n_bytes;
          joined.n_fields = n_fields;
          add_fields (fields, step, n);
        }
      else
        n = 1;
      self->steps[n_steps++] = joined;
    }
  self->n_steps = n_steps;
  self->fields = g_array_free (fields, FALSE);
  const Field *field = self->fields;
  for (guint i = 0; i < n_steps; i++)
    {
      self->steps[i].fields = field;
      if (self->steps[i].kind == RUN)
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
      if (step->kind >= STRING && strcmp (stream->packet_context->fields[i].name, "cpu_id") != 0)
        step->kind = UNUSED;
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

/* -- running -------------------------------------------------------------------------------------------------------- */

static void
put (guint8 *slot, guint64 value)
{
  memcpy (slot, &value, sizeof value);
}

/* What has been appended to @tail since @begin is what the slot points to. */
static void
put_place (guint8 *slot, GString *tail, gsize begin)
{
  const guint32 place[2] = { (guint32) begin, (guint32) (tail->len - begin) };

  g_string_append_c (tail, '\0');
  memcpy (slot, place, sizeof place);
}

static inline guint64
load (const Field *field, const guint8 *bytes)
{
  const gboolean is_big_endian = field->is_big_endian;

  switch ((Load) field->load)
    {
    case UNSIGNED_8:
      return *bytes;
    case UNSIGNED_16:
      return tt_ctf_bytes_value (bytes, 2, is_big_endian);
    case UNSIGNED_32:
      return tt_ctf_bytes_value (bytes, 4, is_big_endian);
    case SIGNED_8:
      return tt_ctf_extend_sign (*bytes, 8);
    case SIGNED_16:
      return tt_ctf_extend_sign (tt_ctf_bytes_value (bytes, 2, is_big_endian), 16);
    case SIGNED_32:
      return tt_ctf_extend_sign (tt_ctf_bytes_value (bytes, 4, is_big_endian), 32);
    case REAL_32:
      return tt_ctf_widen_real (tt_ctf_bytes_value (bytes, 4, is_big_endian), 32);
    case ANY_64:
      break;
    }
  return tt_ctf_bytes_value (bytes, 8, is_big_endian);
}

static gboolean
run_bytes (const TtCtfStep *step, TtCtfBits *bits, guint8 *slot)
{
  guint64 at = (bits->at + step->mask) & ~step->mask;

  if (G_UNLIKELY (at > bits->end || bits->end - at < step->n_bytes * 8))
    return tt_ctf_bits_fail_end (bits);
  bits->at = at;
  put (slot, load (&step->field, tt_ctf_bits_bytes (bits)));
  bits->at = at + step->n_bytes * 8;
  return TRUE;
}

static gboolean
run_fields (const TtCtfStep *step, TtCtfBits *bits, guint8 *slots)
{
  guint64 at = (bits->at + step->mask) & ~step->mask;

  if (G_UNLIKELY (at > bits->end || bits->end - at < step->n_bytes * 8))
    return tt_ctf_bits_fail_end (bits);
  bits->at = at;
  const guint8 *bytes = tt_ctf_bits_bytes (bits);
  for (const Field *field = step->fields, *end = field + step->n_fields; field < end; field++, slots += 8)
    put (slots, load (field, bytes + field->offset));
  bits->at = at + step->n_bytes * 8;
  return TRUE;
}

static gboolean
run_text (const TtCtfStep *step, TtCtfBits *bits, guint8 *slot, GString *tail)
{
  const gsize begin = tail->len;
  guint64 at = (bits->at + step->mask) & ~step->mask, n = step->n_bytes;
  gsize len;

  if (G_UNLIKELY (at > bits->end))
    return tt_ctf_bits_fail_end (bits);
  bits->at = at;
  const guint64 left = (bits->end - at) / 8;
  const char *text = (const char *) tt_ctf_bits_bytes (bits);
  if (step->kind == STRING)
    {
      const char *end = left == 0 ? NULL : memchr (text, '\0', left);

      if (G_UNLIKELY (end == NULL))
        return tt_ctf_bits_fail_end (bits);
      n = (guint64) (end - text) + 1;
      len = MIN ((gsize) n - 1, MAX_TEXT_BYTES);
    }
  else
    {
      if (G_UNLIKELY (n > left))
        return tt_ctf_bits_fail_end (bits);
      len = strnlen (text, n);
    }
  bits->at = at + n * 8;
  tt_reserve (tail, len + 1);
  memcpy (tail->str + begin, text, len);
  tail->str[begin + len] = tail->str[begin + len + 1] = '\0';
  tail->len = begin + len + 1;

  const guint32 place[2] = { (guint32) begin, (guint32) len };
  memcpy (slot, place, sizeof place);
  return TRUE;
}

static gboolean
run_shown (const TtCtfStep *step, TtCtfBits *bits, guint8 *slot, GString *tail)
{
  gsize begin = tail->len, len;
  const char *text;
  guint64 value;

  switch (step->kind)
    {
    case NUMBER:
      if (!tt_ctf_bits_number (bits, step->type, &value) || !tt_ctf_bits_note (bits, step->type, value))
        return FALSE;
      put (slot, value);
      return TRUE;
    case REAL:
      if (!tt_ctf_value_real (bits, step->type, &value))
        return FALSE;
      put (slot, value);
      return TRUE;
    case TEXT:
      if (!tt_ctf_value_text (bits, step->type, &text, &len))
        return FALSE;
      tt_ctf_value_append_text (step->type, text, len, tail);
      break;
    default:
      if (!tt_ctf_value_append (bits, step->type, tail, 0))
        return FALSE;
      break;
    }
  put_place (slot, tail, begin);
  return TRUE;
}

gboolean
tt_ctf_plan_run (const TtCtfPlan *self, TtCtfBits *bits, guint8 *slots, GString *tail, gboolean with_json)
{
  for (const TtCtfStep *step = self->steps, *end = self->steps + self->n_steps; step < end; step++)
    switch (step->kind)
      {
      case BYTES:
        if (!run_bytes (step, bits, slots))
          return FALSE;
        slots += 8;
        break;
      case RUN:
        if (!run_fields (step, bits, slots))
          return FALSE;
        slots += (gsize) step->n_fields * 8;
        break;
      case STRING:
      case CHARS:
        if (!run_text (step, bits, slots, tail))
          return FALSE;
        slots += 8;
        break;
      case ALIGN:
        if (!tt_ctf_bits_align (bits, step->mask + 1))
          return FALSE;
        bits->order = 0;
        break;
      case SKIP:
        if (!tt_ctf_value_skip (bits, step->type))
          return FALSE;
        break;
      case UNUSED:
        if (!tt_ctf_value_skip (bits, step->type))
          return FALSE;
        put (slots, 0);
        slots += 8;
        break;
      case JSON:
        if (!(with_json ? run_shown (step, bits, slots, tail) : tt_ctf_value_skip (bits, step->type)))
          return FALSE;
        if (!with_json)
          put (slots, 0);
        slots += 8;
        break;
      default:
        if (!run_shown (step, bits, slots, tail))
          return FALSE;
        slots += 8;
        break;
      }
  return TRUE;
}
