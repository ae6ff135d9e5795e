/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/decode.h"

#include <string.h>

/*
 * Generation 3 (pi.md section 3): u32 size, then a protobuf message. A wire reader of our own: a call costs some tens
 * of nanoseconds, a library would allocate each argument.
 */

typedef struct
{
  const guint8 *at, *end;
  const guint8 *room; /* where what may be looked at ends: there or behind */
  const char *fault;  /* NULL: none */
  gboolean is_cut;    /* the bytes end in a field */
} Wire;

enum
{
  WIRE_VARINT,
  WIRE_64,
  WIRE_BYTES,
  WIRE_32 = 5,
};

/* Of fields in one byte: the number and the wire type. */
#define ARGUMENT_KEY (5 << 3 | WIRE_BYTES)
#define TAG_KEY (1 << 3 | WIRE_VARINT)
#define VALUE_KEY (2 << 3 | WIRE_VARINT)

/* An argument with tag and number, and its own key and length: at most so many. */
#define PLAIN_BYTES 13

/* Of @len bytes that are in the window, @at among them. */
static inline Wire
wire_of (const TtPiWindow *window, const guint8 *at, gsize len)
{
  return (Wire){ at, at + len, window->buffer + window->filled, NULL, FALSE };
}

static guint64
fail_varint (Wire *wire, const guint8 *at)
{
  wire->fault = at - wire->at < 10 ? "a number is cut" : "a number of more than 10 bytes";
  wire->is_cut = at - wire->at < 10;
  wire->at = wire->end;
  return 0;
}

/* Of up to 8 bytes, which are most pointers and times: the groups of 7 bits move together. 0: it is longer. */
static inline guint
word_varint (const guint8 *at, guint64 *value)
{
  guint64 word, ends;

  memcpy (&word, at, sizeof word);
  word = GUINT64_FROM_LE (word);
  ends = ~word & G_GUINT64_CONSTANT (0x8080808080808080);
  if (G_UNLIKELY (ends == 0))
    return 0;
  word &= ends ^ (ends - 1);
  word &= G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f);
  word = (word & G_GUINT64_CONSTANT (0x007f007f007f007f)) | (word & G_GUINT64_CONSTANT (0x7f007f007f007f00)) >> 1;
  word = (word & G_GUINT64_CONSTANT (0x00003fff00003fff)) | (word & G_GUINT64_CONSTANT (0x3fff00003fff0000)) >> 2;
  *value = (word & G_GUINT64_CONSTANT (0x0fffffff)) | (word & G_GUINT64_CONSTANT (0x0fffffff00000000)) >> 4;
  return ((guint) __builtin_ctzll (ends) + 1) / 8;
}

static guint64
read_long_varint (Wire *wire)
{
  guint64 value = 0;
  const guint8 *at = wire->at;
  guint n = wire->room - at >= 8 ? word_varint (at, &value) : 0;

  if (G_LIKELY (n > 0 && n <= wire->end - at))
    {
      wire->at += n;
      return value;
    }
  value = 0;
  for (guint shift = 0; shift < 70; shift += 7)
    {
      if (at == wire->end)
        return fail_varint (wire, at);
      guint8 byte = *at++;
      value |= (guint64) (byte & 0x7f) << MIN (shift, 63);
      if (byte < 0x80)
        {
          wire->at = at;
          return value;
        }
    }
  return fail_varint (wire, at);
}

static inline guint64
read_varint (Wire *wire)
{
  if (G_LIKELY (wire->at < wire->end && *wire->at < 0x80))
    return *wire->at++;
  return read_long_varint (wire);
}

/* The bytes of a field of that wire type. */
static inline Wire
read_nested (Wire *wire)
{
  guint64 len = read_varint (wire);
  Wire inside = { wire->at, wire->at, wire->room, NULL, FALSE };

  if (G_UNLIKELY (len > (guint64) (wire->end - wire->at)))
    {
      if (wire->fault == NULL)
        wire->fault = "a field is longer than its record";
      wire->is_cut = TRUE;
      wire->at = wire->end;
      return inside;
    }
  wire->at += len;
  inside.end = wire->at;
  return inside;
}

