/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/print/print.h"

#include <string.h>

/* Calls made up here, as text: values, outputs, names of objects. */

typedef struct
{
  TtPiCall call;
  guint8 memory[512];
  gsize used;
} Made;

static Made *
made_new (const char *function, gint32 result)
{
  Made *self = g_new0 (Made, 1);

  self->call.function = tt_pi_function_by_name (function);
  self->call.name = function;
  self->call.backend = -1;
  self->call.result = result;
  return self;
}

static TtPiArg *
add_arg (Made *self, guint64 value)
{
  const TtPiFunction *function = self->call.function;
  guint index = self->call.n_args++;
  TtPiArg *arg = &self->call.args[index];

  arg->value = value;
  arg->tag = function == NULL || function->params[index].kind >= TT_PI_KIND_STRING ||
                     function->params[index].kind == TT_PI_KIND_HANDLE
                 ? TT_PI_TAG_POINTER
                 : TT_PI_TAG_INT64;
  return arg;
}

static TtPiBytes
keep (Made *self, const void *bytes, gsize len)
{
  TtPiBytes kept = { self->memory + self->used, len, len };

  g_assert_cmpuint (self->used + len, <=, sizeof self->memory);
  memcpy (self->memory + self->used, bytes, len);
  self->used += len;
  return kept;
}

static void
add_output (Made *self, const void *bytes, gsize len)
{
  self->call.outputs[self->call.n_outputs++] = keep (self, bytes, len);
}

/* Frees @self; @handles NULL: a fresh start. */
static void
check_text (Made *self, TtPiHandles *handles, guint64 ordinal, const char *wanted)
{
  g_autoptr (TtPiHandles) fresh = handles == NULL ? tt_pi_handles_new () : NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  tt_pi_handles_call (handles != NULL ? handles : fresh, &self->call, ordinal);
  tt_pi_named_text (text, &self->call, handles != NULL ? handles : fresh);
  g_assert_cmpstr (text->str, ==, wanted);
  g_free (self);
}

/* -- values ------------------------------------------------------------------------------------------------- */

static void
test_kinds (void)
{
  Made *made = made_new ("piEventSetStatus", 0);

  add_arg (made, 0x1000);
  add_arg (made, 0xfffffff6);
  check_text (made, NULL, 1, "piEventSetStatus(event=event#1, execution_status=-10) = SUCCESS");

  made = made_new ("piDevicesGet", -30);
  add_arg (made, 0);
  add_arg (made, 4 | 2 | 1 << 30);
  add_arg (made, G_MAXUINT64);
  add_arg (made, 0);
  add_arg (made, 0xabcdef);
  add_output (made, "\1\0\0\0", 4);
  check_text (made, NULL, 1,
              "piDevicesGet(platform=NULL, device_type=CPU|GPU|0x40000000, num_entries=4294967295, devices=NULL, "
              "num_devices=0xabcdef) = INVALID_VALUE (-30)");

  made = made_new ("piDevicesGet", -7777);
  add_arg (made, 0);
  check_text (made, NULL, 1, "piDevicesGet(platform=NULL) = -7777");

  made = made_new ("piextContextCreateWithNativeHandle", 0);
  add_arg (made, 0x77);
  add_arg (made, 2);
  add_arg (made, 0x99);
  add_arg (made, 1);
  add_arg (made, 0);
  check_text (made, NULL, 1,
              "piextContextCreateWithNativeHandle(nativeHandle=0x77, numDevices=2, devices=0x99, "
              "ownNativeHandle=true, context=NULL) = SUCCESS");
}

