/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/metadata.h"

#include <string.h>

/* Any bytes as a file of CTF metadata: text, packets, or neither. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_text ("fuzz", bytes, len, &is_cut, &error);

  g_assert ((text == NULL) == (error != NULL));
  if (text == NULL)
    return 0;
  g_assert (g_str_has_prefix (text, "/* CTF 1"));
  g_assert (strlen (text) <= len + strlen ("/* CTF 1.8 */"));
  return 0;
}
