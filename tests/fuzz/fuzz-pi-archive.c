/* SPDX-License-Identifier: Apache-2.0 */
#include "pi-fuzz.h"

/* Any bytes as a packed archive.
 *
 * Links: tests/fuzz/pi-archive-mutator.c
 * Links: tests/fuzz/no-comparisons.c
 * Options: -entropic=0
 */

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  return fuzz_file ("trace.pack", bytes, len);
}
