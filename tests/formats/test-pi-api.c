/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/api.h"

#include <glib.h>

#include <stdio.h>

/* Packed sizes and ids of pi.md 10.1, transcribed apart from the tables. */
static void
test_functions (void)
{
  static const struct
  {
    const char *name;
    int ids[4]; /* summer and December of 2021, May of 2022, 2024 */
    unsigned n_params, packed;
  } cases[] = {
    { "piPlatformsGet", { 0, 0, 0, 0 }, 3, 20 },
    { "piextContextCreateWithNativeHandle", { 19, 19, 19, 20 }, 5, 29 },
    { "piQueueRetain", { 23, 24, 24, 26 }, 1, 8 },
    { "piProgramCreateWithBinary", { 38, 39, 39, 41 }, 9, 68 },
    { "piKernelGetSubGroupInfo", { 53, 54, 54, 56 }, 8, 60 },
    { "piEnqueueKernelLaunch", { 74, 75, 75, 78 }, 9, 64 },
    { "piEnqueueMemBufferReadRect", { 79, 80, 80, 83 }, 14, 104 },
    { "piextUSMEnqueueMemcpy", { 96, 97, 97, 100 }, 8, 56 },
    { "piTearDown", { 103, 104, 105, 110 }, 1, 8 },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TtPiFunction *function = tt_pi_function_by_name (cases[i].name);
      g_assert_nonnull (function);
      g_assert_cmpuint (function->n_params, ==, cases[i].n_params);
      g_assert_cmpuint (function->packed, ==, cases[i].packed);
      for (unsigned list = 0; list < G_N_ELEMENTS (cases[i].ids); list++)
        {
          g_assert_cmpint (function->ids[list], ==, cases[i].ids[list]);
          g_assert_true (tt_pi_function_by_id (TT_PI_API_PI, (TtPiIds) list, (uint32_t) cases[i].ids[list]) ==
                         function);
        }
    }
}

static void
test_tables (void)
{
  unsigned n_ur = 0;

  for (unsigned i = 0; i < tt_pi_n_functions; i++)
    {
      const TtPiFunction *function = &tt_pi_functions[i];
      unsigned packed = 0;
      g_assert_cmpuint (function->index, ==, i);
      g_assert_true (tt_pi_function_by_name (function->name) == function);
      g_assert_cmpuint (function->n_params, <=, TT_PI_MAX_PARAMS);
      for (unsigned p = 0; p < function->n_params; p++)
        {
          packed += function->params[p].size;
          g_assert_cmpint (function->params[p].count, <, function->n_params);
        }
      g_assert_cmpuint (function->packed, ==, packed);
      n_ur += function->api == TT_PI_API_UR;
      for (unsigned list = 0; list < TT_PI_N_IDS; list++)
        if (function->ids[list] >= 0)
          {
            /* UR gave some numbers to other functions later. */
            const TtPiFunction *found =
                tt_pi_function_by_id ((TtPiApi) function->api, (TtPiIds) list, (uint32_t) function->ids[list]);
            g_assert_true (found == function || (function->api == TT_PI_API_UR && found->ids[0] == function->ids[0]));
          }
    }
  g_assert_cmpuint (n_ur, ==, 281);
  g_assert_null (tt_pi_function_by_name ("piNothing"));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_PI, TT_PI_IDS_2021_SUMMER, 104));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_UR, TT_PI_IDS_2021_SUMMER, 100000));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_UR, TT_PI_IDS_2021_SUMMER, 0));
}

/* Where plugins of the releases have put these functions when their piPluginInit() had run. */
static void
test_versions (void)
{
  static const char *const names[] = { "piProgramCreateWithBinary", "piEventsWait",     "piEnqueueMemBufferRead",
                                       "piextUSMEnqueueMemcpy",     "piextQueueCreate", "piTearDown" };
  static const struct
  {
    unsigned minor;
    int ids[G_N_ELEMENTS (names)];
  } cases[] = {
    { 2, { 38, 61, 76, 94, -1, -1 } },   { 3, { 38, 61, 76, 94, -1, 100 } },  { 5, { 38, 63, 78, 96, -1, 102 } },
    { 7, { 38, 63, 78, 96, -1, 103 } },  { 8, { 39, 64, 79, 97, -1, 104 } },  { 11, { 39, 64, 79, 97, -1, 105 } },
    { 15, { 39, 64, 79, 97, -1, 105 } }, { 21, { 40, 65, 80, 98, 21, 106 } }, { 27, { 40, 65, 80, 98, 21, 108 } },
    { 37, { 40, 65, 79, 97, 21, 107 } }, { 39, { 40, 65, 79, 97, 21, 107 } }, { 47, { 41, 67, 82, 100, 22, 110 } },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      int list = tt_pi_ids_of_minor (cases[i].minor);
      g_assert_cmpint (list, >=, 0);
      for (unsigned k = 0; k < G_N_ELEMENTS (names); k++)
        g_assert_cmpint (tt_pi_function_by_name (names[k])->ids[list], ==, cases[i].ids[k]);
    }
  for (unsigned i = 0; i < tt_pi_n_versions; i++)
    for (unsigned id = 0; id < tt_pi_versions[i].n_functions; id++)
      g_assert_nonnull (tt_pi_function_by_id (TT_PI_API_PI, (TtPiIds) tt_pi_versions[i].ids, id));
  g_assert_cmpint (tt_pi_ids_of_minor (0), ==, -1);
  g_assert_cmpint (tt_pi_ids_of_minor (6), ==, -1);
}

