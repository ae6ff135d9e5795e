/* SPDX-License-Identifier: Apache-2.0 */
#include "pi-fuzz.h"

/* Any bytes as one thread of a native recording. */

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  return fuzz_file ("main.ttpi", bytes, len);
}
