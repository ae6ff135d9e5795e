/*
 * TtTauSeenThreads: the (node, thread) pairs that a reader or writer has met. Plain C; a zeroed one
 * is empty. A key is node << 16 | thread.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uint64_t key;      /* + 1; 0: free */
  int64_t closed_at; /* first record that closed it; INT64_MAX: none seen */
} TtTauSeenThread;

typedef struct
{
  TtTauSeenThread *slots;
  size_t n, room; /* room: a power of 2 */
} TtTauSeenThreads;

void tt_tau_seen_threads_clear (TtTauSeenThreads *self);

/* False: no memory. */
bool tt_tau_seen_threads_add (TtTauSeenThreads *self, uint32_t key, bool *is_new);

/* Of one that was added: a record at @position closes it; whether it is closed there. By position, so
 * that it is the same when read again after a seek. */
void tt_tau_seen_threads_close (TtTauSeenThreads *self, uint32_t key, int64_t position);
bool tt_tau_seen_threads_is_closed (const TtTauSeenThreads *self, uint32_t key, int64_t position);
