/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/kineto/kineto.h"

#include <string.h>

typedef enum
{
  KINETO_ARG_OTHER,
  KINETO_ARG_SEQ,
  KINETO_ARG_RANK,
  KINETO_ARG_BYTES,
  KINETO_ARG_STREAM,
  KINETO_ARG_CORRELATION,
  KINETO_ARG_FORWARD_THREAD,
  KINETO_ARG_WAIT_ON_STREAM,
  KINETO_ARG_SEQUENCE_NUMBER,
  KINETO_ARG_COLLECTIVE,
  KINETO_ARG_INPUTS,
  KINETO_ARG_GROUP,
  KINETO_ARG_RANKS,
  KINETO_ARG_WAITS_FOR,
} KinetoArg;

static KinetoArg
kineto_arg (TtSlice key)
{
  switch (key.len)
    {
    case 3:
      return TT_SLICE_IS (key, "Seq") ? KINETO_ARG_SEQ : KINETO_ARG_OTHER;
    case 4:
      return TT_SLICE_IS (key, "Rank") ? KINETO_ARG_RANK : KINETO_ARG_OTHER;
    case 5:
      return TT_SLICE_IS (key, "Bytes") ? KINETO_ARG_BYTES : KINETO_ARG_OTHER;
    case 6:
      return TT_SLICE_IS (key, "stream") ? KINETO_ARG_STREAM : KINETO_ARG_OTHER;
    case 11:
      return TT_SLICE_IS (key, "correlation") ? KINETO_ARG_CORRELATION : KINETO_ARG_OTHER;
    case 13:
      return TT_SLICE_IS (key, "Fwd thread id") ? KINETO_ARG_FORWARD_THREAD : KINETO_ARG_OTHER;
    case 14:
      return TT_SLICE_IS (key, "wait_on_stream") ? KINETO_ARG_WAIT_ON_STREAM : KINETO_ARG_OTHER;
    case 15:
      return TT_SLICE_IS (key, "Sequence number")   ? KINETO_ARG_SEQUENCE_NUMBER
             : TT_SLICE_IS (key, "Collective name") ? KINETO_ARG_COLLECTIVE
             : TT_SLICE_IS (key, "Concrete Inputs") ? KINETO_ARG_INPUTS
                                                    : KINETO_ARG_OTHER;
    case 18:
      return TT_SLICE_IS (key, "Process Group Name") ? KINETO_ARG_GROUP : KINETO_ARG_OTHER;
    case 19:
      return TT_SLICE_IS (key, "Process Group Ranks") ? KINETO_ARG_RANKS : KINETO_ARG_OTHER;
    case 33:
      return TT_SLICE_IS (key, "wait_on_cuda_event_record_corr_id") ? KINETO_ARG_WAITS_FOR : KINETO_ARG_OTHER;
    default:
      return KINETO_ARG_OTHER;
    }
}

/* What several arguments say together. */
typedef struct
{
  gboolean is_backward, has_number;
} Autograd;

/* -1: it is none. */
static gint64
read_number (const TtJsonValue *value)
{
  gint64 number;

  return tt_json_int64 (value, &number) ? number : -1;
}

static gint64
read_sequence (const TtJsonValue *value)
{
  gint64 sequence = read_number (value);

  return sequence < 0 || sequence > TT_MAX_CALL_SEQUENCE ? -1 : sequence;
}

static void
take_arg (KinetoArgs *parsed, Autograd *autograd, KinetoArg arg, const TtJsonValue *value)
{
  switch (arg)
    {
    case KINETO_ARG_SEQ:
      parsed->sequence = read_sequence (value);
      break;
    case KINETO_ARG_RANK:
      parsed->root = read_number (value);
      break;
    case KINETO_ARG_BYTES:
      parsed->bytes = *value;
      break;
    case KINETO_ARG_STREAM:
      parsed->stream = read_number (value);
      break;
    case KINETO_ARG_CORRELATION:
      parsed->has_correlation = tt_json_uint64 (value, &parsed->correlation) && parsed->correlation != 0;
      break;
    case KINETO_ARG_FORWARD_THREAD:
      autograd->is_backward = read_number (value) > 0;
      break;
    case KINETO_ARG_WAIT_ON_STREAM:
      parsed->waits_on = read_number (value);
      break;
    case KINETO_ARG_SEQUENCE_NUMBER:
      autograd->has_number = read_number (value) >= 0;
      break;
    case KINETO_ARG_COLLECTIVE:
      parsed->collective = *value;
      break;
    case KINETO_ARG_INPUTS:
      parsed->inputs = *value;
      break;
    case KINETO_ARG_GROUP:
      parsed->group = *value;
      break;
    case KINETO_ARG_RANKS:
      parsed->ranks = *value;
      break;
    case KINETO_ARG_WAITS_FOR:
      parsed->waits_for = (guint64) MAX (read_number (value), 0);
      break;
    case KINETO_ARG_OTHER:
      break;
    }
}

static void
walk_args (TtSlice args, KinetoArgs *parsed, Autograd *autograd)
{
  const char *cursor = NULL;
  TtJsonValue key, value;

  while (tt_json_member (args, &cursor, &key, &value))
    {
      g_autofree char *plain = G_UNLIKELY (key.has_escapes) ? tt_json_text (&key) : NULL;

      if (plain != NULL)
        key.raw = (TtSlice){ plain, strlen (plain) };
      take_arg (parsed, autograd, kineto_arg (key.raw), &value);
    }
}

void
tt_kineto_args (const TtTraceEvent *event, KinetoArgs *parsed)
{
  TtSlice args = event->args.raw;
  Autograd autograd = { FALSE, FALSE };

  *parsed = (KinetoArgs){ .sequence = -1, .root = -1, .stream = -1, .waits_on = -1 };
  if (event->args.kind != TT_JSON_OBJECT)
    return;
  if (event->arg_places == NULL)
    walk_args (args, parsed, &autograd);
  else
    for (guint i = 0; i < event->n_arg_places; i++)
      {
        const TtJsonMemberPlace *place = &event->arg_places[i];
        KinetoArg arg = kineto_arg ((TtSlice){ args.bytes + place->key_at, place->key_len });
        TtJsonValue value;

        if (arg == KINETO_ARG_OTHER)
          continue;
        tt_json_value_at (args, place, &value);
        take_arg (parsed, &autograd, arg, &value);
      }
  parsed->autograd = autograd.is_backward ? KINETO_BACKWARD : autograd.has_number ? KINETO_FORWARD : KINETO_PLAIN;
}
