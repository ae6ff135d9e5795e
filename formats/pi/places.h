/* SPDX-License-Identifier: Apache-2.0 */
/* F (0), F (1) ... with hexadecimal numbers that begin with @x: 16 of them, 256 of them. */
#pragma once

/* clang-format off */
#define TT_PI_16(F, x) \
  F (x##0) F (x##1) F (x##2) F (x##3) F (x##4) F (x##5) F (x##6) F (x##7) \
  F (x##8) F (x##9) F (x##a) F (x##b) F (x##c) F (x##d) F (x##e) F (x##f)
#define TT_PI_256(F, x) \
  TT_PI_16 (F, x##0) TT_PI_16 (F, x##1) TT_PI_16 (F, x##2) TT_PI_16 (F, x##3) \
  TT_PI_16 (F, x##4) TT_PI_16 (F, x##5) TT_PI_16 (F, x##6) TT_PI_16 (F, x##7) \
  TT_PI_16 (F, x##8) TT_PI_16 (F, x##9) TT_PI_16 (F, x##a) TT_PI_16 (F, x##b) \
  TT_PI_16 (F, x##c) TT_PI_16 (F, x##d) TT_PI_16 (F, x##e) TT_PI_16 (F, x##f)
/* clang-format on */
