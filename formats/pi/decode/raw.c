/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/decode.h"
#include "formats/pi/decode/raw-end.h"
#include "formats/pi/decode/raw-header.h"

#include <string.h>

/*
 * Generations 0 to 2 and the layout of the description (pi.md section 4): packed records. A record lies together in the
 * window; one with a block of memory in it, which may be gigabytes, is gathered in `kept` without what is beyond the
 * limit.
 */

#define MAX_INPUTS 4u
/* Results are 0 or negative, vendor extensions included. */
#define MIN_RESULT (-2000)

/* -- the bytes of one record ----------------------------------------------------------------------------- */

typedef struct
{
  TtPiReader *reader;
  gsize at; /* bytes of the record so far */
  gboolean is_kept;
} Record;

static inline const guint8 *
record_bytes (const Record *self)
{
  return self->is_kept ? self->reader->kept->data : self->reader->window.buffer + self->reader->window.at;
}

static inline guint64
record_left (const Record *self)
{
  return tt_pi_window_left (&self->reader->window) - (self->is_kept ? 0 : self->at);
}

/* @n bytes more, of which the file has so many. */
static inline gboolean
take_bytes (Record *self, gsize n, GError **error)
{
  TtPiWindow *window = &self->reader->window;
  const guint8 *bytes = tt_pi_window_need (window, self->is_kept ? n : self->at + n, error);

  if (bytes == NULL)
    return FALSE;
  if (G_UNLIKELY (self->is_kept))
    {
      g_byte_array_append (self->reader->kept, bytes, (guint) n);
      tt_pi_window_advance (window, n);
    }
  self->at += n;
  return TRUE;
}

static gboolean
skip_bytes (Record *self, guint64 n, GError **error)
{
  TtPiWindow *window = &self->reader->window;

  if (!self->is_kept)
    {
      g_byte_array_set_size (self->reader->kept, 0);
      g_byte_array_append (self->reader->kept, window->buffer + window->at, (guint) self->at);
      tt_pi_window_advance (window, self->at);
      self->is_kept = TRUE;
    }
  return tt_pi_window_skip (window, n, error);
}

/* -- arguments ------------------------------------------------------------------------------------------------ */

/* Where the arguments lie in a record, and its text. */
typedef struct
{
  const TtPiFunction *function;
  gsize at, end;
  gsize text_at, text_len; /* text_at 0: no text in place of the pointer */
  guint32 flags;
  gsize least; /* bytes that the arguments take at least, where there are fewer; 0: there are as many */
} Place;

static gsize
size_before (const TtPiFunction *function, guint parameter)
{
  gsize size = 0;

  for (guint i = 0; i < parameter; i++)
    size += function->params[i].size;
  return size;
}

/* Whether a record may begin at @bytes, of @have here and @left in the file. */
static gboolean
may_begin (const TtPiReader *self, const guint8 *bytes, gsize have, guint64 left)
{
  const TtPiRawLayout *layout = &self->trace->raw;
  TtPiRawHeader header;

  if (left == 0)
    return TRUE;
  if (have < tt_pi_raw_header_size (layout))
    return have >= 4 && tt_pi_get_u32 (bytes) < TT_PI_MAX_IDS;
  tt_pi_raw_header_read (layout, bytes, &header);
  return tt_pi_raw_is_plausible (self, &header) && header.args_size <= left;
}

/* pi.md 4.3 rule 3: the text and its LF stand where the pointer should, counted as 8 bytes. The LF is the one after
 * which the rest of the record and the next one make sense. FALSE: there is none. */
static gboolean
recover_text (Record *record, const TtPiRawHeader *header, const TtPiKnown *known, Place *place)
{
  TtPiReader *self = record->reader;
  TtPiWindow *window = &self->window;
  gsize begin = header->header + (gsize) self->trace->raw.prefix + size_before (known->function, (guint) known->text);
  gsize rest = known->function->packed - 8 - size_before (known->function, (guint) known->text);
  gsize have = (gsize) MIN (tt_pi_window_left (window), begin + TT_PI_RAW_MAX_TEXT + rest + 4 + header->header);

  if (record->is_kept || header->n_outputs != 0 ||
      header->args_size != self->trace->raw.prefix + known->function->packed ||
      tt_pi_window_need (window, have, NULL) == NULL)
    return FALSE;
  const guint8 *bytes = record_bytes (record);
  for (gsize at = begin; at + 1 + rest + 4 <= have && bytes[at] != 0; at++)
    {
      gsize end = at + 1 + rest;
      gint32 result = (gint32) tt_pi_get_u32 (bytes + end);
      if (bytes[at] != '\n' || result > 0 || result <= MIN_RESULT ||
          !may_begin (self, bytes + end + 4, have - end - 4, tt_pi_window_left (window) - end - 4))
        continue;
      place->at = header->header + (gsize) self->trace->raw.prefix;
      place->text_at = begin;
      place->text_len = at - begin;
      place->end = end;
      return TRUE;
    }
  return FALSE;
}

