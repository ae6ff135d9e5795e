/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "pictures/flame.h"

#include <stdlib.h>

#include "pictures/bars.h"
#include "src/base/compare.h"

#define ROW TT_PX (20)
#define LEFT TT_PX (16)
#define WIDTH (TT_PICTURE_WIDTH - LEFT - TT_PX (24))

void
tt_flame_graph_init (TtFlameGraph *self, const char *title, tt_int128 whole)
{
  *self = (TtFlameGraph){ .whole = whole };
  tt_picture_head_init (&self->head, title);
  self->boxes = g_array_new (FALSE, FALSE, sizeof (TtFlameBox));
  self->legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
}

void
tt_flame_graph_clear (TtFlameGraph *self)
{
  tt_picture_head_clear (&self->head);
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->legend, g_array_unref);
}

static gint64
width_of (const TtFlameGraph *self, const TtFlameBox *box)
{
  return tt_scale (box->begin + box->total, self->whole, WIDTH) - tt_scale (box->begin, self->whole, WIDTH);
}

gboolean
tt_flame_graph_add (TtFlameGraph *self, const TtFlameBox *box)
{
  gboolean is_narrow = tt_scale (box->total, self->whole, WIDTH) < TT_PX (1) / 2;
  gboolean is_deep = box->depth > TT_FLAME_MAX_DEPTH;

  self->n_narrow += is_narrow;
  self->n_deep += !is_narrow && is_deep;
  if (is_narrow || is_deep)
    return FALSE;
  g_array_append_val (self->boxes, *box);
  return TRUE;
}

static int
compare_widths (gconstpointer a, gconstpointer b)
{
  const tt_int128 *x = a, *y = b;

  return TT_COMPARE (*y, *x);
}

/* Of those that are as wide as the last to stay the first ones: a box comes after the one that it is inside of, which is no
 * narrower, so that none hangs in the air. */
static void
leave_out_narrow (TtFlameGraph *self)
{
  guint n_boxes = self->boxes->len, n = 0, n_wider = 0;

  if (n_boxes <= TT_FLAME_MAX_BOXES)
    return;
  g_autofree tt_int128 *widths = g_new (tt_int128, n_boxes);
  for (guint i = 0; i < n_boxes; i++)
    widths[i] = g_array_index (self->boxes, TtFlameBox, i).total;
  qsort (widths, n_boxes, sizeof *widths, compare_widths);
  tt_int128 least = widths[TT_FLAME_MAX_BOXES - 1];
  while (widths[n_wider] > least)
    n_wider++;
  guint n_equal = TT_FLAME_MAX_BOXES - n_wider;
  for (guint i = 0; i < n_boxes; i++)
    {
      const TtFlameBox box = g_array_index (self->boxes, TtFlameBox, i);

      if (box.total < least || (box.total == least && n_equal == 0))
        continue;
      n_equal -= box.total == least;
      g_array_index (self->boxes, TtFlameBox, n++) = box;
    }
  self->n_narrow += n_boxes - n;
  g_array_set_size (self->boxes, n);
}

static void
add_notes (TtFlameGraph *self)
{
  if (self->n_narrow > 0)
    tt_picture_head_note (&self->head, "Left out with what is inside: %" G_GUINT64_FORMAT " box%s too narrow.",
                          self->n_narrow, self->n_narrow == 1 ? ", which is" : "es that are");
  if (self->n_deep > 0)
    tt_picture_head_note (&self->head, "Left out: %" G_GUINT64_FORMAT " boxes at depth %u, with what is inside.",
                          self->n_deep, TT_FLAME_MAX_DEPTH + 1);
}

/* -- drawing ------------------------------------------------------------------------------------------------------ */

/* What can be read on a colour, whatever the screen. */
static const char *
ink_of (const char *css_class)
{
  return g_str_equal (css_class, "c0") || g_str_equal (css_class, "c2") || g_str_equal (css_class, "c3") ||
                 g_str_equal (css_class, "c7")
             ? "pale"
         : g_str_equal (css_class, "none") ? "on"
                                           : "dark";
}

static void
draw_box (const TtFlameGraph *self, const TtFrame *frame, const TtFlameBox *box)
{
  const char *css_class = g_array_index (self->legend, TtLegendEntry, box->colour).css_class;
  gint64 x = LEFT + tt_scale (box->begin, self->whole, WIDTH), width = width_of (self, box);
  gint64 y = frame->top + ROW * (box->depth - 1);
  char total[TT_QUANTITY_TEXT], own[TT_QUANTITY_TEXT], count[TT_QUANTITY_TEXT], percent[TT_PERCENT_TEXT];
  g_autofree char *cut_class = g_strconcat ("cut ", css_class, NULL);
  guint n_chars = tt_svg_chars (width - TT_PX (8));

  tt_svg_open_rect (frame->out, cut_class, x, y, width, ROW - TT_PX (1));
  tt_svg_data_text (frame->out, "name", box->name);
  tt_svg_data (frame->out, "depth", box->depth);
  tt_svg_data (frame->out, "total", box->total);
  tt_svg_data (frame->out, "self", box->self);
  tt_svg_data (frame->out, "count", box->count);
  tt_output_literal (frame->out, "><title>");
  tt_svg_escape (frame->out, box->name, TT_PICTURE_TOOLTIP);
  tt_output_printf (
      frame->out, ": %s (%s), itself %s, %s calls</title></rect>\n",
      tt_quantity_text (total, self->quantity, box->total), tt_percent_text (percent, box->total, self->whole),
      tt_quantity_text (own, self->quantity, box->self), tt_quantity_text (count, TT_QUANTITY_COUNT, box->count));
  if (n_chars >= 3)
    tt_svg_text (frame->out, ink_of (css_class), x + TT_PX (4), y + TT_PX (14), box->name, n_chars);
}

static gboolean
has_colour (const TtFlameGraph *self, guint colour)
{
  for (guint i = 0; i < self->boxes->len; i++)
    if (g_array_index (self->boxes, TtFlameBox, i).colour == colour)
      return TRUE;
  return FALSE;
}

void
tt_flame_graph_write (TtFlameGraph *self, TtOutput *out)
{
  g_autoptr (GArray) legend = g_array_new (FALSE, FALSE, sizeof (TtLegendEntry));
  guint depth = 1;
  TtFrame frame;
  char text[TT_QUANTITY_TEXT];

  leave_out_narrow (self);
  add_notes (self);
  if (self->boxes->len == 0)
    {
      tt_frame_write_empty (out, &self->head);
      return;
    }
  for (guint i = 0; i < self->boxes->len; i++)
    depth = MAX (depth, g_array_index (self->boxes, TtFlameBox, i).depth);
  for (guint i = 0; i < self->legend->len; i++)
    if (has_colour (self, i))
      g_array_append_val (legend, g_array_index (self->legend, TtLegendEntry, i));
  tt_frame_begin (&frame, out, &self->head, (const TtLegendEntry *) (const void *) legend->data, legend->len, LEFT,
                  ROW * depth, TT_PX (28));
  for (guint i = 0; i < self->boxes->len; i++)
    draw_box (self, &frame, &g_array_index (self->boxes, TtFlameBox, i));
  g_autofree char *whole = g_strdup_printf ("whole width: %s", tt_quantity_text (text, self->quantity, self->whole));
  tt_svg_text (out, "axis r", LEFT + WIDTH, frame.top + frame.height + TT_PX (16), whole, 0);
  tt_frame_end (&frame);
}
