/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/json/kernel-args.h"

#include "formats/json/scanner.h"

/* Of the number in 10^-6, as sources write six decimals at most. */
#define DECIMALS 6
#define SCALE 1e6

static gboolean
read_count (const TtJsonValue *value, gint64 *count)
{
  gint64 number;

  if (!tt_json_int64 (value, &number) || number < 0)
    return FALSE;
  *count = number;
  return TRUE;
}

/* Three of them, or nothing. */
static gboolean
read_triple (const TtJsonValue *value, gint64 triple[3])
{
  const char *cursor = NULL;
  TtJsonValue item;
  gint64 found[3];
  guint n = 0;

  if (value->kind != TT_JSON_ARRAY)
    return FALSE;
  while (tt_json_item (value->raw, &cursor, &item))
    if (n == 3 || !read_count (&item, &found[n++]))
      return FALSE;
  if (n != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    triple[i] = found[i];
  return TRUE;
}

gboolean
tt_json_kernel_config (const char *args, gsize len, TtKernelConfig *config)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gboolean is_any = FALSE, is_inexact;
  gint64 scaled;

  *config = (TtKernelConfig){ { -1, -1, -1 }, { -1, -1, -1 }, -1, -1, -1 };
  if (args == NULL)
    return FALSE;
  while (tt_json_member ((TtSlice){ args, len }, &cursor, &key, &value))
    if (TT_SLICE_IS (key.raw, "grid"))
      is_any |= read_triple (&value, config->grid);
    else if (TT_SLICE_IS (key.raw, "block"))
      is_any |= read_triple (&value, config->block);
    else if (TT_SLICE_IS (key.raw, "registers per thread"))
      is_any |= read_count (&value, &config->registers);
    else if (TT_SLICE_IS (key.raw, "shared memory"))
      is_any |= read_count (&value, &config->shared_bytes);
    else if (TT_SLICE_IS (key.raw, "est. achieved occupancy %") && tt_json_decimal (&value, DECIMALS, &scaled, &is_inexact) &&
             scaled >= 0)
      {
        config->occupancy_percent = (double) scaled / SCALE;
        is_any = TRUE;
      }
  return is_any;
}