/* The text in place of the pointer takes what the other arguments leave. */
static void
place_text (const guint8 *bytes, const TtPiKnown *known, gsize prefix, Place *place)
{
  gsize others = known->function->packed - 8u;
  gsize total = place->end - place->at;

  if (total < prefix + others + 1)
    {
      place->flags |= TT_PI_CALL_ARGS_DIFFER;
      place->least = prefix + others + 1;
      return;
    }
  place->at += prefix;
  place->text_at = place->at + size_before (known->function, (guint) known->text);
  place->text_len = total - prefix - others - 1;
  guint8 last = bytes[place->text_at + place->text_len];
  if (last != 0 && last != '\n')
    {
      place->flags |= TT_PI_CALL_TEXT_UNENDED;
      place->text_len++;
    }
}

/* Arguments without text: the last bytes are theirs, the rest is prefix. */
static void
place_plain (const TtPiReader *self, Place *place)
{
  guint64 prefix = self->trace->raw.prefix;
  gsize total = place->end - place->at;
  gsize packed = place->function->packed;

  if (G_UNLIKELY (total != packed && total != packed + prefix))
    {
      const TtPiFunction *variant =
          total > prefix ? tt_pi_function_variant (place->function, 0, (guint) MIN (total - prefix, 4096)) : NULL;
      if (variant == NULL && total > 0)
        variant = tt_pi_function_variant (place->function, 0, (guint) MIN (total, 4096));
      if (variant == NULL)
        {
          place->flags |= TT_PI_CALL_ARGS_DIFFER;
          place->least = total < packed ? packed : total < packed + prefix ? packed + (gsize) prefix : 0;
        }
      else
        place->function = variant;
      packed = place->function->packed;
    }
  if (total >= packed)
    place->at = place->end - packed;
}

/* Where the arguments of the record are, which has been taken up to their end as the header counts it. */
static void
place_arguments (Record *record, const TtPiRawHeader *header, Place *place)
{
  TtPiReader *self = record->reader;
  const TtPiKnown *known = tt_pi_trace_known (self->trace, header->id);
  const TtPiRawLayout *layout = &self->trace->raw;

  *place =
      (Place){ .function = known->function, .at = header->header, .end = header->header + (gsize) header->args_size };
  if (known->function == NULL || known->function->params == NULL)
    return;
  if (G_LIKELY (known->text < 0))
    place_plain (self, place);
  else if (known->is_text_in_place || layout->is_literal)
    place_text (record_bytes (record), known, 0, place);
  else if (recover_text (record, header, known, place))
    {
      record->at = place->end;
      tt_pi_reader_warn (self, TT_PI_WARN_TEXT_RECOVERED, header->id, header->at,
                         "%s: the recorder counted its text as 8 bytes; mended", known->function->name);
    }
  else if (header->args_size == layout->prefix + known->function->packed)
    place_plain (self, place);
  else
    place_text (record_bytes (record), known, (gsize) layout->prefix, place);
}

static inline guint64
argument_value (const guint8 *bytes, const TtPiParam *param)
{
  switch (param->size)
    {
    case 8:
      return tt_pi_get_u64 (bytes);
    case 4:
      return param->kind == TT_PI_KIND_INT ? (guint64) (gint64) (gint32) tt_pi_get_u32 (bytes) : tt_pi_get_u32 (bytes);
    default:
      return bytes[0];
    }
}

static guint8
argument_tag (const TtPiParam *param)
{
  if (param->kind == TT_PI_KIND_POINTER || param->kind == TT_PI_KIND_HANDLE || param->kind == TT_PI_KIND_FUNCTION ||
      param->kind == TT_PI_KIND_STRING)
    return TT_PI_TAG_POINTER;
  return param->size == 8 ? TT_PI_TAG_INT64 : TT_PI_TAG_INT32;
}

