/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages by MPI_Ssend and MPI_Recv: neither call ends before both have begun.
 */
#pragma once

#include "analyzers/clocks/call-spans.h"

typedef struct
{
  guint32 src_process, dst_process;
  gint64 send_begin_ns, send_end_ns, recv_begin_ns, recv_end_ns;
} TtClockRendezvous;
typedef void (*TtClockRendezvousFunc) (const TtClockRendezvous *rendezvous, gpointer data);

/* Reads messages, and events once more, if there are such sends. */
gboolean tt_clock_each_rendezvous (const TtClockSpans *spans,
                                   TtStore *store,
                                   TtClockRendezvousFunc func,
                                   gpointer data,
                                   GError **error);
