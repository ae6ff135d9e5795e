/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/copy-bytes.h"

#include "formats/json/scanner.h"

gint64
tt_json_copy_bytes (const char *args, gsize len)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gint64 bytes = -1;

  if (args == NULL)
    return -1;
  while (tt_json_member ((TtSlice){ args, len }, &cursor, &key, &value))
    if (TT_SLICE_IS (key.raw, "bytes") && !(tt_json_int64 (&value, &bytes) && bytes >= 0))
      bytes = -1;
  return bytes;
}
