/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/crew.h"

gboolean
tt_crew_end (const TtCrew *self, gboolean done, GError *own, GError **error)
{
  g_autoptr (GError) mine = own, other = NULL;

  done &= self->disband (&other);
  if (!done)
    g_propagate_error (error, mine != NULL ? g_steal_pointer (&mine) : g_steal_pointer (&other));
  return done;
}