static void
test_parameters (void)
{
  const TtPiFunction *launch = tt_pi_function_by_name ("piEnqueueKernelLaunch");
  const TtPiFunction *ur = tt_pi_function_by_name ("urEnqueueKernelLaunch");

  g_assert_cmpuint (launch->params[0].kind, ==, TT_PI_KIND_HANDLE);
  g_assert_cmpstr (launch->params[0].type, ==, "queue");
  g_assert_cmpuint (launch->params[4].role, ==, TT_PI_ROLE_WORK_SIZE);
  g_assert_cmpint (launch->params[4].count, ==, 2);
  g_assert_cmpuint (launch->params[7].role, ==, TT_PI_ROLE_IN_ARRAY);
  g_assert_cmpint (launch->params[7].count, ==, 6);
  g_assert_cmpuint (launch->params[8].role, ==, TT_PI_ROLE_OUT_EVENT);
  g_assert_cmpint (ur->ids[0], ==, 17);
  g_assert_cmpstr (ur->params[1].type, ==, "kernel");
}

static void
test_variants (void)
{
  const TtPiFunction *binary = tt_pi_function_by_name ("piProgramCreateWithBinary");
  const TtPiFunction *queue = tt_pi_function_by_name ("piextQueueCreateWithNativeHandle");

  g_assert_true (tt_pi_function_variant (binary, 9, 68) == binary);
  g_assert_cmpuint (tt_pi_function_variant (binary, 0, 52)->n_params, ==, 7);
  g_assert_cmpuint (tt_pi_function_variant (binary, 7, 0)->packed, ==, 52);
  g_assert_null (tt_pi_function_variant (binary, 8, 0));
  g_assert_cmpuint (tt_pi_function_variant (queue, 0, 25)->n_params, ==, 4);
  g_assert_cmpuint (tt_pi_function_variant (queue, 0, 33)->n_params, ==, 5);
  g_assert_cmpuint (tt_pi_function_variant (queue, 5, 33)->index, ==, queue->index);
}

/* Parameters as the headers of v0.9.8, v0.11.10 and of the main branch have them, and releases by what a loader has. */
static bool
is_listed (const char *name, void *data)
{
  return g_strv_contains (data, name);
}

static void
test_releases (void)
{
  const TtPiFunction *launch = tt_pi_function_by_name ("urEnqueueKernelLaunch");
  const TtPiFunction *platform = tt_pi_function_by_name ("urPlatformGet");
  static const char *const nothing[] = { NULL };
  char name[64];
  unsigned n_other, old = tt_pi_release_find (0, 9, NULL, NULL, &n_other);
  unsigned new = tt_pi_release_find (0, 12, NULL, NULL, &n_other);

  g_assert_cmpuint (tt_pi_release_find (0, 11, is_listed, (void *) nothing, &n_other), ==, 54);
  g_assert_cmpuint (tt_pi_release_find (0, 99, NULL, NULL, &n_other), ==, 0);
  g_assert_true (tt_pi_release_name (old, name, sizeof name));
  g_assert_cmpstr (name, ==, "0.9 of 2024-04-08");
  g_assert_false (tt_pi_release_name (0, name, sizeof name));
  g_assert_cmpuint (tt_pi_function_of_release (launch, old)->n_params, ==, 9);
  g_assert_cmpuint (tt_pi_function_of_release (launch, 80)->n_params, ==, 11);
  g_assert_null (tt_pi_function_of_release (launch, new));
  g_assert_cmpuint (tt_pi_function_near_release (launch, new)->n_params, ==, 10);
  g_assert_cmpuint (tt_pi_function_of_release (platform, old)->n_params, ==, 5);
  g_assert_cmpuint (tt_pi_function_of_release (platform, new)->n_params, ==, 4);

  /* Every release is found again by its own functions, or one with the same. */
  for (unsigned release = 1; tt_pi_release_name (release, name, sizeof name); release++)
    {
      g_autoptr (GPtrArray) has = g_ptr_array_new ();
      unsigned major, minor;
      for (unsigned i = 0; i < tt_pi_n_functions; i++)
        if (tt_pi_functions[i].api == TT_PI_API_UR && tt_pi_function_of_release (&tt_pi_functions[i], release) != NULL)
          g_ptr_array_add (has, (char *) tt_pi_functions[i].name);
      g_ptr_array_add (has, NULL);
      g_assert_cmpint (sscanf (name, "%u.%u", &major, &minor), ==, 2);
      unsigned found = tt_pi_release_find (major, minor, is_listed, has->pdata, &n_other);
      g_assert_cmpuint (n_other, ==, 0);
      for (unsigned i = 0; i < tt_pi_n_functions; i++)
        if (tt_pi_functions[i].api == TT_PI_API_UR)
          g_assert_true ((tt_pi_function_of_release (&tt_pi_functions[i], release) == NULL) ==
                         (tt_pi_function_of_release (&tt_pi_functions[i], found) == NULL));
    }
}

