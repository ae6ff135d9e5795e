/* SPDX-License-Identifier: Apache-2.0 */
/* Names that hold no text of the event are made once for each number in `sub` and kept in the binding. */
#include "config.h"

#include "formats/ctf/text.h"

#include "formats/ctf/binaries.h"
#include "formats/ctf/labels.h"
#include "src/base/append.h"
#include "src/base/digits.h"

#include <string.h>

#define MAX_NAME_BYTES ((gsize) 1 << 12)

/* -- arguments ----------------------------------------------------------------------------------------------- */

static guint64
read_codeptr (const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 codeptr = 0;

  tt_ctf_integer (event, binding->codeptr, &codeptr);
  return (guint64) codeptr;
}

static void
append_codeptr (GString *json, guint64 codeptr)
{
  static const char key[] = "\"codeptr\":\"";
  char text[sizeof key + TT_MOST_DIGITS], *at = text + sizeof key - 1;

  memcpy (text, key, sizeof key);
  at = tt_put_hex (at, codeptr);
  *at++ = '"';
  tt_append (json, text, (gsize) (at - text));
}

static void
append_argument (GString *json, const TtCtfArgument *argument, const TtCtfEvent *event)
{
  const gsize skipped = json->len == 1, len = argument->key_len - skipped;
  char *at;

  tt_reserve (json, len + TT_CTF_KEY_ROOM + TT_CTF_MOST_DIGITS);
  at = json->str + json->len;
  for (gsize i = 0; i < len; i += 8)
    memcpy (at + i, argument->key + skipped + i, 8);
  at += len;
  if (G_LIKELY (argument->is_number))
    at = tt_ctf_put_number (event, argument->member, at);
  *at = '\0';
  json->len = (gsize) (at - json->str);
  if (!argument->is_number)
    tt_ctf_append_json (event, argument->member, json);
}

/* Makes them of self->json; FALSE: there are none. */
static gboolean
make_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  GString *json = self->json;
  guint64 codeptr = binding->span == NULL || binding->is_begin ? read_codeptr (binding, event) : 0;
  gboolean has_codeptr = codeptr != 0 && binding->wants_codeptr;

  if (!has_codeptr && binding->args->len == 0)
    return FALSE;
  if (G_UNLIKELY (event->is_outgrown))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ARGS_OUTGROW, tt_ctf_event_number (self, event));
      return FALSE;
    }
  json->len = 0;
  g_string_append_c (json, '{');
  if (has_codeptr)
    append_codeptr (json, codeptr);
  for (guint i = 0; i < binding->args->len; i++)
    {
      append_argument (json, &g_array_index (binding->args, TtCtfArgument, i), event);
      if (G_UNLIKELY (json->len > self->args_room))
        {
          tt_sink_repair (self->sink, TT_REPAIR_ARGS_OUTGROW, tt_ctf_event_number (self, event));
          return FALSE;
        }
    }
  g_string_append_c (json, '}');
  self->args_room -= MIN (json->len, self->args_room);
  return TRUE;
}

guint64
tt_ctf_event_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  return make_args (self, binding, event) ? tt_sink_args (self->sink, self->json->str, self->json->len) : 0;
}

guint64
tt_ctf_side_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  if (!make_args (self, binding, event))
    return 0;
  return binding->has_equal_keys ? tt_sink_hold_args (self->sink, self->json->str, self->json->len)
                                 : tt_sink_hold_plain_args (self->sink, self->json->str, self->json->len);
}

/* -- names ----------------------------------------------------------------------------------------------------- */

static guint32
add_name (TtCtfSession *self, const TtCtfBinding *binding, const char *op, const char *sub_op)
{
  const TtCtfSpanRule *span = binding->span;
  const TtRawName raw = {
    .raw = op,
    .group = binding->provider,
    .op_cat = span != NULL            ? span->op_cat
              : binding->fact != NULL ? binding->fact->op_cat
                                      : NULL,
    .sub_op = sub_op,
  };

  return tt_sink_name (self->sink, &raw);
}

static char *
read_op (const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const char *text = tt_ctf_text (event, binding->op_text);
  gint64 number;

  if (text != NULL && *text != '\0')
    {
      g_autofree char *cut = g_strndup (text, MAX_NAME_BYTES);
      return g_utf8_make_valid (cut, -1);
    }
  if (tt_ctf_integer (event, binding->op_text, &number) && binding->op_text->labels != NULL)
    {
      g_autofree char *made = NULL;
      const char *label = tt_ctf_label (binding->op_text->labels, (guint64) number, &made);
      if (label != NULL)
        return g_utf8_make_valid (label, -1);
    }
  if (tt_ctf_integer (event, binding->op_text, &number))
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) number);
  return g_strdup (binding->op);
}

guint32
tt_ctf_event_name (TtCtfSession *self, TtCtfBinding *binding, const TtCtfEvent *event, gboolean *is_zero)
{
  const TtCtfSpanRule *span = binding->span;
  const char *sub_op = span != NULL ? span->sub_op : NULL, *word;
  const TtCtfWord *words = span != NULL ? span->words : binding->fact != NULL ? binding->fact->words : NULL;
  gint64 sub = 0;

  *is_zero = span != NULL && span->zero_op != NULL && read_codeptr (binding, event) == 0;
  if (self->binaries != NULL && span != NULL && span->kind == TT_CTF_FUNCTION && self->current != NULL &&
      tt_ctf_integer (event, binding->op_text, &sub))
    {
      guint32 function = tt_ctf_binaries_name (self, self->current, (guint64) sub);

      if (function != TT_NO_ID)
        return function;
    }
  if (binding->op_text != NULL)
    {
      g_autofree char *op = read_op (binding, event);
      return add_name (self, binding, op, sub_op);
    }
  gboolean has_sub = tt_ctf_integer (event, binding->sub, &sub);
  guint32 *cached = sub >= 0 && sub < TT_CTF_NAMES ? &binding->names[*is_zero][sub] : NULL;
  if (cached != NULL && *cached != TT_NO_ID)
    return *cached;
  word = has_sub ? tt_ctf_word (words, sub) : NULL;
  guint32 name = add_name (self, binding, *is_zero ? span->zero_op : binding->op, word != NULL ? word : sub_op);
  if (cached != NULL)
    *cached = name;
  return name;
}
