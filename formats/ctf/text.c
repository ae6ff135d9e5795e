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

static const char codeptr_key[] = "\"codeptr\":\"";
#define CODEPTR_ROOM (sizeof codeptr_key + TT_MOST_DIGITS)

static char *
put_codeptr (char *at, guint64 codeptr)
{
  memcpy (at, codeptr_key, sizeof codeptr_key);
  at = tt_put_hex (at + sizeof codeptr_key - 1, codeptr);
  *at++ = '"';
  return at;
}

/* With a comma before it, unless it comes first. */
static inline char *
put_key (char *at, const TtCtfArgument *argument, gboolean is_first)
{
  const char *key = argument->key + is_first;
  const gsize len = argument->key_len - is_first;

  for (gsize i = 0; i < len; i += 8)
    memcpy (at + i, key + i, 8);
  return at + len;
}

static inline char *
put_number (char *at, const TtCtfArgument *argument, const TtCtfEvent *event)
{
  guint64 value;

  if (argument->form == TT_CTF_FORM_NUMBER)
    return tt_ctf_put_number (event, argument->member, at);
  memcpy (&value, event->slots + (gsize) argument->member->slot * 8, sizeof value);
  return argument->form == TT_CTF_FORM_SIGNED ? tt_put_signed (at, (gint64) value) : tt_put_decimal (at, value);
}

static void
append_numbers (GString *json, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const TtCtfArgument *arguments = (const TtCtfArgument *) (gconstpointer) binding->args->data;
  char *at;

  tt_reserve (json, binding->args_room);
  at = json->str + json->len;
  for (guint i = 0, n = binding->args->len; i < n; i++)
    {
      at = put_key (at, &arguments[i], i == 0 && json->len == 1);
      at = put_number (at, &arguments[i], event);
    }
  *at = '\0';
  json->len = (gsize) (at - json->str);
}

/* FALSE: they become longer than @most bytes. */
static gboolean
append_values (GString *json, const TtCtfBinding *binding, const TtCtfEvent *event, guint64 most)
{
  for (guint i = 0; i < binding->args->len; i++)
    {
      const TtCtfArgument *argument = &g_array_index (binding->args, TtCtfArgument, i);
      const gsize skipped = json->len == 1;

      tt_append (json, argument->key + skipped, argument->key_len - skipped);
      tt_ctf_append_json (event, argument->member, json);
      if (G_UNLIKELY (json->len > most))
        return FALSE;
    }
  return TRUE;
}

/* Makes them of self->json; FALSE: there are none. */
static gboolean
make_args (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  GString *json = self->json;
  guint64 codeptr = binding->span == NULL || binding->is_begin ? read_codeptr (binding, event) : 0;
  gboolean has_codeptr = codeptr != 0 && binding->wants_codeptr;
  gboolean is_outgrown = event->is_outgrown;

  if (!has_codeptr && binding->args->len == 0)
    return FALSE;
  if (G_LIKELY (!is_outgrown))
    {
      json->len = 0;
      tt_reserve (json, CODEPTR_ROOM);
      json->str[json->len++] = '{';
      if (has_codeptr)
        json->len = (gsize) (put_codeptr (json->str + 1, codeptr) - json->str);
      if (G_UNLIKELY (!binding->are_numbers))
        is_outgrown = !append_values (json, binding, event, self->args_room);
      else if (binding->args->len > 0)
        {
          append_numbers (json, binding, event);
          is_outgrown = json->len > self->args_room;
        }
    }
  if (G_UNLIKELY (is_outgrown))
    {
      tt_sink_repair (self->sink, TT_REPAIR_ARGS_OUTGROW, tt_ctf_event_number (self, event));
      return FALSE;
    }
  tt_append (json, "}", 1);
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