static void
skip_field (Wire *wire, guint type)
{
  gsize n = type == WIRE_64 ? 8 : 4;

  if (type == WIRE_VARINT)
    read_varint (wire);
  else if (type == WIRE_BYTES)
    read_nested (wire);
  else if (type != WIRE_64 && type != WIRE_32)
    wire->fault = "a wire type that does not exist";
  else if (n > (gsize) (wire->end - wire->at))
    {
      wire->fault = "a field is longer than its record";
      wire->is_cut = TRUE;
    }
  else
    wire->at += n;
}

/* Number and wire type of the next field, which must be @is_varint or bytes if the number is one of the message. */
static inline guint64
read_field (Wire *wire, guint *type)
{
  guint64 key = read_varint (wire);

  *type = (guint) (key & 7);
  if (G_UNLIKELY (key >> 3 == 0 && wire->fault == NULL))
    wire->fault = "field number 0";
  return key >> 3;
}

static inline gboolean
check_type (Wire *wire, guint type, guint wanted)
{
  if (G_LIKELY (type == wanted))
    return TRUE;
  wire->fault = "a field has the wrong wire type";
  return FALSE;
}

static void
read_argument (Wire *wire, TtPiArg *arg)
{
  guint type;

  memset (arg, 0, sizeof *arg);
  while (wire->at < wire->end && wire->fault == NULL)
    switch (read_field (wire, &type))
      {
      case 1:
        if (check_type (wire, type, WIRE_VARINT))
          {
            guint64 tag = read_varint (wire);
            arg->tag = (guint8) MIN (tag, 255);
          }
        break;
      case 2:
        if (check_type (wire, type, WIRE_VARINT))
          arg->value = read_varint (wire);
        break;
      case 3:
        if (check_type (wire, type, WIRE_BYTES))
          {
            Wire text = read_nested (wire);
            arg->text = (const char *) text.at;
            arg->text_len = (gsize) (text.end - text.at);
          }
        break;
      default:
        if (wire->fault == NULL)
          skip_field (wire, type);
      }
}

static void
add_argument (Wire *wire, TtPiCall *call)
{
  Wire inside = read_nested (wire);

  if (call->n_args == TT_PI_MAX_PARAMS)
    {
      call->flags |= TT_PI_CALL_ARGS_DIFFER;
      return;
    }
  read_argument (&inside, &call->args[call->n_args]);
  call->is_plain &= call->args[call->n_args].text == NULL;
  if (G_UNLIKELY (inside.fault != NULL && wire->fault == NULL))
    {
      wire->fault = inside.fault;
      wire->is_cut = FALSE;
    }
  call->n_args++;
}

/* As nearly all are, with the key before them: a tag, or none, then a number, or none, and no more. FALSE: it is another, and nothing was
 * read. */
static inline gboolean
add_plain_argument (Wire *wire, TtPiCall *call)
{
  const guint8 *at = wire->at, *end;
  guint64 value = 0;
  guint8 tag = 0;

  if (wire->room - at < PLAIN_BYTES || *at != ARGUMENT_KEY || at[1] > PLAIN_BYTES - 2 ||
      call->n_args == TT_PI_MAX_PARAMS)
    return FALSE;
  end = at + 2 + at[1];
  at += 2;
  if (*at == TAG_KEY && at[1] < 0x80)
    {
      tag = at[1];
      at += 2;
    }
  if (at + 1 < end && *at == VALUE_KEY)
    {
      at++;
      if (*at < 0x80)
        value = *at++;
      else
        at += word_varint (at, &value);
    }
  if (at != end || end > wire->end)
    return FALSE;
  call->args[call->n_args++] = (TtPiArg){ .tag = tag, .value = value };
  wire->at = end;
  return TRUE;
}