/* Sizes and offsets as a C compiler has them for the structures of the header. */
static void
test_structs (void)
{
  const TtPiStruct *arg = tt_pi_struct ("ur_exp_kernel_arg_properties", 0);
  const TtPiStruct *value = tt_pi_struct ("ur_exp_kernel_arg_value", 0);

  g_assert_cmpuint (arg->size, ==, 48);
  g_assert_cmpuint (arg->n_members, ==, 6);
  g_assert_cmpuint (arg->members[5].offset, ==, 32);
  g_assert_true (value->is_union);
  g_assert_cmpstr (tt_pi_union_member (value, "ur_exp_kernel_arg_type", 2, 0)->param.name, ==, "memObjTuple");
  g_assert_null (tt_pi_union_member (value, "ur_exp_kernel_arg_type", 3, 0));
  g_assert_null (tt_pi_struct ("ur_exp_kernel_arg_properties", 54));
  g_assert_cmpuint (tt_pi_struct ("ur_image_desc", 0)->size, ==, 80);
  g_assert_cmpuint (tt_pi_struct ("ur_exp_launch_property", 49)->size, ==, 16);
  g_assert_cmpuint (tt_pi_struct ("ur_exp_launch_property", 54)->size, ==, 24);
  g_assert_cmpstr (tt_pi_enum_name ("ur_mem_type", 0, 22), ==, "BUFFER");
  g_assert_cmpstr (tt_pi_enum_name ("ur_mem_type", 0, 54), ==, "IMAGE2D");
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_UR, 54, 22), ==, "ERROR_INVALID_ENUMERATION");
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_UR, 54, 54), ==, "ERROR_UNSUPPORTED_ENUMERATION");
  g_assert_cmpstr (tt_pi_enum_answer ("ur_device_info", 5, 0), ==, "size[]");
}

static void
test_symbols (void)
{
  const TtPiFunction *info = tt_pi_function_by_name ("piDeviceGetInfo");
  const TtPiFunction *select = tt_pi_function_by_name ("piextDeviceSelectBinary");

  g_assert_cmpstr (tt_pi_enum_name ("platform_info", 0x902, 0), ==, "NAME");
  g_assert_cmpstr (tt_pi_enum_name ("image_info", 0x1116, 0), ==, "DEPTH");
  g_assert_cmpstr (tt_pi_enum_name ("device_type", 0xffffffff, 0), ==, "ALL");
  g_assert_null (tt_pi_enum_name ("platform_info", 1, 0));
  g_assert_cmpstr (tt_pi_flag_name ("mem_flags", 5, 0), ==, "HOST_PTR_COPY");
  g_assert_null (tt_pi_flag_name ("mem_flags", 64, 0));
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_PI, -30, 0), ==, "INVALID_VALUE");
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_UR, 4, 0), ==, "ERROR_INVALID_VALUE");
  g_assert_null (tt_pi_result_name (TT_PI_API_PI, 4, 0));
  g_assert_true (tt_pi_result_is_probing (info, -30, 0));
  g_assert_false (tt_pi_result_is_probing (info, -42, 0));
  g_assert_true (tt_pi_result_is_probing (select, -42, 0));
  g_assert_false (tt_pi_result_is_probing (tt_pi_function_by_name ("piMemBufferCreate"), -30, 0));
  g_assert_false (tt_pi_result_is_probing (NULL, -30, 0));
  g_assert_cmpstr (tt_pi_backend_name (6), ==, "rocm");
  g_assert_null (tt_pi_backend_name (9));
  g_assert_null (tt_pi_backend_name (-1));
}

