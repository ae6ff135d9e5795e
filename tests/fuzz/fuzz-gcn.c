/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/gcn/launch.h"

#include <string.h>

/*
 * Any bytes as AMD's assembly. What is read runs to its end, to a fault or to a number of instructions, with parameters
 * that point to memory.
 */

#define STEPS 100

static void
run_kernel (const TtGcnModule *module, const TtGcnKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtGcnLaunch) launch = tt_gcn_launch_new (module, kernel, "fuzz.s", &error);
  const guint grid[3] = { 2, 1, 1 }, block[3] = { 5, 2, 1 };
  guint64 address = 0, steps = 0, thread_steps = 0;

  g_assert_true ((launch == NULL) == (error != NULL));
  if (launch == NULL || !tt_gcn_launch_set_size (launch, grid, block, NULL))
    return;
  tt_gcn_launch_set_max_steps (launch, STEPS);
  g_assert_nonnull (tt_gcn_launch_allocate (launch, "memory", 256, &address, NULL));
  for (guint i = 0, n = 0; i < kernel->arguments->len; i++)
    {
      const TtGcnArgument *argument = &g_array_index (kernel->arguments, TtGcnArgument, i);
      g_autofree guint8 *value = g_malloc0 (argument->size + sizeof address);

      if (argument->kind != NULL && g_str_has_prefix (argument->kind, "hidden_"))
        continue;
      memcpy (value, &address, sizeof address);
      g_assert_true (tt_gcn_launch_set_param (launch, n++, value, argument->size, NULL));
    }
  if (!tt_gcn_launch_run (launch, &steps, &thread_steps, &error))
    g_assert_nonnull (error);
  g_assert_cmpuint (steps, <=, STEPS + 1);
}

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtGcnModule) module = tt_gcn_module_new ("fuzz.s", (const char *) bytes, len, &error);

  g_assert_true ((module == NULL) == (error != NULL));
  if (module != NULL && module->kernels->len > 0)
    run_kernel (module, module->kernels->pdata[0]);
  return 0;
}
