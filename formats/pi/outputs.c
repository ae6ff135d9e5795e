/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/outputs.h"

#include <string.h>

/* Outputs of these calls are contents of memory objects. */
static gboolean
is_memory_call (const TtPiCall *call)
{
  return strstr (call->name, "Enqueue") != NULL;
}

static gboolean
takes_output (const TtPiCall *call, guint index)
{
  const TtPiParam *param = &call->function->params[index];

  return (param->role == TT_PI_ROLE_OUT_VALUE || param->role == TT_PI_ROLE_OUT_BYTES) && call->args[index].value != 0;
}

gboolean
tt_pi_output_find (const TtPiCall *call, guint index, TtPiBytes *bytes)
{
  guint output = 0;

  if (call->function == NULL || call->function->params == NULL || index >= call->n_args ||
      index >= call->function->n_params)
    return FALSE;
  if (call->args[index].after.bytes != NULL)
    {
      *bytes = call->args[index].after;
      return TRUE;
    }
  if (call->n_outputs == 0 || is_memory_call (call) || !takes_output (call, index))
    return FALSE;
  for (guint i = 0; i < index; i++)
    output += takes_output (call, i);
  if (output >= call->n_outputs)
    return FALSE;
  *bytes = call->outputs[output];
  return TRUE;
}
