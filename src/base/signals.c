/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/signals.h"

#include <glib.h>

#include <signal.h>

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ };
static struct sigaction kept[G_N_ELEMENTS (numbers)];
static gboolean are_kept;

void
tt_signals_keep (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &kept[i]) != 0)
      return;
  are_kept = TRUE;
}

void
tt_signals_restore (void)
{
  for (guint i = 0; are_kept && i < G_N_ELEMENTS (numbers); i++)
    sigaction (numbers[i], &kept[i], NULL);
}
