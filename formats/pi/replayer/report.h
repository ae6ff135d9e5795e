/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for `tracetool pi replay`, and the end of a process that no longer follows its recording.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What a thread has in the directory of progress: the command reads it however the process ends.
 *
 * Which thread releases an object, and when, is decided by who is last: releases are made and recorded at other places.
 * They are the same ones if the sums of both are. */
typedef struct
{
  uint64_t n_records;  /* of the recording, made or passed over */
  uint64_t n_released; /* releases that were made, but are not recorded at that place */
  uint64_t n_passed;   /* that are recorded, but were not made there */
  uint64_t n_others;   /* recorded calls of plugins that are not replaced */
  uint64_t balance;    /* sum of the first minus that of the others */
} TtReplayProgress;

static inline bool
tt_replay_is_release (const char *name, size_t len)
{
  return len > 7 && memcmp (name + len - 7, "Release", 7) == 0;
}

/* What a release of @handle adds to a sum. */
static inline uint64_t
tt_replay_weigh (uint32_t function, uint64_t handle)
{
  uint64_t word = (handle + function) * UINT64_C (0x9e3779b97f4a7c15);

  return (word ^ (word >> 29)) * UINT64_C (0xbf58476d1ce4e5b9);
}

/* Adds a line to the report: a kind, a tabulator, text. */
void tt_replay_report (const char *kind, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

#define TT_REPLAY_STATUS 99
/* Ends the process with TT_REPLAY_STATUS. */
_Noreturn void tt_replay_give_up (void);