static void
read_arguments (const guint8 *bytes, const Place *place, TtPiCall *call)
{
  const TtPiFunction *function = place->function;
  gsize at = place->at;

  call->n_args = 0;
  if (function == NULL || function->params == NULL)
    return;
  for (guint i = 0; i < function->n_params; i++)
    {
      const TtPiParam *param = &function->params[i];
      TtPiArg *arg = &call->args[i];
      memset (arg, 0, sizeof *arg);
      if (G_UNLIKELY (place->text_at > 0 && at == place->text_at && param->kind == TT_PI_KIND_STRING))
        {
          arg->tag = TT_PI_TAG_STRING;
          arg->text = (const char *) bytes + at;
          arg->text_len = place->text_len;
          at += place->text_len + ((place->flags & TT_PI_CALL_TEXT_UNENDED) != 0 ? 0 : 1);
        }
      else
        {
          if (at + param->size > place->end)
            return;
          arg->tag = argument_tag (param);
          arg->value = argument_value (bytes + at, param);
          at += param->size;
        }
      call->n_args = i + 1;
    }
}

/* -- blocks --------------------------------------------------------------------------------------------------- */

/* pi.md 4.3 rule 4: these five count one output whatever they write; the last two pointers say how many there are. */
static guint64
number_of_outputs (const TtPiReader *self, const TtPiRawHeader *header, const Place *place, const guint8 *bytes)
{
  const TtPiKnown *known = tt_pi_trace_known (self->trace, header->id);

  if (self->trace->raw.is_literal || !known->is_info || header->n_outputs != 1 || place->end - place->at < 16)
    return header->n_outputs;
  return (tt_pi_get_u64 (bytes + place->end - 16) != 0) + (tt_pi_get_u64 (bytes + place->end - 8) != 0);
}

typedef struct
{
  gsize at;
  guint64 size;
} Block;

/* One block of size and bytes. @block NULL: nobody wants it. */
static TtPiOutcome
read_block (Record *record, const TtPiRawHeader *header, Block *block, GError **error)
{
  TtPiReader *self = record->reader;

  if (record_left (record) < 8)
    return tt_pi_raw_end_early (self, header, "output", 8, record_left (record), error);
  if (!take_bytes (record, 8, error))
    return TT_PI_OUTCOME_FAILED;
  guint64 size = tt_pi_get_u64 (record_bytes (record) + record->at - 8);
  if (size > record_left (record))
    return tt_pi_raw_end_early (self, header, "output", size, record_left (record), error);

  gsize kept = (gsize) MIN (size, block == NULL ? 0 : TT_PI_KEPT_OUTPUT);
  if (block != NULL)
    *block = (Block){ record->at, size };
  if (!take_bytes (record, kept, error) || (size > kept && !skip_bytes (record, size - kept, error)))
    return TT_PI_OUTCOME_FAILED;
  return TT_PI_OUTCOME_CALL;
}

static TtPiOutcome
read_blocks (Record *record, const TtPiRawHeader *header, guint64 n_outputs, Block *blocks, GError **error)
{
  TtPiOutcome outcome = TT_PI_OUTCOME_CALL;

  for (guint64 i = 0; i < header->n_inputs && outcome == TT_PI_OUTCOME_CALL; i++)
    outcome = read_block (record, header, NULL, error);
  for (guint64 i = 0; i < n_outputs && outcome == TT_PI_OUTCOME_CALL; i++)
    outcome = read_block (record, header, &blocks[i], error);
  return outcome;
}

/* -- records ---------------------------------------------------------------------------------------------------- */

/* A short text in the last record, counted as the 8 bytes of a pointer: fewer bytes are left than are counted. */
static gboolean
is_short_text (const TtPiReader *self, const TtPiRawHeader *header, guint64 left)
{
  const TtPiKnown *known = tt_pi_trace_known (self->trace, header->id);

  return header->args_size > left && header->args_size - left <= 3 && known->function != NULL && known->text >= 0 &&
         !known->is_text_in_place && !self->trace->raw.is_literal && header->n_inputs == 0 && header->n_outputs == 0 &&
         header->args_size == self->trace->raw.prefix + known->function->packed;
}

