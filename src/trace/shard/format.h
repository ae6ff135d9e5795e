/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a shard consists of, for write.c and replay.c.
 */
#pragma once

#include <glib.h>

/* Before each frame. */
typedef struct
{
  guint32 kind; /* TtShardFrameKind */
  guint32 n_bytes;
  guint64 checksum; /* XXH3 of the bytes */
} TtShardFrame;

/* In another order of bytes they are other numbers. */
typedef enum
{
  TT_SHARD_BATCH = 0x62617463,
  TT_SHARD_END = 0x656e6421,
} TtShardFrameKind;

#define TT_SHARD_MAX_FRAME (1u << 30)

/* An input, or a part of it, that was left out. */
typedef struct
{
  char *path;
  GError *fault;
} TtShardLeftOut;

TtShardLeftOut *tt_shard_left_out_new (const char *path, const GError *fault);
void tt_shard_left_out_free (gpointer self);

/* How an import ended. */
typedef struct
{
  GError *fault;       /* NULL: it went well */
  GPtrArray *left_out; /* of TtShardLeftOut, in their order */
} TtShardEnd;
