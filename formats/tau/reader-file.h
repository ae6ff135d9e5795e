/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauReader: a trace that is open for reading: its file and layout, the block that was read last, and what was
 * announced to the caller. Plain C.
 */
#pragma once

#include "formats/tau/TAU_tf.h"

#include "formats/tau/definitions.h"
#include "formats/tau/record.h"
#include "formats/tau/seen-threads.h"

#include <sys/types.h>
#include <time.h>

#define TT_TAU_READER_BLOCK ((size_t) TT_TAU_RECORDS_ALIGN * 682) /* 64 KiB: stays in a cache */
#define TT_TAU_RECENT_BITS 10

typedef struct
{
  int file;
  char *edf;
  TtTauLayout layout;
  bool is_layout_known;
  bool keeps_first, reannounces, is_clock_announced;
  bool has_first;
  uint64_t first_ti;
  int64_t position; /* record to be read next */
  int64_t block_at; /* first record of the block */
  int64_t n_block;
  uint8_t *block;
  bool has_edf; /* it was read: */
  struct timespec edf_time;
  off_t edf_size;
  TtTauDefinitions definitions;
  TtTauSeenThreads threads;
  uint64_t recent[1 << TT_TAU_RECENT_BITS]; /* key + 1 of a thread seen lately, at the slot of its hash */
} TtTauReader;

static inline size_t
tt_tau_recent_slot (uint32_t key)
{
  return (key * UINT32_C (2654435761)) >> (32 - TT_TAU_RECENT_BITS);
}

/* For reading; -1 after a complaint on stderr: not a regular file, or it cannot be opened. */
int tt_tau_reader_open_file (const char *path);
/* As much of @len bytes as there is; -1: an error. */
ssize_t tt_tau_reader_read_at (int file, uint8_t *bytes, size_t len, uint64_t offset);
uint64_t tt_tau_reader_size (const TtTauReader *self);
/* Finds the layout unless it is known. A file that is still empty shows it later. */
void tt_tau_reader_find_layout (TtTauReader *self);