static TtPiOutcome
check_header (TtPiReader *self, const TtPiRawHeader *header, guint64 left, GError **error)
{
  if (header->n_inputs > MAX_INPUTS)
    return tt_pi_reader_fail (self, header->at, error, "it has %" G_GUINT64_FORMAT " inputs, no call has any",
                              header->n_inputs);
  if (header->n_outputs > TT_PI_MAX_OUTPUTS)
    return tt_pi_reader_fail (self, header->at, error, "it has %" G_GUINT64_FORMAT " outputs, more than any call",
                              header->n_outputs);
  if (header->args_size > left)
    return tt_pi_raw_end_early (self, header, "arguments", header->args_size, left, error);
  if (header->args_size > TT_PI_MAX_RECORD)
    return tt_pi_reader_fail (self, header->at, error,
                              "it has %" G_GUINT64_FORMAT " bytes of arguments, more than any call", header->args_size);
  return TT_PI_OUTCOME_CALL;
}

static void
fill_call (TtPiReader *self, const TtPiRawHeader *header, const Place *place, TtPiCall *call)
{
  call->id = header->id;
  call->backend = self->trace->raw.has_backend ? header->backend : -1;
  call->start_ns = header->start;
  call->end_ns = header->end;
  call->flags = place->flags;
  call->function = place->function;
  self->args_size = header->args_size;
}

TtPiOutcome
tt_pi_decode_raw (TtPiReader *self, TtPiCall *call, GError **error)
{
  const TtPiRawLayout *layout = &self->trace->raw;
  Record record = { self, tt_pi_raw_header_size (layout), FALSE };
  guint64 left = tt_pi_window_left (&self->window);
  TtPiRawHeader header;
  Block blocks[TT_PI_MAX_OUTPUTS];
  Place place;

  if (left == 0)
    return TT_PI_OUTCOME_END;
  call->offset = self->window.offset;
  call->record = self->record;
  call->function = NULL;
  call->is_plain = FALSE;
  call->memory_file = NULL;
  if (left < record.at)
    return tt_pi_raw_end_in_header (self, left, call, error);
  const guint8 *bytes = tt_pi_window_need (&self->window, record.at, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  tt_pi_raw_header_read (layout, bytes, &header);
  header.at = self->window.offset;
  gboolean is_short = is_short_text (self, &header, left - record.at);
  TtPiOutcome outcome = is_short ? TT_PI_OUTCOME_CALL : check_header (self, &header, left - record.at, error);
  if (outcome != TT_PI_OUTCOME_CALL)
    return outcome;
  if (!take_bytes (&record, is_short ? (gsize) left - record.at : (gsize) header.args_size, error))
    return TT_PI_OUTCOME_FAILED;
  place_arguments (&record, &header, &place);
  if (is_short && place.text_at == 0)
    return tt_pi_raw_end_early (self, &header, "arguments", header.args_size, left - header.header, error);
  /* While a layout is guessed at, it is the guess that may be wrong. */
  if (G_UNLIKELY (place.least > 0 && !self->is_quiet))
    return tt_pi_reader_fail (self, header.at, error,
                              "the arguments of %s are %" G_GUINT64_FORMAT " bytes; they take %" G_GSIZE_FORMAT,
                              place.function->name, header.args_size, place.least);

  guint64 n_outputs = number_of_outputs (self, &header, &place, record_bytes (&record));
  outcome = read_blocks (&record, &header, n_outputs, blocks, error);
  if (outcome != TT_PI_OUTCOME_CALL)
    return outcome;
  if (record_left (&record) < 4)
    return tt_pi_raw_end_early (self, &header, "result", 4, record_left (&record), error);
  if (!take_bytes (&record, 4, error))
    return TT_PI_OUTCOME_FAILED;

  bytes = record_bytes (&record);
  fill_call (self, &header, &place, call);
  call->result = (gint32) tt_pi_get_u32 (bytes + record.at - 4);
  read_arguments (bytes, &place, call);
  call->n_outputs = (guint) n_outputs;
  for (guint i = 0; i < call->n_outputs; i++)
    call->outputs[i] =
        (TtPiBytes){ bytes + blocks[i].at, (gsize) MIN (blocks[i].size, TT_PI_KEPT_OUTPUT), blocks[i].size };
  if (!record.is_kept)
    tt_pi_window_advance (&self->window, record.at);
  return TT_PI_OUTCOME_CALL;
}
