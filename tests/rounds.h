/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a test that could go on for ever: `./check` stays below five minutes, and what CI runs may take longer
 * once (TEST_LONG=1), and takes less where another build has done so (TEST_AGAIN=1).
 */
#pragma once

#include <glib.h>

#include "src/base/sanitizers.h"

/* Of @n random inputs all with TEST_LONG=1, else a fourth; a twentieth with TEST_AGAIN=1 or a sanitizer, which slows them
 * as much. */
static inline guint
test_rounds (guint n)
{
  guint part = g_strcmp0 (g_getenv ("TEST_LONG"), "1") == 0 ? 1 : 4;

#if TT_HAS_SANITIZER
  part *= 5;
#endif
  if (g_strcmp0 (g_getenv ("TEST_AGAIN"), "1") == 0)
    part = MAX (part, 20);
  return MAX (n / part, 1);
}
