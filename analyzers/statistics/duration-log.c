/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/duration-log.h"

#include <string.h>

#define WINDOW_BYTES ((gsize) 65536)

/* Before the keys, of which each is kept as what it has more than the least. */
typedef struct
{
  guint32 group;
  guint16 n, width;
  guint64 min, max;
} Head;

G_STATIC_ASSERT (TT_DURATION_RUN <= G_MAXUINT16);
G_STATIC_ASSERT (WINDOW_BYTES >= sizeof (Head) + TT_DURATION_RUN * sizeof (guint64));

/* -- writing -------------------------------------------------------------------------------------- */

static guint
width_of (guint64 span)
{
  if (span == 0)
    return 0;
  if (span <= G_MAXUINT16)
    return sizeof (guint16);
  return span <= G_MAXUINT32 ? sizeof (guint32) : sizeof (guint64);
}

/* At most TT_DURATION_RUN keys. */
static void
add_run (TtTape *tape, const Head *head, const guint64 *keys)
{
  union
  {
    guint16 by_two[TT_DURATION_RUN];
    guint32 by_four[TT_DURATION_RUN];
    guint64 by_eight[TT_DURATION_RUN];
  } bytes;

  if (head->width == sizeof (guint16))
    for (guint i = 0; i < head->n; i++)
      bytes.by_two[i] = (guint16) (keys[i] - head->min);
  else if (head->width == sizeof (guint32))
    for (guint i = 0; i < head->n; i++)
      bytes.by_four[i] = (guint32) (keys[i] - head->min);
  else if (head->width == sizeof (guint64))
    for (guint i = 0; i < head->n; i++)
      bytes.by_eight[i] = keys[i] - head->min;
  tt_tape_append (tape, head, sizeof *head);
  tt_tape_append (tape, &bytes, (gsize) head->n * head->width);
}

void
tt_duration_log_add (TtTape *tape, guint32 group, const guint64 *keys, gsize n, guint64 min, guint64 max)
{
  for (gsize i = 0; i < n; i += TT_DURATION_RUN)
    {
      const Head head = { group, (guint16) MIN (n - i, TT_DURATION_RUN), (guint16) width_of (max - min), min, max };

      add_run (tape, &head, keys + i);
    }
}

/* -- reading -------------------------------------------------------------------------------------- */

void
tt_duration_reader_init (TtDurationReader *self, TtTape *tape)
{
  *self = (TtDurationReader){ .tape = tape, .size = tt_tape_size (tape), .window = g_malloc (WINDOW_BYTES) };
}

void
tt_duration_reader_clear (TtDurationReader *self)
{
  g_clear_pointer (&self->window, g_free);
}

/* At least @len bytes in the window; FALSE: there are not as many. */
static gboolean
fill (TtDurationReader *self, gsize len)
{
  if (G_LIKELY (self->end - self->at >= len))
    return TRUE;
  memmove (self->window, self->window + self->at, self->end - self->at);
  self->end -= self->at;
  self->at = 0;

  const gsize n = (gsize) MIN (WINDOW_BYTES - self->end, self->size - self->next);
  tt_tape_read (self->tape, self->next, self->window + self->end, n);
  self->next += n;
  self->end += n;
  return self->end >= len && tt_tape_check (self->tape, NULL);
}

gboolean
tt_duration_reader_next (TtDurationReader *self, TtDurationRun *run)
{
  Head head;

  if (!fill (self, sizeof head))
    return FALSE;
  memcpy (&head, self->window + self->at, sizeof head);
  self->at += sizeof head;
  if (!fill (self, (gsize) head.n * head.width))
    return FALSE;
  *run = (TtDurationRun){ head.group, head.n, head.min, head.max, head.width, self->window + self->at };
  self->at += (gsize) head.n * head.width;
  return TRUE;
}

void
tt_duration_run_keys (const TtDurationRun *run, guint64 *keys)
{
  const guint8 *bytes = run->bytes;

  if (run->width == 0)
    for (guint i = 0; i < run->n; i++)
      keys[i] = run->min;
  else if (run->width == sizeof (guint16))
    for (guint i = 0; i < run->n; i++)
      {
        guint16 more;
        memcpy (&more, bytes + i * sizeof more, sizeof more);
        keys[i] = run->min + more;
      }
  else if (run->width == sizeof (guint32))
    for (guint i = 0; i < run->n; i++)
      {
        guint32 more;
        memcpy (&more, bytes + i * sizeof more, sizeof more);
        keys[i] = run->min + more;
      }
  else
    for (guint i = 0; i < run->n; i++)
      {
        guint64 more;
        memcpy (&more, bytes + i * sizeof more, sizeof more);
        keys[i] = run->min + more;
      }
}
