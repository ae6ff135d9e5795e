/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons are not looked at, for targets whose input is no text that the program compares with anything: libFuzzer's
 * looks take a quarter of their time. Coverage is counted as ever.
 *
 * For targets that name this file under "Links:".
 *
 * Linker: -Wl,--wrap=__sanitizer_cov_trace_cmp1,--wrap=__sanitizer_cov_trace_cmp2
 * Linker: -Wl,--wrap=__sanitizer_cov_trace_cmp4,--wrap=__sanitizer_cov_trace_cmp8
 * Linker: -Wl,--wrap=__sanitizer_cov_trace_const_cmp1,--wrap=__sanitizer_cov_trace_const_cmp2
 * Linker: -Wl,--wrap=__sanitizer_cov_trace_const_cmp4,--wrap=__sanitizer_cov_trace_const_cmp8
 * Linker: -Wl,--wrap=__sanitizer_cov_trace_switch
 */
#include <glib.h>

/* Themselves they are not looked at either: that would take longer than what is left out. */
#define UNSEEN __attribute__ ((no_sanitize ("coverage")))

#define NOTHING(name, type)                                         \
  UNSEEN void __wrap___sanitizer_cov_trace_##name (type a, type b); \
                                                                    \
  void __wrap___sanitizer_cov_trace_##name (type a, type b)         \
  {                                                                 \
  }

NOTHING (cmp1, guint8)
NOTHING (cmp2, guint16)
NOTHING (cmp4, guint32)
NOTHING (cmp8, guint64)
NOTHING (const_cmp1, guint8)
NOTHING (const_cmp2, guint16)
NOTHING (const_cmp4, guint32)
NOTHING (const_cmp8, guint64)

UNSEEN void __wrap___sanitizer_cov_trace_switch (guint64 value, guint64 *cases);

void
__wrap___sanitizer_cov_trace_switch (guint64 value, guint64 *cases)
{
}
