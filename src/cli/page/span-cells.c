/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/span-cells.h"

#include "src/base/compare.h"

void
tt_span_cells_init (TtSpanCells *self, guint n_rows, gint64 begin_ns, guint64 max_pieces)
{
  *self = (TtSpanCells){ .rows = g_ptr_array_new_full (n_rows, NULL), .begin_ns = begin_ns, .max_pieces = max_pieces };
  g_ptr_array_set_size (self->rows, (gint) n_rows);
}

void
tt_span_cells_clear (TtSpanCells *self)
{
  for (guint i = 0; self->rows != NULL && i < self->rows->len; i++)
    if (self->rows->pdata[i] != NULL)
      g_array_unref (self->rows->pdata[i]);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
}

static int
compare_pieces (gconstpointer a, gconstpointer b)
{
  const TtSpanPiece *x = a, *y = b;

  return x->begin_ns != y->begin_ns ? TT_COMPARE (x->begin_ns, y->begin_ns)
         : x->end_ns != y->end_ns   ? TT_COMPARE (y->end_ns, x->end_ns)
                                    : TT_COMPARE (x->name, y->name);
}

static gboolean
is_small (const TtSpanCells *self, const TtSpanPiece *piece)
{
  return piece->n > 1 || piece->end_ns - piece->begin_ns < self->cell_ns;
}

/* Whether @next is part of @piece now. */
static gboolean
merge_pieces (const TtSpanCells *self, TtSpanPiece *piece, const TtSpanPiece *next)
{
  if (self->cell_ns == 0 || !is_small (self, piece) || !is_small (self, next) ||
      (piece->begin_ns - self->begin_ns) / self->cell_ns != (next->begin_ns - self->begin_ns) / self->cell_ns)
    return FALSE;
  if (next->longest_ns > piece->longest_ns || (next->longest_ns == piece->longest_ns && next->name < piece->name))
    {
      piece->longest_ns = next->longest_ns;
      piece->name = next->name;
    }
  piece->begin_ns = MIN (piece->begin_ns, next->begin_ns);
  piece->end_ns = MAX (piece->end_ns, next->end_ns);
  if (__builtin_add_overflow (piece->busy_ns, next->busy_ns, &piece->busy_ns))
    piece->busy_ns = G_MAXINT64;
  piece->n += next->n;
  return TRUE;
}

/* Puts the pieces of each row into order, and makes one of those that share a cell. */
static void
merge_rows (TtSpanCells *self)
{
  self->n_pieces = 0;
  for (guint i = 0; i < self->rows->len; i++)
    {
      GArray *row = self->rows->pdata[i];
      guint n = 0;

      if (row == NULL)
        continue;
      g_array_sort (row, compare_pieces);
      for (guint k = 0; k < row->len; k++)
        {
          const TtSpanPiece next = g_array_index (row, TtSpanPiece, k);

          if (n == 0 || !merge_pieces (self, &g_array_index (row, TtSpanPiece, n - 1), &next))
            g_array_index (row, TtSpanPiece, n++) = next;
        }
      g_array_set_size (row, n);
      self->n_pieces += n;
    }
}

/* The first cells are so narrow that what they lose is seen from very near only. */
#define FIRST_CELL_NS 64

static void
widen_cells (TtSpanCells *self, guint64 most)
{
  merge_rows (self);
  while (self->n_pieces > most && self->cell_ns < G_MAXINT64 / 4)
    {
      self->cell_ns = self->cell_ns == 0 ? FIRST_CELL_NS : 2 * self->cell_ns;
      merge_rows (self);
    }
}

void
tt_span_cells_add (TtSpanCells *self, guint row, gint64 begin_ns, gint64 end_ns, guint32 name)
{
  const TtSpanPiece piece = { begin_ns, end_ns, end_ns - begin_ns, end_ns - begin_ns, name, 1 };
  GArray *pieces = self->rows->pdata[row];

  if (pieces == NULL)
    self->rows->pdata[row] = pieces = g_array_new (FALSE, FALSE, sizeof (TtSpanPiece));
  if (pieces->len > 0 && merge_pieces (self, &g_array_index (pieces, TtSpanPiece, pieces->len - 1), &piece))
    return;
  g_array_append_val (pieces, piece);
  if (++self->n_pieces >= 2 * self->max_pieces)
    widen_cells (self, self->max_pieces);
}

void
tt_span_cells_finish (TtSpanCells *self)
{
  widen_cells (self, self->max_pieces);
}