static void
test_answers (void)
{
  static const struct
  {
    const char *function;
    guint64 what;
    const char *bytes;
    gsize len;
    const char *wanted;
  } cases[] = {
    { "piDeviceGetInfo", 0x102b, "GPU \"x\"\0junk", 12,
      "NAME, param_value_size=12, param_value=0x10 -> \"GPU \\\"x\\\"\"" },
    { "piDeviceGetInfo", 0x1000, "\4\0\0\0\0\0\0\0", 8, "TYPE, param_value_size=8, param_value=0x10 -> GPU" },
    { "piDeviceGetInfo", 0x1002, "\x60\0\0\0", 4, "MAX_COMPUTE_UNITS, param_value_size=4, param_value=0x10 -> 96" },
    { "piDeviceGetInfo", 0x1005, "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0", 24,
      "MAX_WORK_ITEM_SIZES, param_value_size=24, param_value=0x10 -> [1, 2, 256]" },
    { "piDeviceGetInfo", 0x1016, "\1\0\0\0", 4, "IMAGE_SUPPORT, param_value_size=4, param_value=0x10 -> true" },
    { "piDeviceGetInfo", 0x9999, "\x1b[31m\xff\0\0", 8,
      "0x9999, param_value_size=8, param_value=0x10 -> 280844441967387" },
    /* Of what has no name: a text that ends, or the bytes. */
    { "piDeviceGetInfo", 0x9999, "of 6\n\0", 7, "0x9999, param_value_size=7, param_value=0x10 -> \"of 6\\n\"" },
    { "piDeviceGetInfo", 0x9999, "\x0a\xff\0\x01\x10", 5,
      "0x9999, param_value_size=5, param_value=0x10 -> <0a ff 00 01 10>" },
    { "piPlatformGetInfo", 0x902, "a\x1b[31m\xff\xe2\x80\xae\n", 11,
      "NAME, param_value_size=11, param_value=0x10 -> \"a\\x1b[31m\\xff\\u{202e}\\n\"" },
    { "piKernelGetInfo", 0x1190, "_ZTS3add", 9, "FUNCTION_NAME, param_value_size=9, param_value=0x10 -> \"_ZTS3add\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Made *made = made_new (cases[i].function, 0);
      g_autofree char *object = g_ascii_strdown (cases[i].function + 2, (gssize) strcspn (cases[i].function + 2, "G"));
      g_autofree char *wanted =
          g_strdup_printf ("%s(%s=%s#1%s, param_name=%s, param_value_size_ret=NULL) = SUCCESS", cases[i].function,
                           object, object, g_str_equal (object, "kernel") ? " add" : "", cases[i].wanted);

      add_arg (made, 0x1000);
      add_arg (made, cases[i].what);
      add_arg (made, cases[i].len);
      add_arg (made, 0x10);
      add_arg (made, 0);
      add_output (made, cases[i].bytes, cases[i].len);
      check_text (made, NULL, 1, wanted);
    }
}

/* With one output the pointer that is not null has it. */
static void
test_size_only (void)
{
  Made *made = made_new ("piPlatformGetInfo", 0);

  add_arg (made, 0x1000);
  add_arg (made, 0x902);
  add_arg (made, 0);
  add_arg (made, 0);
  add_arg (made, 0x20);
  add_output (made, "\x11\0\0\0\0\0\0\0", 8);
  check_text (made, NULL, 1,
              "piPlatformGetInfo(platform=platform#1, param_name=NAME, param_value_size=0, param_value=NULL, "
              "param_value_size_ret=0x20 -> 17) = SUCCESS");
}

static void
test_long_text (void)
{
  Made *made = made_new ("piProgramBuild", 0);
  g_autofree char *text = g_strnfill (300, 'x');
  g_autofree char *shown = g_strnfill (TT_PI_TEXT_LIMIT, 'x');
  g_autofree char *wanted = g_strdup_printf ("piProgramBuild(program=program#1, num_devices=1, device_list=0x8, "
                                             "options=\"%s\"... (300 bytes)) = SUCCESS",
                                             shown);
  add_arg (made, 0x1000);
  add_arg (made, 1);
  add_arg (made, 8);
  TtPiArg *arg = add_arg (made, 0x30);
  arg->text = text;
  arg->text_len = 300;
  check_text (made, NULL, 1, wanted);
}

static void
test_unknown_function (void)
{
  Made *made = made_new ("pi#5000", 0);
  g_autoptr (TtOutput) out = tt_output_open_memory ();

  made->call.id = 5000;
  add_arg (made, 7)->tag = TT_PI_TAG_INT32;
  add_arg (made, 0);
  tt_pi_classic_call (out, &made->call, "t", NULL);
  GString *classic = tt_output_steal_text (out);
  g_assert_cmpstr (
      classic->str, ==,
      "THREAD : t\n----> UNKNOWN ID : 5000(\n           <unknown> : 7\n       <unknown ptr> : 0x0\n) : 0\n");
  g_string_free (classic, TRUE);
  check_text (made, NULL, 1, "pi#5000(7, NULL) = SUCCESS");
}

static void
test_flags (void)
{
  Made *made = made_new ("piQueueFinish", 0);

  add_arg (made, 0x1000);
  made->call.flags = TT_PI_CALL_IN_PROGRESS;
  check_text (made, NULL, 1, "piQueueFinish(command_queue=queue#1) = never returned");

  made = made_new ("piQueueFinish", -36);
  g_assert_true (tt_pi_call_failed (&made->call));
  made->call.flags = TT_PI_CALL_END_BEFORE_START;
  check_text (made, NULL, 1, "piQueueFinish() = INVALID_QUEUE (-36) [end before start]");

  made = made_new ("piDeviceGetInfo", -30);
  g_assert_false (tt_pi_call_failed (&made->call));
  check_text (made, NULL, 1, "piDeviceGetInfo() = INVALID_VALUE (-30), a query refused");
}

/* -- objects ---------------------------------------------------------------------------------------------------- */

static Made *
call_1 (const char *function, guint64 value)
{
  Made *made = made_new (function, 0);

  add_arg (made, value);
  return made;
}

static Made *
make_queue (guint64 context, guint64 device)
{
  Made *made = made_new ("piQueueCreate", 0);

  add_arg (made, context);
  add_arg (made, device);
  add_arg (made, 0);
  add_arg (made, 0x50);
  return made;
}

static void
test_inference (void)
{
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();

  check_text (make_queue (0xc, 0xd), handles, 1,
              "piQueueCreate(context=context#1, device=device#1, properties=0, queue=0x50 -> queue#1?) = SUCCESS");
  check_text (make_queue (0xc, 0xd), handles, 2,
              "piQueueCreate(context=context#1, device=device#1, properties=0, queue=0x50 -> queue#2?) = SUCCESS");
  check_text (call_1 ("piQueueRetain", 0xa1), handles, 3, "piQueueRetain(command_queue=queue#1?) = SUCCESS");
  g_assert_cmpuint (tt_pi_handles_arg (handles, 0)->created_by, ==, 1);
  g_assert_cmpuint (tt_pi_handles_arg (handles, 0)->touched_by, ==, TT_PI_NO_CALL);
  check_text (call_1 ("piQueueFinish", 0xa2), handles, 4, "piQueueFinish(command_queue=queue#2?) = SUCCESS");
  check_text (call_1 ("piQueueRelease", 0xa1), handles, 5, "piQueueRelease(command_queue=queue#1) = SUCCESS");
  g_assert_cmpuint (tt_pi_handles_arg (handles, 0)->touched_by, ==, 3);
  check_text (call_1 ("piQueueRelease", 0xa1), handles, 6, "piQueueRelease(command_queue=queue#1) = SUCCESS");
  /* Released as often as created and retained: the handle is another object's now, which nobody was seen to make. */
  check_text (call_1 ("piQueueFinish", 0xa1), handles, 7, "piQueueFinish(command_queue=queue#3) = SUCCESS");
  /* A failed create makes nothing. */
  Made *failed = make_queue (0xc, 0xd);
  failed->call.result = -5;
  check_text (failed, handles, 8,
              "piQueueCreate(context=context#1, device=device#1, properties=0, queue=0x50) = OUT_OF_RESOURCES (-5)");
  check_text (call_1 ("piQueueFinish", 0xa4), handles, 9, "piQueueFinish(command_queue=queue#4) = SUCCESS");
  check_text (call_1 ("piDeviceRelease", 0xd), handles, 10, "piDeviceRelease(device=device#1) = SUCCESS");
  check_text (call_1 ("piDeviceRelease", 0xd), handles, 11, "piDeviceRelease(device=device#1) = SUCCESS");
}

static void
test_kernel_names (void)
{
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  Made *made = made_new ("piKernelCreate", 0);

  add_arg (made, 0xb);
  TtPiArg *arg = add_arg (made, 0x60);
  arg->text = "_ZTSZZ4mainENKUlRN2cl4sycl7handlerEE_clES2_E10vector_add";
  arg->text_len = strlen (arg->text);
  add_arg (made, 0x70);
  check_text (made, handles, 1,
              "piKernelCreate(program=program#1, "
              "kernel_name=\"_ZTSZZ4mainENKUlRN2cl4sycl7handlerEE_clES2_E10vector_add\", "
              "ret_kernel=0x70 -> kernel#1 vector_add?) = SUCCESS");
  check_text (call_1 ("piKernelRetain", 0xe), handles, 2, "piKernelRetain(kernel=kernel#1 vector_add?) = SUCCESS");

  static const char *const names[][2] = {
    { "_ZTSZ4mainE10vector_add", "vector_add" },
    { "_ZTS3add", "add" },
    { "plain", "plain" },
    { "_ZTS3addIfE", "_ZTS3addIfE" },
    { "_ZTS5addx3", "addx3" },
    { "_Z", "_Z" },
    { "_ZTS99999999999999999999a", "_ZTS99999999999999999999a" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (tt_pi_kernel_short_name (names[i][0]), ==, names[i][1]);
}

/* A native recording of UR calls has the handles that calls return, wait lists and work sizes. */
static void
test_ur (void)
{
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  static const guint64 sizes[] = { 256, 4 }, queue = 0xa1, event = 0xe1;
  Made *made = made_new ("urQueueCreate", 0);

  add_arg (made, 0xc);
  add_arg (made, 0xd);
  add_arg (made, 0);
  add_arg (made, 0x50)->after = keep (made, &queue, 8);
  check_text (made, handles, 1,
              "urQueueCreate(hContext=context#1, hDevice=device#1, pProperties=NULL, phQueue=0x50 -> queue#1) = "
              "SUCCESS");

  made = made_new ("urEnqueueKernelLaunch", 0);
  made->call.function = tt_pi_function_of_release (made->call.function, 54);
  add_arg (made, 0xa1);
  add_arg (made, 0xb);
  add_arg (made, 2);
  add_arg (made, 0);
  add_arg (made, 0x20)->before = keep (made, sizes, sizeof sizes);
  add_arg (made, 0);
  add_arg (made, 0);
  add_arg (made, 0);
  add_arg (made, 0x58)->after = keep (made, &event, 8);
  check_text (made, handles, 2,
              "urEnqueueKernelLaunch(hQueue=queue#1, hKernel=kernel#1, workDim=2, pGlobalWorkOffset=NULL, "
              "pGlobalWorkSize=[256, 4], pLocalWorkSize=NULL, numEventsInWaitList=0, phEventWaitList=NULL, "
              "phEvent=0x58 -> event#1) = SUCCESS");
  g_assert_cmpuint (tt_pi_handles_arg (handles, 0)->created_by, ==, 1);
  g_assert_false (tt_pi_handles_arg (handles, 0)->is_inferred);

  made = made_new ("urEventWait", 4);
  add_arg (made, 1);
  add_arg (made, 0x60)->before = keep (made, &event, 8);
  g_assert_true (tt_pi_call_failed (&made->call));
  check_text (made, handles, 3, "urEventWait(numEvents=1, phEventWaitList=[event#1]) = ERROR_INVALID_VALUE (4)");
}

/* -- against a plain model -------------------------------------------------------------------------------------- */

#define MODEL_OBJECTS 4096

/* Random creates, uses, retains and releases of queues: the same names from lists that are searched from end to end. */
/* The numbers of a call stand below those of the call before, last digit below last digit. */
static void
test_columns (void)
{
  static const struct
  {
    guint64 number, start_ns, end_ns;
    const char *numbers; /* number, start and duration in microseconds */
  } calls[] = {
    { 9, 5000, 6000, "9 5 1" },
    { 10, 15000, 47000, "10 15 32" },
    { 12345, 9876543000, 9876666999, "12345 9876543 123" },
  };
  gsize ends[3] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
      g_autoptr (GString) text = g_string_new (NULL);
      const TtPiLine line = { .number = calls[i].number, .thread = "main", .thread_width = 4 };
      Made *made = made_new ("piTearDown", 0);
      g_auto (GStrv) numbers = g_strsplit (calls[i].numbers, " ", -1);
      gsize at = 2; /* after the mark of failed calls */

      made->call.start_ns = calls[i].start_ns;
      made->call.end_ns = calls[i].end_ns;
      tt_pi_named_call (text, &made->call, handles, &line);
      for (guint column = 0; column < G_N_ELEMENTS (ends); column++)
        {
          at += strspn (text->str + at, " ");
          gsize len = strspn (text->str + at, "0123456789");
          g_autofree char *number = g_strndup (text->str + at, len);
          at += len;
          g_assert_cmpstr (number, ==, numbers[column]);
          if (i > 0)
            g_assert_cmpuint (at, ==, ends[column]);
          ends[column] = at;
        }
      g_assert_true (g_str_has_prefix (text->str + at, "  main  piTearDown("));
      g_free (made);
    }
}

static void
test_random_objects (void)
{
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  guint64 values[MODEL_OBJECTS], numbers[MODEL_OBJECTS], references[MODEL_OBJECTS], pending[MODEL_OBJECTS];
  guint n_live = 0, n_pending = 0, n_numbered = 0;

  for (guint64 step = 1; step < MODEL_OBJECTS; step++)
    {
      static const char *const functions[] = { "piQueueFinish", "piQueueRetain", "piQueueRelease", "piQueueRelease" };
      guint action = (guint) g_test_rand_int_range (0, 6);

      if (action >= G_N_ELEMENTS (functions))
        {
          Made *made = make_queue (0xc, 0xd);
          tt_pi_handles_call (handles, &made->call, step);
          pending[n_pending++] = ++n_numbered;
          g_assert_cmpuint (tt_pi_handles_arg (handles, 3)->number, ==, n_numbered);
          g_free (made);
          continue;
        }

      guint64 value = (guint64) g_test_rand_int_range (1, 12) * 16;
      Made *made = call_1 (functions[action], value);
      guint at = 0;
      while (at < n_live && values[at] != value)
        at++;
      if (at == n_live)
        {
          values[at] = value;
          references[at] = 1;
          numbers[at] = n_pending > 0 ? pending[0] : ++n_numbered;
          if (n_pending > 0)
            memmove (pending, pending + 1, --n_pending * sizeof pending[0]);
          n_live++;
        }
      tt_pi_handles_call (handles, &made->call, step);
      g_assert_cmpuint (tt_pi_handles_arg (handles, 0)->number, ==, numbers[at]);
      references[at] += action == 1;
      references[at] -= action >= 2;
      if (references[at] == 0)
        {
          n_live--;
          values[at] = values[n_live];
          numbers[at] = numbers[n_live];
          references[at] = references[n_live];
        }
      g_free (made);
    }
}

/* -- JSON ---------------------------------------------------------------------------------------------------------- */

static void
test_json (void)
{
  g_autoptr (TtPiHandles) handles = tt_pi_handles_new ();
  g_autoptr (TtOutput) out = tt_output_open_memory ();
  const TtPiLine line = { .number = 7, .thread = "a\x1b" };
  Made *made = made_new ("piPlatformGetInfo", 0);

  made->call.start_ns = 5000;
  made->call.end_ns = 7001;
  add_arg (made, 0x1000);
  add_arg (made, 0x902);
  add_arg (made, 4);
  add_arg (made, 0x10);
  add_arg (made, 0);
  add_output (made, "a\"\xff", 4);
  tt_pi_handles_call (handles, &made->call, 1);
  tt_pi_json_call (out, &made->call, handles, &line);
  GString *text = tt_output_steal_text (out);
  g_assert_cmpstr (text->str, ==,
                   "{\"number\":7,\"thread\":\"a\\u001b\",\"name\":\"piPlatformGetInfo\",\"id\":0,\"start_ns\":5000,"
                   "\"dur_ns\":2001,\"record\":0,\"offset\":0,\"result\":0,\"result_name\":\"SUCCESS\","
                   "\"failed\":false,\"flags\":[],\"args\":{\"platform\":\"0x1000\",\"param_name\":\"NAME\","
                   "\"param_value_size\":4,\"param_value\":\"0x10\",\"param_value_size_ret\":null},"
                   "\"objects\":{\"platform\":{\"object\":\"platform#1\"}},\"inputs\":{},"
                   "\"outputs\":{\"param_value\":\"a\\\"\xef\xbf\xbd\"}}\n");
  g_string_free (text, TRUE);
  g_free (made);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pi-print/values/kinds", test_kinds);
  g_test_add_func ("/pi-print/values/answers", test_answers);
  g_test_add_func ("/pi-print/values/size-only", test_size_only);
  g_test_add_func ("/pi-print/values/long-text", test_long_text);
  g_test_add_func ("/pi-print/unknown-function", test_unknown_function);
  g_test_add_func ("/pi-print/flags", test_flags);
  g_test_add_func ("/pi-print/objects/inference", test_inference);
  g_test_add_func ("/pi-print/objects/kernel-names", test_kernel_names);
  g_test_add_func ("/pi-print/objects/random", test_random_objects);
  g_test_add_func ("/pi-print/ur", test_ur);
  g_test_add_func ("/pi-print/columns", test_columns);
  g_test_add_func ("/pi-print/json", test_json);
  return g_test_run ();
}
