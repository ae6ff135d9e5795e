/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/runs.h"

#include "formats/tau/layout.h"
#include "src/base/input.h"
#include "src/trace/span.h"

#include <fcntl.h>
#include <unistd.h>

#define US_PER_S G_GINT64_CONSTANT (1000000)
#define MIN_APART (10 * US_PER_S)
#define TIMES_APART 4
#define PEERS_BYTES ((gsize) 256 * 1024)
/* Of files that are not merged. */
#define ID_SEND 60007
#define ID_RECV 60008

static gboolean
get_us (guint64 ti, gint64 *us)
{
  if (ti > G_MAXINT64 / 1000 || !tt_time_is_epoch ((gint64) ti * 1000))
    return FALSE;
  *us = (gint64) ti;
  return TRUE;
}

static gboolean
read_last (const char *path, guint64 size, TtTauLayout layout, gint64 *us)
{
  guint8 bytes[32];
  const guint record = tt_tau_record_size (layout);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  gboolean is_read =
      fd >= 0 && pread (fd, bytes, record, (off_t) (size / record * record - record)) == (ssize_t) record;

  if (fd >= 0)
    close (fd);
  return is_read && get_us (tt_tau_decode (bytes, layout).ti, us);
}

gboolean
tt_tau_find_period (const char *path, TtTauPeriod *period)
{
  guint8 head[32];
  guint64 size = 0;
  gssize n = tt_input_peek (path, head, sizeof head, &size, NULL);
  TtTauLayout layout;

  return n == (gssize) sizeof head && size >= sizeof head && tt_tau_count_magic (head, (gsize) n, &layout) == 1 &&
         get_us (tt_tau_decode (head, layout).ti, &period->first_us) &&
         read_last (path, size, layout, &period->last_us) && period->last_us >= period->first_us;
}

gboolean
tt_tau_are_apart (const TtTauPeriod *a, const TtTauPeriod *b)
{
  gint64 gap = MAX (a->first_us, b->first_us) - MIN (a->last_us, b->last_us);
  gint64 longest = MAX (a->last_us - a->first_us, b->last_us - b->first_us);

  return gap > MIN_APART && gap / TIMES_APART > longest;
}

gboolean
tt_tau_names_peer (const char *path, guint64 from)
{
  g_autofree guint8 *bytes = g_malloc (PEERS_BYTES);
  gssize n = tt_input_peek (path, bytes, PEERS_BYTES, NULL, NULL);
  TtTauLayout layout;

  if (n < 0 || tt_tau_count_magic (bytes, (gsize) n, &layout) != 1)
    return FALSE;
  for (gsize at = 0; at + tt_tau_record_size (layout) <= (gsize) n; at += tt_tau_record_size (layout))
    {
      TtTauRecord record = tt_tau_decode (bytes + at, layout);
      if ((record.event == ID_SEND || record.event == ID_RECV) && tt_tau_message (record.par).peer >= from)
        return TRUE;
    }
  return FALSE;
}

char *
tt_tau_date (gint64 us)
{
  g_autoptr (GDateTime) date = g_date_time_new_from_unix_utc (us / US_PER_S);

  return g_date_time_format (date, "%F %T UTC");
}
