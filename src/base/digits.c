/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/base/digits.h"

#define ONES(a) a "0", a "1", a "2", a "3", a "4", a "5", a "6", a "7", a "8", a "9"
#define TENS(a)                                                                                                   \
  ONES (a "0"), ONES (a "1"), ONES (a "2"), ONES (a "3"), ONES (a "4"), ONES (a "5"), ONES (a "6"), ONES (a "7"), \
      ONES (a "8"), ONES (a "9")
#define HUNDREDS(a)                                                                                               \
  TENS (a "0"), TENS (a "1"), TENS (a "2"), TENS (a "3"), TENS (a "4"), TENS (a "5"), TENS (a "6"), TENS (a "7"), \
      TENS (a "8"), TENS (a "9")

const char tt_fours[10000][4] = {
  HUNDREDS ("0"), HUNDREDS ("1"), HUNDREDS ("2"), HUNDREDS ("3"), HUNDREDS ("4"),
  HUNDREDS ("5"), HUNDREDS ("6"), HUNDREDS ("7"), HUNDREDS ("8"), HUNDREDS ("9"),
};

void
tt_near_time_move (TtNearTime *self, guint64 ns)
{
  self->from_ns = ns - ns % TT_SHORT_NS;
  self->n_ns = TT_SHORT_NS;
  self->len = (guint32) (tt_put_decimal (self->text, ns / TT_SHORT_NS) - self->text);
}
