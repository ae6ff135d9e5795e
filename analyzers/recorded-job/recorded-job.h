/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run of PyTorch, or a timeline of TensorFlow, as a recording that can be replayed: what `simulate` makes of Kineto's traces.
 *
 * Nodes, and what they need (graphs/step-graph/recording.h):
 *
 *   host      a stretch of a thread in which one span is the innermost, and the time between spans. It needs the one
 *             before it on its thread. A call that waited for a device has no time until the work ended that it waited
 *             for (devices/waits.h), and what it took from then on; one that did not wait needs that work all the same.
 *   autograd  a thread that a forward thread starts, and that this one waits for, goes on when it has got so far
 *   operator  of a timeline of TensorFlow: needs what its flows say it takes tensors of, on other threads, where its own thread
 *             had nothing to do until that had ended (data-flows.h)
 *   device    needs its launch, the span before it on its queue, and those of other queues that its queue waited for.
 *             Which of these was the last says how long after it the span begins; of the others that is taken that is
 *             usual on the queue (the median), no more than was seen. What begins later than all of that by far has a
 *             delay of its own, whatever it needs.
 *   kernel of a collective with several ranks in the run: needs that all ranks' kernels have begun, and takes what it took
 *             from then on
 *
 * A step is that of the source, on the thread that has it, with all that was launched in it; without any the recording is
 * one. What threads other than these wait for is not known: they do as recorded, from the begin.
 */
#pragma once

#include "graphs/step-graph/recording.h"
#include "src/store/store.h"
#include "src/trace/collective-facts.h"

/* What was found, and what the model lacks. */
typedef struct
{
  guint n_ranks, n_device_spans;
  guint n_joined;     /* kernels of collectives that need other ranks */
  guint n_alone;      /* those whose other ranks are not in the run, or cannot be told */
  guint n_unlaunched; /* work on devices of which it is not known what launched it */
  guint n_dropped;    /* needs that the recorded times contradict */
  gboolean has_steps;
  gboolean is_untold; /* there are several queues, and it is not said which waits for which */
} TtRecordedCounts;

/* Sets *is_there: all sources of the run are PyTorch's, or TensorFlow's alone, without a job around them. FALSE with @error: the database failed. */
gboolean tt_recorded_job_is_there (TtStore *store, gboolean *is_there, GError **error);
/* @reader: of collectives; NULL: what they move is not asked for. NULL with @error: nothing in it takes time; it has too many events; a failing database. */
TtStepRecording *
tt_recorded_job_new (TtStore *store, TtCollectiveReader reader, TtRecordedCounts *counts, GError **error);
