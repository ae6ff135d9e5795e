/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/queue-flags.h"

#include "formats/pi/native.h"

/* Of (context, device, properties, queue), in UR and PI. */
#define PROPERTIES 2u
#define FLAGS_NAME G_MAXUINT64

gboolean
tt_pi_queue_flags (const TtPiCall *call, guint64 *flags)
{
  *flags = 0;
  if (call->function == NULL || call->n_args <= PROPERTIES || call->function->n_params <= PROPERTIES)
    return FALSE;

  const TtPiArg *properties = &call->args[PROPERTIES];
  const TtPiBytes *bytes = &properties->before;
  if (call->function->params[PROPERTIES].kind == TT_PI_KIND_FLAGS)
    {
      *flags = properties->value;
      return TRUE;
    }
  if (properties->value == 0)
    return TRUE;
  if (bytes->bytes == NULL)
    return FALSE;
  if (call->function->api == TT_PI_API_UR)
    {
      if (bytes->len >= 20)
        *flags = tt_pi_get (bytes->bytes + 16, 4);
      return bytes->len >= 20;
    }
  for (gsize at = 0; at + 16 <= bytes->len && tt_pi_get (bytes->bytes + at, 8) != 0; at += 16)
    if (tt_pi_get (bytes->bytes + at, 8) == FLAGS_NAME)
      *flags = tt_pi_get (bytes->bytes + at + 8, 8);
  return TRUE;
}