static gboolean
add_output (Wire *wire, TtPiCall *call)
{
  Wire inside = read_nested (wire);
  gsize len = (gsize) (inside.end - inside.at);

  if (call->n_outputs == TT_PI_MAX_OUTPUTS)
    return FALSE;
  call->outputs[call->n_outputs++] = (TtPiBytes){ inside.at, len, len };
  return TRUE;
}

static void
set_memory_file (TtPiReader *self, Wire *wire, TtPiCall *call)
{
  Wire inside = read_nested (wire);

  if (call->memory_file != NULL)
    return;
  g_string_truncate (self->memory_file, 0);
  g_string_append_len (self->memory_file, (const char *) inside.at, inside.end - inside.at);
  call->memory_file = self->memory_file->str;
}

/* A number of the call itself. */
static void
set_number (TtPiCall *call, guint64 number, guint64 value)
{
  switch (number)
    {
    case 1:
      call->id = (guint32) value;
      break;
    case 2:
      call->start_ns = value;
      break;
    case 3:
      call->end_ns = value;
      break;
    default:
      call->result = (gint32) (guint32) value;
    }
}

static void
read_call (TtPiReader *self, Wire *wire, TtPiCall *call, gboolean *has_more_outputs)
{
  guint type;

  while (wire->at < wire->end && wire->fault == NULL)
    {
      if (add_plain_argument (wire, call))
        continue;
      guint64 number = read_field (wire, &type);
      if (G_UNLIKELY (wire->fault != NULL))
        return;
      if (number == 5)
        {
          if (check_type (wire, type, WIRE_BYTES))
            add_argument (wire, call);
        }
      else if (number <= 4)
        {
          if (check_type (wire, type, WIRE_VARINT))
            set_number (call, number, read_varint (wire));
        }
      else if (number > 9)
        skip_field (wire, type);
      else if (!check_type (wire, type, WIRE_BYTES))
        return;
      else if (number == 7)
        *has_more_outputs |= !add_output (wire, call);
      else if (number == 9)
        set_memory_file (self, wire, call);
      else
        read_nested (wire);
    }
}

