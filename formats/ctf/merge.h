/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfMerge: the events of all streams of a trace in the order of time; of one time, in the order of streams.
 *
 * Threads fill batches ahead, stream by stream, as many as there are processors; without any the caller fills them. What
 * comes out does not depend on it.
 */
#pragma once

#include "formats/ctf/feed.h"
#include "formats/ctf/reader.h"

/* Hands all events of @sources to @handler. FALSE with @error: reading failed, or the handler's check did. */
gboolean tt_ctf_merge (const TtCtfPlans *plans,
                       const GPtrArray *sources,
                       const TtCtfHandler *handler,
                       gpointer data,
                       GError **error);
