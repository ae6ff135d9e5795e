/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/api.h"

#include <glib.h>

/* Packed sizes and ids of pi.md 10.1, transcribed apart from the tables. */
static void
test_functions (void)
{
  static const struct
  {
    const char *name;
    int ids[TT_PI_N_IDS];
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
      for (unsigned list = 0; list < TT_PI_N_IDS; list++)
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
          g_assert_true (tt_pi_function_by_id ((TtPiApi) function->api, (TtPiIds) list,
                                               (uint32_t) function->ids[list]) == function);
    }
  g_assert_cmpuint (n_ur, ==, 252);
  g_assert_null (tt_pi_function_by_name ("piNothing"));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_PI, TT_PI_IDS_2021_SUMMER, 104));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_UR, TT_PI_IDS_2021_SUMMER, 100000));
  g_assert_null (tt_pi_function_by_id (TT_PI_API_UR, TT_PI_IDS_2021_SUMMER, 0));
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

static void
test_symbols (void)
{
  const TtPiFunction *info = tt_pi_function_by_name ("piDeviceGetInfo");
  const TtPiFunction *select = tt_pi_function_by_name ("piextDeviceSelectBinary");

  g_assert_cmpstr (tt_pi_enum_name ("platform_info", 0x902), ==, "NAME");
  g_assert_cmpstr (tt_pi_enum_name ("image_info", 0x1116), ==, "DEPTH");
  g_assert_cmpstr (tt_pi_enum_name ("device_type", 0xffffffff), ==, "ALL");
  g_assert_null (tt_pi_enum_name ("platform_info", 1));
  g_assert_cmpstr (tt_pi_flag_name ("mem_flags", 5), ==, "HOST_PTR_COPY");
  g_assert_null (tt_pi_flag_name ("mem_flags", 64));
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_PI, -30), ==, "INVALID_VALUE");
  g_assert_cmpstr (tt_pi_result_name (TT_PI_API_UR, 4), ==, "ERROR_INVALID_VALUE");
  g_assert_null (tt_pi_result_name (TT_PI_API_PI, 4));
  g_assert_true (tt_pi_result_is_probing (info, -30));
  g_assert_false (tt_pi_result_is_probing (info, -42));
  g_assert_true (tt_pi_result_is_probing (select, -42));
  g_assert_false (tt_pi_result_is_probing (tt_pi_function_by_name ("piMemBufferCreate"), -30));
  g_assert_false (tt_pi_result_is_probing (NULL, -30));
  g_assert_cmpstr (tt_pi_backend_name (6), ==, "rocm");
  g_assert_null (tt_pi_backend_name (9));
  g_assert_null (tt_pi_backend_name (-1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pi-api/functions", test_functions);
  g_test_add_func ("/pi-api/tables", test_tables);
  g_test_add_func ("/pi-api/parameters", test_parameters);
  g_test_add_func ("/pi-api/variants", test_variants);
  g_test_add_func ("/pi-api/symbols", test_symbols);
  return g_test_run ();
}
