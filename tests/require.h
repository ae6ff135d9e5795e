/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assertions without which the rest of a test makes no sense: they return from the function when they fail.
 *
 * Our tests go on after a failed assertion (g_test_set_nonfatal_assertions()), to say all that is wrong at once. What
 * reads a result that was asserted to be there would then crash, and hide the tests after it.
 */
#pragma once

#include <glib.h>

#define require_nonnull(pointer) \
  G_STMT_START                   \
  {                              \
    g_assert_nonnull (pointer);  \
    if ((pointer) == NULL)       \
      return;                    \
  }                              \
  G_STMT_END

#define require_no_error(error) \
  G_STMT_START                  \
  {                             \
    g_assert_no_error (error);  \
    if ((error) != NULL)        \
      return;                   \
  }                             \
  G_STMT_END

/* Of any error, so that its message can be read. */
#define require_error(error, domain, code) \
  G_STMT_START                             \
  {                                        \
    g_assert_error (error, domain, code);  \
    if ((error) == NULL)                   \
      return;                              \
  }                                        \
  G_STMT_END
