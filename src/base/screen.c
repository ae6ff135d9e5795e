/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/screen.h"

#include <unistd.h>

static gboolean is_none;

gboolean
tt_screen_is (int fd)
{
  return !is_none && isatty (fd) != 0;
}

void
tt_screen_none (void)
{
  is_none = TRUE;
}
