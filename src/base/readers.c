/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/readers.h"

#include "src/base/room.h"

#include <sched.h>

/* Fewer events are read before a thread has begun. */
#define PAYS_FROM TT_ROOM (65536u, G_MAXUINT64)
#define MOST_READERS 4u

guint
tt_count_processors (void)
{
  cpu_set_t set;

  return sched_getaffinity (0, sizeof set, &set) == 0 ? (guint) CPU_COUNT (&set) : g_get_num_processors ();
}

gboolean
tt_readers_wanted (guint most, guint *n)
{
  const char *wanted = g_getenv ("TRACETOOL_READERS");
  guint64 number;

  *n = tt_count_processors () - 1;
  if (wanted == NULL || !g_ascii_string_to_unsigned (wanted, 10, 0, most, &number, NULL))
    return FALSE;
  *n = (guint) number;
  return TRUE;
}

gboolean
tt_readers_pay (guint64 n_events)
{
  guint n_readers;
  gboolean is_asked = tt_readers_wanted (MOST_READERS, &n_readers);

  return n_readers > 0 && (is_asked || n_events >= PAYS_FROM);
}
