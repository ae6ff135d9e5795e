/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file of a PI trace: opened under a name that says what it should be, read to the end, merged, imported
 * into a sink that keeps nothing.
 */
#pragma once

#include "config.h"

#include "formats/pi/args-forms.h"
#include "formats/pi/device.h"
#include "formats/pi/flows.h"
#include "formats/pi/print/print.h"
#include "formats/pi/trace.h"
#include "src/store/args-format.h"
#include "tests/fuzz/memory-file.h"

#include <glib/gstdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static char *fuzz_directory, *fuzz_path;

static void
remove_directory (void)
{
  g_unlink (fuzz_path);
  g_rmdir (fuzz_directory);
}

/* A form with its numbers is the text. */
static void
check_form (const TtPiCall *call, TtPiArgsJson *json, TtPiArgsForms *forms)
{
  gint64 numbers[TT_ARGS_FORM_MOST_NUMBERS];
  gsize len;
  const TtPiArgsForm *form = tt_pi_args_forms_find (forms, call, numbers, &len);
  g_autoptr (GString) text = g_string_new (NULL);

  if (form == NULL)
    return;
  g_assert_true (tt_args_fill (form->format, strlen (form->format), numbers, form->n_numbers, text));
  g_assert_true (tt_pi_args_json_make (json, call));
  g_assert_cmpmem (text->str, text->len, json->text, json->len);
  g_assert_cmpuint (len, ==, json->len);
}

/* One call through all that reads it. */
static void
use_call (const TtPiCall *call, TtPiArgsJson *json, TtPiHandles *handles, TtPiFlows *flows, guint64 event)
{
  volatile guint8 sum = 0;

  g_assert_true (call->name != NULL && call->n_args <= TT_PI_MAX_PARAMS && call->n_outputs <= TT_PI_MAX_OUTPUTS);
  for (guint i = 0; i < call->n_args; i++)
    for (gsize k = 0; call->args[i].text != NULL && k < call->args[i].text_len; k++)
      sum = (guint8) (sum + (guint8) call->args[i].text[k]);
  for (guint i = 0; i < call->n_outputs; i++)
    {
      g_assert_cmpuint (call->outputs[i].len, <=, call->outputs[i].size);
      for (gsize k = 0; k < call->outputs[i].len; k++)
        sum = (guint8) (sum + call->outputs[i].bytes[k]);
    }
  if (tt_pi_args_json_make (json, call))
    g_assert_true (g_utf8_validate (json->text, (gssize) json->len, NULL));
  tt_pi_handles_call (handles, call, event);
  tt_pi_flows_call (flows, call, handles, event);
}

static void
read_trace (const char *path, gboolean salvage)
{
  const TtPiOptions options = { .ids = -1, .salvage = salvage };
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiTrace) trace = tt_pi_trace_open (path, &options, &error);
  g_autoptr (TtSink) sink = tt_null_sink_new (tt_names_new (NULL));
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  g_autoptr (TtPiArgsForms) forms = NULL;
  TtPiArgsJson json;
  const TtPiCall *call;
  guint64 last = 0, event = 0;
  guint thread;

  g_assert_true ((trace == NULL) == (error != NULL));
  if (trace == NULL)
    return;
  g_autoptr (TtPiMerge) merge = tt_pi_merge_new (trace, &error);
  tt_pi_args_json_init (&json, NULL);
  forms = tt_pi_args_forms_new (&json);
  tt_sink_begin_source (sink, "pi", "fuzz", TT_CLOCK_RELATIVE);
  guint32 process = tt_sink_process (sink, "fuzz", NULL, NULL, -1);
  g_autoptr (TtPiTasks) tasks = tt_pi_tasks_new (sink, process);
  g_autoptr (TtPiFlows) flows = tt_pi_flows_new (sink, tasks);
  g_autoptr (TtPiDevice) device = tt_pi_device_new (sink, process, tasks);
  tt_pi_trace_tell_times (trace, (TtPiTimesOfCommand) tt_pi_device_times, device);
  while (merge != NULL && (call = tt_pi_merge_next (merge, &thread, &error)) != NULL)
    {
      g_assert_cmpuint (thread, <, tt_pi_trace_n_threads (trace));
      g_assert_cmpuint (call->start_ns, >=, last);
      last = call->start_ns;
      tt_pi_tasks_add (tasks, ++event, 0, TT_TASK_COMMAND, call->name);
      check_form (call, &json, forms);
      use_call (call, &json, handles, flows, event);
      tt_pi_device_call (device, call, handles, event);
    }
  tt_pi_device_finish (device);
  tt_pi_tasks_finish (tasks);
  tt_pi_args_json_clear (&json);
}

static int
fuzz_file (const char *name, const guint8 *bytes, size_t len)
{
  if (fuzz_directory == NULL)
    {
      fuzz_directory = g_dir_make_tmp ("tracetool-fuzz-XXXXXX", NULL);
      g_assert (fuzz_directory != NULL);
      fuzz_path = g_build_filename (fuzz_directory, name, NULL);
      atexit (remove_directory);
    }
  fuzz_named_file (fuzz_path, bytes, len);
  read_trace (fuzz_path, len % 2 == 1);
  return 0;
}
