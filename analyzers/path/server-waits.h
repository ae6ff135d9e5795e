/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What workers wait for that exchange tensors over parameter servers (BytePS): the time in which the operators of a rank
 * stand still because what the next one needs has not been pulled.
 *
 * A server answers no pull of a part before all workers have pushed it and it has summed (sync mode of ps-lite's server in
 * BytePS: pulls that come earlier are queued). So of the pause before an operator, from the end of the one before on, is
 *
 *   waiting for a worker   until the push that came last had arrived, where that is another rank's
 *   waiting for a server   from there on, or from when the own request had arrived, until the server begins to answer
 *
 * and the rest, in which parts are on their way, is exchange. Of what the operator needs the part counts that came last
 * (job-waits.h); the pushes of a part are those of the graph. Other work of
 * the rank under way meanwhile is not seen: the pause is that of its operators.
 */
#pragma once

#include "analyzers/path/job-waits.h"
#include "analyzers/waits/waits.h"

typedef struct
{
  TtWait wait;
  guint32 from;   /* span: the server's work, or what the other rank did before it pushed */
  guint32 before; /* span: the operator before the pause */
} TtServerWait;

#define TT_MAX_SERVER_WAITS 2u

typedef struct
{
  const TtJobSpans *spans;
  const TtJobWait *held;
  guint32
      *queue_of; /* by node of the graph that is a server's work or PULL_RES: the first push of its part, as a number of
                        the graph's arrivals; TT_STEP_NO_NODE: none */
} TtServerWaits;

/* Both are kept. */
void tt_server_waits_init (TtServerWaits *self, const TtJobSpans *spans, const TtJobWait *held);
void tt_server_waits_clear (TtServerWaits *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtServerWaits, tt_server_waits_clear)
/* Of the @i-th span. Returns how many, in time order. */
guint tt_server_waits_of (const TtServerWaits *self, guint32 i, TtServerWait waits[TT_MAX_SERVER_WAITS]);
