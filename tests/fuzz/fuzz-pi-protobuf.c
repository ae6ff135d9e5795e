/* SPDX-License-Identifier: Apache-2.0 */
#include "pi-fuzz.h"

/* Any bytes as the messages of generation 3. */

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  return fuzz_file ("main.pi_trace", bytes, len);
}
