/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/schema/read.h"

#include "formats/ctf/schema/fragments.h"
#include "formats/ctf/schema/tsdl.h"

TtCtfSchema *
tt_ctf_schema_read (const char *path, const char *text, GError **error)
{
  return *text == TT_CTF_FRAGMENT ? tt_ctf_fragments_read (path, text, error) : tt_ctf_tsdl_read (path, text, error);
}
