/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* A call as one line of compact JSON: written piece by piece, for recordings have millions. */
#include "formats/pi/print/print.h"

#include <string.h>

#define LIMIT 65536

static void
put_key (TtOutput *out, const TtPiCall *call, guint index, gboolean *is_first)
{
  const TtPiFunction *function = call->function;

  if (!*is_first)
    tt_output_literal (out, ",");
  *is_first = FALSE;
  if (function != NULL && function->params != NULL && index < function->n_params)
    tt_output_json_string (out, function->params[index].name);
  else
    tt_output_printf (out, "\"%u\"", index);
  tt_output_literal (out, ":");
}

static void
put_raw_text (TtOutput *out, const char *bytes, gsize len)
{
  g_autofree char *text = g_strndup (bytes, len);

  tt_output_json_string (out, text);
}

static gboolean
is_number (const char *text)
{
  const char *digits = *text == '-' ? text + 1 : text;

  return *digits != '\0' && strspn (digits, "0123456789") == strlen (digits) && (*digits != '0' || digits[1] == '\0');
}

/* Numbers, true and false as they are, NULL as null, everything else as a string. */
static void
put_shown (TtOutput *out, const char *text)
{
  if (is_number (text) || g_str_equal (text, "true") || g_str_equal (text, "false"))
    tt_output_text (out, text);
  else if (g_str_equal (text, "NULL"))
    tt_output_literal (out, "null");
  else
    tt_output_json_string (out, text);
}

static void
put_args (TtOutput *out, const TtPiCall *call, GString *text)
{
  gboolean is_first = TRUE;

  tt_output_literal (out, ",\"args\":{");
  for (guint i = 0; i < call->n_args; i++)
    {
      put_key (out, call, i, &is_first);
      g_string_truncate (text, 0);
      if (call->args[i].text != NULL)
        {
          put_raw_text (out, call->args[i].text, call->args[i].text_len);
          continue;
        }
      tt_pi_arg_append (text, call, i, NULL, LIMIT);
      put_shown (out, text->str);
    }
  tt_output_literal (out, "}");
}

static void
put_objects (TtOutput *out, const TtPiCall *call, const TtPiHandles *handles, GString *text)
{
  gboolean is_first = TRUE;

  tt_output_literal (out, ",\"objects\":{");
  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiHandle *handle = tt_pi_handles_arg (handles, i);

      if (handle == NULL)
        continue;
      put_key (out, call, i, &is_first);
      g_string_printf (text, "%s#%" G_GUINT64_FORMAT, handle->type, handle->number);
      tt_output_literal (out, "{\"object\":");
      tt_output_json_string (out, text->str);
      if (handle->label != NULL)
        {
          tt_output_literal (out, ",\"label\":");
          tt_output_json_string (out, handle->label);
        }
      if (handle->is_new)
        tt_output_literal (out, ",\"created\":true");
      if (handle->is_inferred && (handle->is_new || handle->is_first))
        tt_output_literal (out, ",\"inferred\":true");
      tt_output_literal (out, "}");
    }
  tt_output_literal (out, "}");
}

static void
put_inputs (TtOutput *out, const TtPiCall *call, const TtPiHandles *handles, GString *text)
{
  gboolean is_first = TRUE;

  tt_output_literal (out, ",\"inputs\":{");
  for (guint i = 0; i < call->n_args; i++)
    {
      g_string_truncate (text, 0);
      if (!tt_pi_input_append (text, call, i, handles, LIMIT))
        continue;
      put_key (out, call, i, &is_first);
      put_shown (out, text->str);
    }
  tt_output_literal (out, "}");
}

static void
put_outputs (TtOutput *out, const TtPiCall *call, const TtPiHandles *handles, GString *text)
{
  gboolean is_first = TRUE;
  TtPiBytes bytes;

  tt_output_literal (out, ",\"outputs\":{");
  for (guint i = 0; i < call->n_args; i++)
    {
      g_string_truncate (text, 0);
      if (!tt_pi_output_append (text, call, i, handles, LIMIT))
        continue;
      put_key (out, call, i, &is_first);
      if (tt_pi_output_find (call, i, &bytes) && tt_pi_output_is_text (call, i, &bytes))
        put_raw_text (out, (const char *) bytes.bytes, bytes.len);
      else
        put_shown (out, text->str);
    }
  tt_output_literal (out, "}");
}

static void
put_flags (TtOutput *out, const TtPiCall *call)
{
  static const char *const names[] = { "in_progress", "end_before_start", "args_differ", "text_unended" };
  gboolean is_first = TRUE;

  tt_output_literal (out, ",\"flags\":[");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (call->flags >> i & 1)
      {
        tt_output_printf (out, "%s\"%s\"", is_first ? "" : ",", names[i]);
        is_first = FALSE;
      }
  tt_output_literal (out, "]");
}

static void
put_result (TtOutput *out, const TtPiCall *call)
{
  const char *name = tt_pi_result_name (call->function == NULL ? TT_PI_API_PI : (TtPiApi) call->function->api,
                                        call->result, call->release);

  if (call->flags & TT_PI_CALL_IN_PROGRESS)
    {
      tt_output_literal (out, ",\"result\":null");
      return;
    }
  tt_output_printf (out, ",\"result\":%d", call->result);
  if (name != NULL)
    {
      tt_output_literal (out, ",\"result_name\":");
      tt_output_json_string (out, name);
    }
  tt_output_text (out, tt_pi_call_failed (call) ? ",\"failed\":true" : ",\"failed\":false");
}

void
tt_pi_json_call (TtOutput *out, const TtPiCall *call, const TtPiHandles *handles, const TtPiLine *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const char *backend = call->backend < 0 ? NULL : tt_pi_backend_name (call->backend);

  tt_output_printf (out, "{\"number\":%" G_GUINT64_FORMAT ",\"thread\":", line->number);
  tt_output_json_string (out, line->thread);
  tt_output_literal (out, ",\"name\":");
  tt_output_json_string (out, call->name);
  tt_output_printf (out,
                    ",\"id\":%u,\"start_ns\":%" G_GUINT64_FORMAT ",\"dur_ns\":%" G_GUINT64_FORMAT
                    ",\"record\":%" G_GUINT64_FORMAT ",\"offset\":%" G_GUINT64_FORMAT,
                    call->id, call->start_ns, tt_pi_call_duration_ns (call), call->record, call->offset);
  put_result (out, call);
  if (backend != NULL)
    tt_output_printf (out, ",\"backend\":\"%s\"", backend);
  else if (call->backend >= 0)
    tt_output_printf (out, ",\"backend\":%d", call->backend);
  put_flags (out, call);
  put_args (out, call, text);
  put_objects (out, call, handles, text);
  put_inputs (out, call, handles, text);
  put_outputs (out, call, handles, text);
  if (call->memory_file != NULL)
    {
      tt_output_literal (out, ",\"contents\":");
      tt_output_json_string (out, call->memory_file);
    }
  tt_output_literal (out, "}\n");
}
