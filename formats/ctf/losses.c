/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/losses.h"

#define MAX_STREAMS 65536u
/* Of a stream; further ones are joined with the last. */
#define MAX_HOLES 65536u

static void
free_holes (gpointer data)
{
  if (data != NULL)
    g_array_unref (data);
}

void
tt_ctf_losses_clear (TtCtfLosses *self)
{
  g_clear_pointer (&self->streams, g_ptr_array_unref);
  *self = (TtCtfLosses){ .has_any = FALSE };
}

static GArray *
holes_of (TtCtfLosses *self, guint stream)
{
  stream %= MAX_STREAMS;
  if (self->streams == NULL)
    self->streams = g_ptr_array_new_with_free_func (free_holes);
  if (stream >= self->streams->len)
    g_ptr_array_set_size (self->streams, (gint) stream + 1);
  if (self->streams->pdata[stream] == NULL)
    self->streams->pdata[stream] = g_array_new (FALSE, FALSE, sizeof (TtCtfHole));
  return self->streams->pdata[stream];
}

static guint32
add_counts (guint32 a, guint32 b)
{
  return a > G_MAXUINT32 - b ? G_MAXUINT32 : a + b;
}

static guint32
count_of (const TtCtfLoss *loss, const GArray *holes)
{
  if (loss->kind == TT_CTF_LOST_EVENTS)
    return loss->count < 0 || loss->count >= G_MAXUINT32 ? G_MAXUINT32 : (guint32) loss->count;
  /* Those that the packet counts, whose hole is the last one. */
  if (loss->kind == TT_CTF_LOST_PERHAPS && holes->len > 0)
    return g_array_index (holes, TtCtfHole, holes->len - 1).n;
  return G_MAXUINT32;
}

void
tt_ctf_losses_add (TtCtfLosses *self, const TtCtfLoss *loss)
{
  GArray *holes = holes_of (self, loss->stream);
  TtCtfHole hole = { .from_ns = loss->from_ns,
                     .until_ns = loss->until_ns == TT_CTF_ALWAYS ? G_MAXINT64 : loss->until_ns,
                     .n = count_of (loss, holes) };
  TtCtfHole *last = holes->len == 0 ? NULL : &g_array_index (holes, TtCtfHole, holes->len - 1);

  hole.until_ns = MAX (hole.until_ns, hole.from_ns);
  if (last != NULL && (hole.from_ns < last->until_ns || holes->len == MAX_HOLES))
    {
      last->until_ns = MAX (last->until_ns, hole.until_ns);
      last->n = add_counts (last->n, hole.n);
    }
  else
    g_array_append_val (holes, hole);
  self->until_ns = self->has_any ? MAX (self->until_ns, hole.until_ns) : hole.until_ns;
  self->has_any = TRUE;
  if (loss->kind == TT_CTF_LOST_EVENTS && loss->count >= 0)
    self->n_events += (guint64) loss->count;
  self->are_more |= loss->kind == TT_CTF_LOST_PACKETS || (loss->kind == TT_CTF_LOST_EVENTS && loss->count < 0);
}

/* The first hole that ends after @ns. */
static guint
find_first (const GArray *holes, gint64 ns)
{
  guint low = 0, high = holes->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (holes, TtCtfHole, middle).until_ns <= ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
tt_ctf_losses_between (const TtCtfLosses *self, guint64 streams, gint64 after_ns, gint64 before_ns, TtCtfHole *hole)
{
  gboolean has_found = FALSE;

  if (!self->has_any || self->until_ns <= after_ns || before_ns <= after_ns)
    return FALSE;
  for (guint s = 0; s < self->streams->len; s++)
    {
      const GArray *holes = self->streams->pdata[s];
      if (holes == NULL || (streams & tt_ctf_stream_bit (s)) == 0)
        continue;
      for (guint i = find_first (holes, after_ns); i < holes->len; i++)
        {
          const TtCtfHole *found = &g_array_index (holes, TtCtfHole, i);
          if (found->from_ns >= before_ns)
            break;
          hole->from_ns = has_found ? MIN (hole->from_ns, found->from_ns) : found->from_ns;
          hole->until_ns = has_found ? MAX (hole->until_ns, found->until_ns) : found->until_ns;
          hole->n = has_found ? add_counts (hole->n, found->n) : found->n;
          has_found = TRUE;
        }
    }
  hole->from_ns = has_found ? MAX (hole->from_ns, after_ns) : 0;
  hole->until_ns = has_found ? MIN (hole->until_ns, before_ns) : 0;
  return has_found;
}
