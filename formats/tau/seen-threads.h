/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauSeenThreads: the (node, thread) pairs that the reader has seen, and where each was closed. Plain C; a zeroed one
 * is empty. A key is node << 16 | thread.
 */
#pragma once

#include "formats/tau/index.h"

typedef struct
{
  uint32_t key;
  int64_t closed_at; /* first record that closed it; INT64_MAX: none seen */
} TtTauSeenThread;

typedef struct
{
  TtTauSeenThread *threads;
  size_t n, room; /* of the array */
  TtTauIndex by_key;
} TtTauSeenThreads;

void tt_tau_seen_threads_clear (TtTauSeenThreads *self);

/* False: no memory. */
bool tt_tau_seen_threads_add (TtTauSeenThreads *self, uint32_t key, bool *is_new);

/* A record at @position closes the thread, which was added; whether the thread is closed there. By position, so that
 * reading again after a seek gives the same. */
void tt_tau_seen_threads_close (TtTauSeenThreads *self, uint32_t key, int64_t position);
bool tt_tau_seen_threads_is_closed (const TtTauSeenThreads *self, uint32_t key, int64_t position);
