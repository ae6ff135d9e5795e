/* SPDX-License-Identifier: Apache-2.0 */
#include "pi-fuzz.h"

/* Any bytes as the packed records of generations 0 to 2. */

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  return fuzz_file ("main.trace", bytes, len);
}
