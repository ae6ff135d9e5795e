/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* tracetool's own listing: a line per call, arguments and outputs by name. */
#include "formats/pi/print/print.h"

#include "formats/pi/print/value-private.h"

#include <string.h>

#define NUMBER_WIDTH 8
#define START_WIDTH 14
#define TIME_WIDTH 11
#define NAME_WIDTH 26
#define VERBOSE_LIMIT 65536
#define RED "\x1b[31m"
#define PLAIN "\x1b[0m"

/* -- parts of a line ------------------------------------------------------------------------------------- */

/* Inserts spaces at @start, so that the text from there is @width wide. */
static void
align_right (GString *to, gsize start, gsize width)
{
  static const char spaces[] = "                ";
  gsize len = to->len - start;

  if (len < width)
    g_string_insert_len (to, (gssize) start, spaces, (gssize) MIN (width - len, sizeof spaces - 1));
}

static void
append_number (GString *to, guint64 number, gsize width)
{
  gsize start = to->len;

  tt_pi_append_uint (to, number);
  align_right (to, start, width);
}

/* Nanoseconds as microseconds, right-aligned. */
static void
append_us (GString *to, guint64 ns, gsize width, gboolean has_ns)
{
  gsize start = to->len;

  tt_pi_append_uint (to, ns / 1000);
  if (has_ns)
    g_string_append_printf (to, ".%03u", (guint) (ns % 1000));
  align_right (to, start, width);
}

static const char *
param_name (const TtPiCall *call, guint index)
{
  return call->function != NULL && call->function->params != NULL && index < call->function->n_params
             ? call->function->params[index].name
             : NULL;
}

/* A pointer is shown as what it points to when the call begins; what it points to at the end follows. */
static void
append_value (GString *to, const TtPiCall *call, guint index, const TtPiHandles *handles, gsize limit)
{
  const TtPiHandle *handle = tt_pi_handles_arg (handles, index);

  if (!tt_pi_input_append (to, call, index, handles, limit))
    tt_pi_arg_append (to, call, index, handles, limit);
  if (handle != NULL && handle->is_new)
    {
      g_string_append (to, " -> ");
      tt_pi_handle_append (to, handle);
      return;
    }

  if (call->result != 0 || (call->n_outputs == 0 && call->args[index].after.bytes == NULL))
    return;
  gsize arrow = to->len;
  g_string_append (to, " -> ");
  if (!tt_pi_output_append (to, call, index, handles, limit))
    g_string_truncate (to, arrow);
}

static void
append_end (GString *to, const TtPiCall *call)
{
  if (call->flags & TT_PI_CALL_IN_PROGRESS)
    {
      g_string_append (to, " = never returned");
      return;
    }
  g_string_append (to, " = ");
  tt_pi_result_append (to, call);
  if (tt_pi_result_is_probing (call->function, call->result, call->release))
    g_string_append (to, ", a query refused");
  if (call->flags & TT_PI_CALL_END_BEFORE_START)
    g_string_append (to, " [end before start]");
  if (call->flags & TT_PI_CALL_ARGS_DIFFER)
    g_string_append (to, " [arguments differ from the table]");
}

void
tt_pi_named_text (GString *to, const TtPiCall *call, const TtPiHandles *handles)
{
  tt_pi_text_append (to, call->name, strlen (call->name), FALSE);
  g_string_append_c (to, '(');
  for (guint i = 0; i < call->n_args; i++)
    {
      const char *name = param_name (call, i);

      if (i > 0)
        g_string_append_len (to, ", ", 2);
      if (name != NULL)
        {
          g_string_append (to, name);
          g_string_append_c (to, '=');
        }
      append_value (to, call, i, handles, TT_PI_TEXT_LIMIT);
    }
  if (call->memory_file != NULL)
    {
      g_string_append (to, call->n_args > 0 ? ", contents in buffers/" : "contents in buffers/");
      tt_pi_text_append (to, call->memory_file, strlen (call->memory_file), FALSE);
    }
  g_string_append_c (to, ')');
  append_end (to, call);
}

/* -- lines ------------------------------------------------------------------------------------------------- */

void
tt_pi_named_heading (GString *to, guint thread_width)
{
  g_string_append_printf (to, "  %*s %*s %*s  %-*s  Call\n", NUMBER_WIDTH, "Number", START_WIDTH, "Start (us)",
                          TIME_WIDTH, "Time (us)", (int) thread_width, "Thread");
}

static void
append_arguments (GString *to, const TtPiCall *call, const TtPiHandles *handles)
{
  for (guint i = 0; i < call->n_args; i++)
    {
      const char *name = param_name (call, i);

      g_string_append_printf (to, "%*s  %-*s ", NUMBER_WIDTH, "", NAME_WIDTH, name != NULL ? name : "");
      append_value (to, call, i, handles, VERBOSE_LIMIT);
      g_string_append_c (to, '\n');
    }
  g_string_append_printf (
      to, "%*s  %-*s %" G_GUINT64_FORMAT " at byte %" G_GUINT64_FORMAT ", function id %u, captured outputs %u",
      NUMBER_WIDTH, "", NAME_WIDTH, "(record)", call->record, call->offset, call->id, call->n_outputs);
  if (call->backend >= 0)
    {
      const char *name = tt_pi_backend_name (call->backend);

      g_string_append (to, ", backend ");
      if (name != NULL)
        g_string_append (to, name);
      else
        g_string_append_printf (to, "%d", call->backend);
    }
  if (call->memory_file != NULL)
    {
      g_string_append (to, ", contents in buffers/");
      tt_pi_text_append (to, call->memory_file, strlen (call->memory_file), FALSE);
    }
  g_string_append_c (to, '\n');
}

void
tt_pi_named_call (GString *to, const TtPiCall *call, const TtPiHandles *handles, const TtPiLine *line)
{
  gboolean is_failed = tt_pi_call_failed (call) || (call->flags & TT_PI_CALL_IN_PROGRESS) != 0;

  if (is_failed && line->has_colours)
    g_string_append (to, RED);
  g_string_append_len (to, is_failed ? "! " : "  ", 2);
  append_number (to, line->number, NUMBER_WIDTH);
  g_string_append_c (to, ' ');
  append_us (to, call->start_ns, START_WIDTH, line->has_ns);
  g_string_append_c (to, ' ');
  append_us (to, tt_pi_call_duration_ns (call), TIME_WIDTH, line->has_ns);
  g_string_append_len (to, "  ", 2);
  g_string_append (to, line->thread);
  for (glong n = g_utf8_strlen (line->thread, -1); n < (glong) line->thread_width; n++)
    g_string_append_c (to, ' ');
  g_string_append_len (to, "  ", 2);
  if (line->is_verbose)
    {
      tt_pi_text_append (to, call->name, strlen (call->name), FALSE);
      append_end (to, call);
    }
  else
    tt_pi_named_text (to, call, handles);
  if (is_failed && line->has_colours)
    g_string_append (to, PLAIN);
  g_string_append_c (to, '\n');
  if (line->is_verbose)
    append_arguments (to, call, handles);
}
