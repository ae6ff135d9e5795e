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

static const TtKernelConfig no_config = { { -1, -1, -1 }, { -1, -1, -1 }, -1, -1, -1 };

/* Score-P tells these instead of the shapes and of the sum. */
static gboolean
read_total (TtKernelConfig *config, gint64 *dynamic_bytes, const TtJsonValue *key, const TtJsonValue *value)
{
  if (TT_SLICE_IS (key->raw, "blocks per grid"))
    return config->grid[0] < 0 && read_count (value, &config->grid[0]);
  if (TT_SLICE_IS (key->raw, "threads per block"))
    return config->block[0] < 0 && read_count (value, &config->block[0]);
  return TT_SLICE_IS (key->raw, "dynamic shared memory") && read_count (value, dynamic_bytes);
}

static void
add_shared (TtKernelConfig *config, gint64 static_bytes, gint64 dynamic_bytes)
{
  if (config->shared_bytes >= 0 || dynamic_bytes < 0)
    return;
  if (__builtin_add_overflow (MAX (static_bytes, 0), dynamic_bytes, &config->shared_bytes))
    config->shared_bytes = G_MAXINT64;
}

/* FALSE: @value is not of it, or nothing that it can be. */
static gboolean
read_config (TtKernelConfig *config, const TtJsonValue *key, const TtJsonValue *value)
{
  gboolean is_inexact;
  gint64 scaled;

  if (TT_SLICE_IS (key->raw, "grid"))
    return read_triple (value, config->grid);
  if (TT_SLICE_IS (key->raw, "block"))
    return read_triple (value, config->block);
  if (TT_SLICE_IS (key->raw, "registers per thread"))
    return read_count (value, &config->registers);
  if (TT_SLICE_IS (key->raw, "shared memory"))
    return read_count (value, &config->shared_bytes);
  if (!TT_SLICE_IS (key->raw, "est. achieved occupancy %") ||
      !tt_json_decimal (value, DECIMALS, &scaled, &is_inexact) || scaled < 0)
    return FALSE;
  config->occupancy_percent = (double) scaled / SCALE;
  return TRUE;
}

gboolean
tt_json_kernel_config (const char *args, gsize len, TtKernelConfig *config)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gint64 static_bytes = -1, dynamic_bytes = -1;
  gboolean is_any = FALSE;

  *config = no_config;
  while (args != NULL && tt_json_member ((TtSlice){ args, len }, &cursor, &key, &value))
    if (TT_SLICE_IS (key.raw, "static shared memory"))
      read_count (&value, &static_bytes);
    else
      is_any |= read_config (config, &key, &value) || read_total (config, &dynamic_bytes, &key, &value);
  add_shared (config, static_bytes, dynamic_bytes);
  return is_any;
}

void
tt_json_device_facts (const char *args, gsize len, TtDeviceFacts *facts)
{
  const char *cursor = NULL;
  TtJsonValue key, value;
  gint64 dynamic_bytes = -1;

  *facts = (TtDeviceFacts){ no_config, -1, -1, -1, -1, -1, -1, -1 };
  while (args != NULL && tt_json_member ((TtSlice){ args, len }, &cursor, &key, &value))
    if (TT_SLICE_IS (key.raw, "static shared memory"))
      read_count (&value, &facts->static_bytes);
    else if (TT_SLICE_IS (key.raw, "bytes"))
      read_count (&value, &facts->copy_bytes);
    else if (TT_SLICE_IS (key.raw, "device"))
      read_count (&value, &facts->device);
    else if (TT_SLICE_IS (key.raw, "context"))
      read_count (&value, &facts->context);
    else if (TT_SLICE_IS (key.raw, "stream"))
      read_count (&value, &facts->stream);
    else if (TT_SLICE_IS (key.raw, "correlation"))
      read_count (&value, &facts->correlation);
    else if (TT_SLICE_IS (key.raw, "result"))
      read_count (&value, &facts->result);
    else if (!read_config (&facts->config, &key, &value))
      read_total (&facts->config, &dynamic_bytes, &key, &value);
  add_shared (&facts->config, facts->static_bytes, dynamic_bytes);
}
