/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/shard/columns.h"

#include <stddef.h>

#define COLUMN(member, values)                                                         \
  {                                                                                    \
    offsetof (TtBatch, member), sizeof *((TtBatch *) NULL)->member, TT_COLUMN_##values \
  }

/* In the order of the groups. */
const TtShardColumn tt_shard_columns[] = {
  COLUMN (events.thread, THREAD),
  COLUMN (events.name, NAME),
  COLUMN (events.ts_ns, PLAIN),
  COLUMN (events.dur_ns, PLAIN),
  COLUMN (events.self_ns, PLAIN),
  COLUMN (events.depth, PLAIN),
  COLUMN (events.flags, PLAIN),
  COLUMN (events.step, PLAIN),
  COLUMN (events.args, ARGS),

  COLUMN (counters.series, SERIES),
  COLUMN (counters.thread, THREAD),
  COLUMN (counters.ts_ns, PLAIN),
  COLUMN (counters.value, PLAIN),
  COLUMN (counters.is_real, PLAIN),

  COLUMN (metrics.event, EVENT),
  COLUMN (metrics.series, SERIES),
  COLUMN (metrics.inclusive, PLAIN),
  COLUMN (metrics.exclusive, PLAIN),

  COLUMN (halves.is_send, PLAIN),
  COLUMN (halves.onesided, PLAIN),
  COLUMN (halves.thread, THREAD),
  COLUMN (halves.own, PROCESS),
  COLUMN (halves.peer, PROCESS),
  COLUMN (halves.tag, PLAIN),
  COLUMN (halves.comm, PLAIN),
  COLUMN (halves.ts_ns, PLAIN),
  COLUMN (halves.bytes, PLAIN),
  COLUMN (halves.owner, OWNER),

  COLUMN (owners.owner, OWNER),
  COLUMN (owners.event, EVENT),

  COLUMN (calls.owner, OWNER),
  COLUMN (calls.root, PROCESS),
  COLUMN (calls.comm, PLAIN),
  COLUMN (calls.sequence, PLAIN),

  COLUMN (flows.from_event, EVENT),
  COLUMN (flows.to_event, EVENT),
  COLUMN (flows.kind, KIND),
  COLUMN (flows.from_ns, PLAIN),
  COLUMN (flows.to_ns, PLAIN),

  COLUMN (args.id, ARGS),
  COLUMN (args.text, TEXT),
  COLUMN (args.len, PLAIN),
  COLUMN (args.at, PLAIN),
  COLUMN (args.total, PLAIN),

  COLUMN (merges.args, ARGS),
  COLUMN (merges.more, ARGS),

  COLUMN (points.key, PLAIN),
  COLUMN (points.kind, KIND),
  COLUMN (points.phase, PLAIN),
  COLUMN (points.ts_ns, PLAIN),
  COLUMN (points.owner, OWNER),

  COLUMN (activities.event, EVENT),
  COLUMN (activities.launch, EVENT),
  COLUMN (activities.correlation, PLAIN),
  COLUMN (activities.waits_for, PLAIN),
  COLUMN (activities.queue, THREAD),
  COLUMN (activities.waits_on, THREAD),
  COLUMN (activities.role, PLAIN),
  COLUMN (activities.blocks, PLAIN),
};

#define ROWS(member) offsetof (TtBatch, member.n)

const TtShardGroup tt_shard_groups[TT_N_SHARD_GROUPS] = {
  { ROWS (events), 0, 9 },  { ROWS (counters), 9, 5 }, { ROWS (metrics), 14, 4 },    { ROWS (halves), 18, 10 },
  { ROWS (owners), 28, 2 }, { ROWS (calls), 30, 4 },   { ROWS (flows), 34, 5 },      { ROWS (args), 39, 5 },
  { ROWS (merges), 44, 2 }, { ROWS (points), 46, 5 },  { ROWS (activities), 51, 8 },
};

G_STATIC_ASSERT (G_N_ELEMENTS (tt_shard_columns) == 59);
