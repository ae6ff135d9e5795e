/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spans of a training job by what they are: nodes of its step's graph, and places on devices.
 *
 * A device runs one thing at a time: the operators of a rank, its input, its communication kernels (what Horovod does
 * with a group but waiting), its SENDs and its RECVs, by channel where those of several channels overlap; a link to a
 * parameter server; a thread of one. Waits (Sync, QUEUE, NEGOTIATE_*, WAIT_FOR_*) are on no device.
 *
 * Of the NCCL_ALLREDUCE over transfers that are traced nothing is kept: it is all of them. Memory grows with the spans:
 * some 100 bytes each.
 */
#pragma once

#include "analyzers/training-job/training-job.h"
#include "src/base/map64.h"

#define TT_JOB_NO_SPAN G_MAXUINT32

typedef struct
{
  guint64 event;
  gint64 begin_ns, end_ns;
  guint32 thread, name; /* name: of the store */
  guint32 endpoint;     /* of the job */
  guint32 node;         /* of the step's graph; TT_STEP_NO_NODE: none */
  guint32 device;       /* TT_JOB_NO_SPAN: on none */
  gint32 step;
  guint8 kind;      /* TtStepNodeKind */
  gboolean is_wait; /* it does nothing but wait */
} TtJobPathSpan;

/* Some of the spans, by their ends. */
typedef struct
{
  guint32 *spans; /* indices */
  guint32 *first; /* by list: where it begins; one more for the end of the last */
  guint32 n_lists;
} TtJobSpanLists;

typedef struct
{
  TtTrainingJob *job;
  GArray *spans; /* of TtJobPathSpan, by (end, begin, event) */
  TtJobSpanLists of_node, of_device;
  TtMap64 device_of;    /* see job-spans.c */
  guint8 *has_channels; /* by endpoint: its transfers of several channels overlap */
} TtJobSpans;

/* Takes @job over. */
gboolean tt_job_spans_init (TtJobSpans *self, TtTrainingJob *job, TtStore *store, GError **error);
void tt_job_spans_clear (TtJobSpans *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtJobSpans, tt_job_spans_clear)

#define tt_job_span(self, i) (&g_array_index ((self)->spans, TtJobPathSpan, (i)))

/* The last span of a list that ends at or before @ns and is before @before in the order of all; TT_JOB_NO_SPAN: none. */
guint32
tt_job_spans_last (const TtJobSpans *self, const TtJobSpanLists *lists, guint32 list, gint64 ns, guint32 before);
/* Which of its node's spans it is, from 0. */
guint32 tt_job_spans_occurrence (const TtJobSpans *self, guint32 span);
/* The device on which @endpoint does things of @kind; @channel: of a SEND or RECV. TT_JOB_NO_SPAN: it does none. */
guint32 tt_job_spans_device (const TtJobSpans *self, guint32 endpoint, TtStepNodeKind kind, guint32 channel);
