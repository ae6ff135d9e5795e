/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/failure.h"

#include "src/base/error.h"
#include "src/base/progress.h"

static GError *first_failure;

void
tt_failure_leave (GError *error)
{
  if (error != NULL && !g_atomic_pointer_compare_and_exchange (&first_failure, NULL, error))
    g_error_free (error);
}

gboolean
tt_failure_check (GError **error)
{
  const GError *failure = g_atomic_pointer_get (&first_failure);

  if (failure == NULL)
    return TRUE;
  if (error != NULL)
    *error = g_error_copy (failure);
  return FALSE;
}

gboolean
tt_failure_is_of_input (const GError *fault)
{
  return (g_error_matches (fault, TT_ERROR, TT_ERROR_FORMAT) || g_error_matches (fault, TT_ERROR, TT_ERROR_INPUT)) &&
         tt_failure_check (NULL) && !tt_cancelled (NULL);
}

void
tt_failure_forget (void)
{
  GError *failure = g_atomic_pointer_get (&first_failure);

  if (g_atomic_pointer_compare_and_exchange (&first_failure, failure, NULL))
    g_clear_error (&failure);
}