/* The last record, of which only @have bytes are there: whether it is one that was cut and not damage. */
static TtPiOutcome
end_in_cut_record (TtPiReader *self, guint32 size, TtPiCall *call, GError **error)
{
  guint64 have = tt_pi_window_left (&self->window) - 4;
  gboolean has_more = FALSE;

  const guint8 *bytes = tt_pi_window_need (&self->window, (gsize) have + 4, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  Wire wire = wire_of (&self->window, bytes + 4, have);
  read_call (self, &wire, call, &has_more);
  if (wire.fault != NULL && !wire.is_cut)
    return tt_pi_reader_fail (self, self->window.offset, error,
                              "its size says %u bytes, %" G_GUINT64_FORMAT " are left, and they are no call: %s", size,
                              have, wire.fault);
  tt_pi_reader_warn (self, TT_PI_WARN_SHORT_RECORD, 0, self->window.offset,
                     "the last record is cut: %" G_GUINT64_FORMAT " of %u bytes; left out", have, size);
  return TT_PI_OUTCOME_END;
}

static void
clear_call (TtPiReader *self, TtPiCall *call)
{
  call->id = 0;
  call->backend = -1;
  call->result = 0;
  call->flags = 0;
  call->start_ns = call->end_ns = 0;
  call->n_args = call->n_outputs = 0;
  call->is_plain = TRUE;
  call->memory_file = NULL;
  call->offset = self->window.offset;
  call->record = self->record;
}

/* Fewer than 4 bytes after the last record. */
static TtPiOutcome
end_in_stray_bytes (TtPiReader *self)
{
  tt_pi_reader_warn (self, TT_PI_WARN_SHORT_RECORD, 0, self->window.offset,
                     "the last record is cut: %u bytes, not even its size; left out",
                     (guint) tt_pi_window_left (&self->window));
  return TT_PI_OUTCOME_END;
}

TtPiOutcome
tt_pi_decode_protobuf (TtPiReader *self, TtPiCall *call, GError **error)
{
  TtPiWindow *window = &self->window;
  guint64 left = tt_pi_window_left (window);
  gboolean has_more_outputs = FALSE;
  guint32 size;

  if (left == 0)
    return TT_PI_OUTCOME_END;
  if (left < 4)
    return end_in_stray_bytes (self);
  const guint8 *bytes = tt_pi_window_need (window, 4, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  memcpy (&size, bytes, sizeof size);
  size = GUINT32_FROM_LE (size);
  if (G_UNLIKELY (size > TT_PI_MAX_RECORD))
    return tt_pi_reader_fail (self, window->offset, error,
                              "its size says %u bytes, more than any call has; %" G_GUINT64_FORMAT " are left", size,
                              left - 4);
  clear_call (self, call);
  if (G_UNLIKELY (size > left - 4))
    return end_in_cut_record (self, size, call, error);
  if (G_UNLIKELY (size == 0))
    {
      tt_pi_reader_warn (self, TT_PI_WARN_ZERO_LENGTH, 0, window->offset, "record of no length; left out");
      tt_pi_window_advance (window, 4);
      return TT_PI_OUTCOME_NONE;
    }
  bytes = tt_pi_window_need (window, 4 + (gsize) size, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;

  Wire wire = wire_of (window, bytes + 4, size);
  read_call (self, &wire, call, &has_more_outputs);
  if (G_UNLIKELY (wire.fault != NULL))
    return tt_pi_reader_fail (self, window->offset, error, "%s", wire.fault);
  if (G_UNLIKELY (has_more_outputs))
    tt_pi_reader_warn (self, TT_PI_WARN_OUTPUTS, 0, window->offset, "more than %d outputs; the others are left out",
                       TT_PI_MAX_OUTPUTS);
  tt_pi_window_advance (window, 4 + (gsize) size);
  return TT_PI_OUTCOME_CALL;
}

/* When the call begins and ends. */
static void
find_times (Wire *wire, guint64 *start, guint64 *end)
{
  guint type;

  *start = *end = 0;
  while (wire->at < wire->end && wire->fault == NULL)
    {
      if (G_LIKELY (*wire->at == ARGUMENT_KEY && wire->end - wire->at >= 2 && wire->at[1] < 0x80 &&
                    wire->at[1] <= wire->end - wire->at - 2))
        {
          wire->at += 2 + wire->at[1];
          continue;
        }
      guint64 number = read_field (wire, &type);
      if (G_LIKELY (type == WIRE_BYTES))
        read_nested (wire);
      else if (number == 2 && type == WIRE_VARINT)
        *start = read_varint (wire);
      else if (number == 3 && type == WIRE_VARINT)
        *end = read_varint (wire);
      else
        skip_field (wire, type);
    }
}

gboolean
tt_pi_protobuf_in_order (TtPiReader *self, TtPiTimesFunc func, gpointer data)
{
  TtPiWindow *window = &self->window;
  guint64 last = 0;

  for (;;)
    {
      guint64 left = tt_pi_window_left (window);
      const guint8 *bytes = left < 4 ? NULL : tt_pi_window_need (window, 4, NULL);
      guint32 size;

      if (bytes == NULL)
        return TRUE;
      memcpy (&size, bytes, sizeof size);
      size = GUINT32_FROM_LE (size);
      if (size > TT_PI_MAX_RECORD || size > left - 4 ||
          (bytes = tt_pi_window_need (window, 4 + (gsize) size, NULL)) == NULL)
        return TRUE;
      Wire wire = wire_of (window, bytes + 4, size);
      guint64 start = last, end = last;
      if (size > 0)
        find_times (&wire, &start, &end);
      if (G_UNLIKELY (wire.fault != NULL))
        return TRUE;
      if (G_UNLIKELY (start < last))
        return FALSE;
      last = start;
      if (size > 0)
        func (MIN (start, TT_PI_MAX_US) * 1000, MIN (end, TT_PI_MAX_US) * 1000, data);
      tt_pi_window_advance (window, 4 + (gsize) size);
    }
}
