/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/plan-steps.h"
#include "src/base/append.h"

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
load (const TtCtfStepField *field, const guint8 *bytes)
{
  const gboolean is_big_endian = field->is_big_endian;

  switch ((TtCtfLoad) field->load)
    {
    case TT_CTF_LOAD_UNSIGNED_8:
      return *bytes;
    case TT_CTF_LOAD_UNSIGNED_16:
      return tt_ctf_bytes_value (bytes, 2, is_big_endian);
    case TT_CTF_LOAD_UNSIGNED_32:
      return tt_ctf_bytes_value (bytes, 4, is_big_endian);
    case TT_CTF_LOAD_SIGNED_8:
      return tt_ctf_extend_sign (*bytes, 8);
    case TT_CTF_LOAD_SIGNED_16:
      return tt_ctf_extend_sign (tt_ctf_bytes_value (bytes, 2, is_big_endian), 16);
    case TT_CTF_LOAD_SIGNED_32:
      return tt_ctf_extend_sign (tt_ctf_bytes_value (bytes, 4, is_big_endian), 32);
    case TT_CTF_LOAD_REAL_32:
      return tt_ctf_widen_real (tt_ctf_bytes_value (bytes, 4, is_big_endian), 32);
    case TT_CTF_LOAD_ANY_64:
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

/* Without a branch for each: whole words are read. */
static void
load_words (const TtCtfStep *step, const guint8 *bytes, guint8 *slots)
{
  for (const TtCtfStepField *field = step->fields, *end = field + step->n_fields; field < end; field++, slots += 8)
    {
      guint64 word = tt_ctf_bytes_value (bytes + field->offset, 8, FALSE);

      word = field->is_big_endian ? GUINT64_SWAP_LE_BE (word) : word << field->shift;
      put (slots, field->is_signed ? (guint64) ((gint64) word >> field->shift) : word >> field->shift);
    }
}

static gboolean
run_fields (const TtCtfStep *step, TtCtfBits *bits, guint8 *slots)
{
  guint64 at = (bits->at + step->mask) & ~step->mask;

  if (G_UNLIKELY (at > bits->end || bits->end - at < step->n_bytes * 8))
    return tt_ctf_bits_fail_end (bits);
  bits->at = at;
  const guint8 *bytes = tt_ctf_bits_bytes (bits);
  if (G_LIKELY (!step->has_short_real && bits->end - at >= (step->n_bytes + 7) * 8))
    load_words (step, bytes, slots);
  else
    for (const TtCtfStepField *field = step->fields, *end = field + step->n_fields; field < end; field++, slots += 8)
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
  if (step->kind == TT_CTF_READ_STRING)
    {
      const char *end = left == 0 ? NULL : memchr (text, '\0', left);

      if (G_UNLIKELY (end == NULL))
        return tt_ctf_bits_fail_end (bits);
      n = (guint64) (end - text) + 1;
      len = MIN ((gsize) n - 1, TT_CTF_MAX_TEXT_BYTES);
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
    case TT_CTF_READ_NUMBER:
      if (!tt_ctf_bits_number (bits, step->type, &value) || !tt_ctf_bits_note (bits, step->type, value))
        return FALSE;
      put (slot, value);
      return TRUE;
    case TT_CTF_READ_REAL:
      if (!tt_ctf_value_real (bits, step->type, &value))
        return FALSE;
      put (slot, value);
      return TRUE;
    case TT_CTF_READ_TEXT:
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
      case TT_CTF_READ_BYTES:
        if (!run_bytes (step, bits, slots))
          return FALSE;
        slots += 8;
        break;
      case TT_CTF_READ_RUN:
        if (!run_fields (step, bits, slots))
          return FALSE;
        slots += (gsize) step->n_fields * 8;
        break;
      case TT_CTF_READ_STRING:
      case TT_CTF_READ_CHARS:
        if (!run_text (step, bits, slots, tail))
          return FALSE;
        slots += 8;
        break;
      case TT_CTF_READ_ALIGN:
        if (!tt_ctf_bits_align (bits, step->mask + 1))
          return FALSE;
        bits->order = 0;
        break;
      case TT_CTF_READ_SKIP:
        if (!tt_ctf_value_skip (bits, step->type))
          return FALSE;
        break;
      case TT_CTF_READ_UNUSED:
        if (!tt_ctf_value_skip (bits, step->type))
          return FALSE;
        put (slots, 0);
        slots += 8;
        break;
      case TT_CTF_READ_JSON:
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