/* Of all functions that any release has. Two names are in one list alone, and in no header that could be found. */
static void
test_counts (void)
{
  guint n = 0, n_unknown = 0, n_floats = 0;

  for (guint i = 0; i < tt_pi_n_functions; i++)
    {
      const TtPiFunction *function = &tt_pi_functions[i];
      gboolean is_listed_one = FALSE;
      for (guint list = 0; list < TT_PI_N_IDS; list++)
        is_listed_one |= function->ids[list] >= 0;
      if (function->api != TT_PI_API_PI || !is_listed_one)
        continue;
      n++;
      if (function->params == NULL)
        {
          n_unknown++;
          g_assert_true (g_str_has_prefix (function->name, "piextEnqueueDeviceVariable"));
        }
      for (guint p = 0; p < function->n_params; p++)
        n_floats += function->params[p].kind == TT_PI_KIND_FLOAT;
    }
  g_assert_cmpuint (n, ==, 170);
  g_assert_cmpuint (n_unknown, ==, 2);
  g_assert_cmpuint (n_floats, ==, 3);
  for (guint i = 0; i < tt_pi_n_versions; i++)
    for (guint id = 0; id < tt_pi_versions[i].n_functions; id++)
      g_assert_nonnull (tt_pi_function_by_id (TT_PI_API_PI, (TtPiIds) tt_pi_versions[i].ids, id)->params);
}

/* Parameters and packed bytes as the headers of versions 14.42 and 15.48 declare them. */
static void
test_newer (void)
{
  static const struct
  {
    const char *name;
    unsigned n_params, packed;
  } cases[] = {
    { "piextUSMEnqueueMemset2D", 9, 8 + 8 + 8 + 4 + 8 + 8 + 4 + 8 + 8 },
    { "piextUSMEnqueueMemcpy2D", 11, 8 + 4 + 6 * 8 + 4 + 8 + 8 },
    { "piextUSMEnqueueFill", 8, 5 * 8 + 4 + 8 + 8 },
    { "piextEnqueueDeviceGlobalVariableRead", 10, 3 * 8 + 4 + 3 * 8 + 4 + 8 + 8 },
    { "piextEnqueueReadHostPipe", 9, 3 * 8 + 4 + 8 + 8 + 4 + 8 + 8 },
    { "piextPeerAccessGetInfo", 6, 8 + 8 + 4 + 3 * 8 },
    { "piextCommandBufferCreate", 4, 32 },
    { "piextCommandBufferNDRangeKernel", 10, 8 + 8 + 4 + 3 * 8 + 4 + 3 * 8 },
    { "piextCommandBufferMemBufferCopyRect", 13, 10 * 8 + 4 + 16 },
    { "piextCommandBufferAdviseUSM", 7, 3 * 8 + 4 + 4 + 16 },
    { "piextEnqueueCommandBuffer", 5, 16 + 4 + 16 },
    { "piextBindlessImageSamplerCreate", 6, 16 + 12 + 8 },
    { "piextMemImageCopy", 13, 5 * 8 + 4 + 4 * 8 + 4 + 16 },
    { "piextMemSampledImageCreate", 8, 64 },
    { "piextMemImportOpaqueFD", 5, 24 + 4 + 8 },
    { "piextSignalExternalSemaphore", 5, 16 + 4 + 16 },
    { "piextGetGlobalVariablePointer", 5, 40 },
  };
  const TtPiFunction *launch = tt_pi_function_by_name ("piextCommandBufferNDRangeKernel");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const TtPiFunction *function = tt_pi_function_by_name (cases[i].name);
      g_assert_cmpuint (function->n_params, ==, cases[i].n_params);
      g_assert_cmpuint (function->packed, ==, cases[i].packed);
    }
  g_assert_cmpuint (tt_pi_function_variant (launch, 9, 0)->packed, ==, 64);
  g_assert_cmpstr (launch->params[0].type, ==, "command_buffer");
  g_assert_cmpuint (launch->params[0].kind, ==, TT_PI_KIND_HANDLE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pi-api/functions", test_functions);
  g_test_add_func ("/pi-api/tables", test_tables);
  g_test_add_func ("/pi-api/versions", test_versions);
  g_test_add_func ("/pi-api/parameters", test_parameters);
  g_test_add_func ("/pi-api/variants", test_variants);
  g_test_add_func ("/pi-api/releases", test_releases);
  g_test_add_func ("/pi-api/structs", test_structs);
  g_test_add_func ("/pi-api/symbols", test_symbols);
  g_test_add_func ("/pi-api/counts", test_counts);
  g_test_add_func ("/pi-api/newer", test_newer);
  return g_test_run ();
}
