/* SPDX-License-Identifier: Apache-2.0 */
/* What the devices of plugin.c and ur-adapter.c have in common. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Whether @variable of the environment plants the bug @name. */
static inline bool
has_bug_in (const char *variable, const char *name)
{
  const char *planted = getenv (variable);

  return planted != NULL && strcmp (planted, name) == 0;
}

/* Memory in rows and slices, from a place on. */
typedef struct
{
  char *bytes;
  uint64_t row, slice;
} Grid;

static inline Grid
grid_from (const void *bytes, uint64_t row, uint64_t slice, uint64_t x, uint64_t y, uint64_t z)
{
  return (Grid){ (char *) bytes + z * slice + y * row + x, row, slice };
}

static inline void
copy_rows (Grid to, Grid from, uint64_t width, uint64_t height, uint64_t depth)
{
  for (uint64_t z = 0; z < depth; z++)
    for (uint64_t y = 0; y < height; y++)
      memcpy (to.bytes + z * to.slice + y * to.row, from.bytes + z * from.slice + y * from.row, width);
}
