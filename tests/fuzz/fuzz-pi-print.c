/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/print/print.h"

#include <string.h>

/* Any bytes as a row of calls with any arguments, texts and outputs, printed in every style: each gives lines of
 * printable UTF-8, whatever stands in them. */

#define MOST_CALLS 64

typedef struct
{
  const guint8 *at, *end;
} Bytes;

static guint64
take (Bytes *self, gsize n)
{
  guint64 value = 0;

  for (gsize i = 0; i < n && self->at < self->end; i++)
    value = value << 8 | *self->at++;
  return value;
}

/* Up to 63 bytes; @bytes NULL: none were recorded. */
static TtPiBytes
take_bytes (Bytes *self)
{
  gsize size = (gsize) take (self, 1);
  gsize len = MIN (size % 64, (gsize) (self->end - self->at));
  TtPiBytes bytes = { size < 128 ? self->at : NULL, len, len + size / 32 % 2 * 1000 };

  if (bytes.bytes == NULL)
    return (TtPiBytes){ 0 };
  self->at += len;
  return bytes;
}

static void
take_arg (Bytes *self, TtPiArg *arg)
{
  guint kind = (guint) take (self, 1);

  arg->tag = (guint8) (kind % 6);
  arg->value = kind < 64 ? 0 : kind < 192 ? kind % 8 : take (self, 8);
  if (kind % 16 == 7)
    {
      const TtPiBytes text = take_bytes (self);

      arg->text = (const char *) text.bytes;
      arg->text_len = text.len;
    }
  if (kind % 8 == 3)
    arg->before = take_bytes (self);
  if (kind % 8 == 5)
    arg->after = take_bytes (self);
}

static void
take_call (Bytes *self, guint64 number, TtPiCall *call)
{
  guint index = (guint) take (self, 2) % (tt_pi_n_functions + 1);
  static const gint32 results[] = { 0, 0, -30, -61, -12345, 4 };

  memset (call, 0, sizeof *call);
  call->function = index == tt_pi_n_functions ? NULL : &tt_pi_functions[index];
  call->name = call->function != NULL ? call->function->name : number % 2 == 0 ? "pi#5" : "own\x1b[1m\xff";
  call->backend = (gint32) take (self, 1) - 1;
  call->result = results[take (self, 1) % G_N_ELEMENTS (results)];
  call->flags = (guint32) take (self, 1) & 15;
  call->start_ns = take (self, 3);
  call->end_ns = take (self, 3);
  call->n_args = (guint) take (self, 1) % (TT_PI_MAX_PARAMS + 1);
  if (call->function != NULL && call->n_args % 4 != 0)
    call->n_args = call->function->n_params;
  for (guint i = 0; i < call->n_args; i++)
    take_arg (self, &call->args[i]);
  for (guint n = (guint) take (self, 1) % 3; call->n_outputs < n;)
    call->outputs[call->n_outputs++] = take_bytes (self);
  for (guint i = 0; i < call->n_outputs; i++)
    if (call->outputs[i].bytes == NULL)
      call->outputs[i].bytes = (const guint8 *) "";
}

static void
check_text (const char *text, gsize len)
{
  const char *end;

  if (!g_utf8_validate (text, (gssize) len, &end))
    g_error ("not UTF-8 at %" G_GSIZE_FORMAT " of: %s", (gsize) (end - text), text);
  for (const char *at = text; at < text + len; at = g_utf8_next_char (at))
    if (*at != '\n' && !g_unichar_isprint (g_utf8_get_char (at)))
      g_error ("character %x in: %s", g_utf8_get_char (at), text);
}

static void
check_output (TtOutput *out)
{
  GString *text = tt_output_steal_text (out);

  check_text (text->str, text->len);
  g_string_free (text, TRUE);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  Bytes rest = { bytes, bytes + len };
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  g_autoptr (TtPiClassicPerf) perf = tt_pi_classic_perf_new ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  TtPiCall call;

  for (guint64 number = 1; rest.at < rest.end && number <= MOST_CALLS; number++)
    {
      TtPiLine line = { .number = number, .thread = "t", .thread_width = 3 };
      g_autoptr (GString) text = g_string_new (NULL);

      take_call (&rest, number, &call);
      tt_pi_handles_call (handles, &call, number);
      tt_pi_named_call (text, &call, handles, &line);
      g_assert_true (strchr (text->str, '\n') == text->str + text->len - 1);
      line.is_verbose = TRUE;
      tt_pi_named_call (text, &call, handles, &line);
      check_text (text->str, text->len);

      tt_pi_classic_call (out, &call, "t", "t");
      tt_pi_classic_perf_add (perf, &call);
      check_output (out);
      tt_pi_json_call (out, &call, handles, &line);
      GString *json = tt_output_steal_text (out);
      g_assert_true (g_utf8_validate (json->str, (gssize) json->len, NULL) &&
                     strchr (json->str, '\n') == json->str + json->len - 1);
      g_string_free (json, TRUE);
    }
  tt_pi_classic_perf_write (perf, out);
  check_output (out);
  return 0;
}
