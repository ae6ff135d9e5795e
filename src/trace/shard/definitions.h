/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definitions of a frame. Used by rows.c only.
 */
#pragma once

#include "src/trace/shard/rows.h"

void tt_shard_definitions_put (TtUnpack *bytes, TtShardIds *ids, TtSink *sink);
guint32 tt_shard_known_id (TtUnpack *bytes, const TtShardIds *ids, TtColumnSpace space, guint64 id);
