/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/report/bars.h"

#include <math.h>

#define EIGHTHS 8u
#define FULL_BLOCK 0x2588u
/* Left one eighth is 0x258f, lower one eighth 0x2581. */
#define LEFT_BLOCK(eighths) (0x2590u - (eighths))
#define LOWER_BLOCK(eighths) (0x2580u + (eighths))

static gboolean
has_blocks (void)
{
  const char *charset;

  return g_get_charset (&charset);
}

/* Of @n parts; what is above 0 has one at least. */
static guint
parts_of (double share, guint n)
{
  if (!(share > 0))
    return 0;
  return MAX ((guint) lround (MIN (share, 1.0) * n), 1);
}

void
tt_bar_append (GString *text, double share)
{
  if (!has_blocks ())
    {
      for (guint i = parts_of (share, TT_BAR_WIDTH); i > 0; i--)
        g_string_append_c (text, '#');
      return;
    }
  guint eighths = parts_of (share, TT_BAR_WIDTH * EIGHTHS);
  for (guint i = eighths / EIGHTHS; i > 0; i--)
    g_string_append_unichar (text, FULL_BLOCK);
  if (eighths % EIGHTHS > 0)
    g_string_append_unichar (text, LEFT_BLOCK (eighths % EIGHTHS));
}

void
tt_spark_append (GString *text, const double *values, guint n, guint width)
{
  static const char ascii[] = " .:-=+*#@";
  guint n_columns = MIN (n, width);
  double greatest = 0;

  for (guint i = 0; i < n; i++)
    greatest = MAX (greatest, values[i]);
  for (guint column = 0; column < n_columns; column++)
    {
      guint from = (guint) ((guint64) n * column / n_columns), to = (guint) ((guint64) n * (column + 1) / n_columns);
      double highest = 0;

      for (guint i = from; i < to; i++)
        highest = MAX (highest, values[i]);
      guint height = greatest > 0 ? parts_of (highest / greatest, EIGHTHS) : 0;
      if (!has_blocks ())
        g_string_append_c (text, ascii[height]);
      else if (height == 0)
        g_string_append_c (text, ' ');
      else
        g_string_append_unichar (text, LOWER_BLOCK (height));
    }
}
