/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a test that could go on for ever: `./check` stays below five minutes, and what CI runs may take longer.
 */
#pragma once

#include <glib.h>

#include "src/base/sanitizers.h"

/* Of @n random inputs all with TEST_LONG=1, else a fourth; a fifth of these with a sanitizer, which slows them as much. */
static inline guint
test_rounds (guint n)
{
  guint rounds = g_strcmp0 (g_getenv ("TEST_LONG"), "1") == 0 ? n : n / 4;

#if TT_HAS_SANITIZER
  rounds /= 5;
#endif
  return MAX (rounds, 1);
}
