/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/replayer/buffers.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
tt_replay_buffer_open (const TtPiNativeBlock *block, char path[TT_REPLAY_BUFFER_PATH])
{
  const char *directory = getenv ("TRACETOOL_PI_BUFFERS");
  char name[TT_PI_NATIVE_MAX_NAME + 64];

  snprintf (name, sizeof name, "%.*s", (int) (block->len < sizeof name ? block->len : 0), (const char *) block->bytes);
  snprintf (path, TT_REPLAY_BUFFER_PATH, "%s/%s", directory != NULL ? directory : ".", name);
  /* The recording's words do not lead out of the directory. */
  if (strchr (name, '/') != NULL || name[0] == '.' || name[0] == '\0')
    return -1;
  /* Nobody writes to a pipe in its place. */
  return open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}
