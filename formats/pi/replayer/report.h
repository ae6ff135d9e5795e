/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines for `tracetool pi replay`, and the end of a process that no longer follows its recording.
 */
#pragma once

#include "formats/pi/api.h"
#include "formats/pi/native.h"

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
  uint64_t n_others;   /* recorded calls of plugins that are not replaced, waits that were made elsewhere */
  uint64_t balance;    /* sum of the first minus that of the others */
} TtReplayProgress;

/* What a function is told by: of PI the id of the runtime's list; of UR, whose ids change, its place among ours. */
static inline uint32_t
tt_replay_id_of (const TtPiNativeName *name)
{
  char text[TT_PI_NATIVE_MAX_NAME + 1];

  if (name->api != TT_PI_API_UR)
    return name->id;
  memcpy (text, name->name, name->name_len);
  text[name->name_len] = '\0';
  const TtPiFunction *function = tt_pi_function_by_name (text);
  return function != NULL ? function->index : UINT32_C (0x40000000) | name->id;
}

/* What is given back, objects or memory. */
static inline bool
tt_replay_is_release (const char *name, size_t len)
{
  return len > 7 && (memcmp (name + len - 7, "Release", 7) == 0 || memcmp (name + len - 7, "USMFree", 7) == 0);
}

/* A wait, or a query for the status of an event, with its packed arguments: with threads, where and how often it is
 * made is a matter of time. */
static inline bool
tt_replay_is_wait (const char *name, size_t len, const uint8_t *args, size_t args_size)
{
  static const char *const waits[] = { "urEventWait", "urQueueFinish", "piEventsWait", "piQueueFinish" };

  for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++)
    if (len == strlen (waits[i]) && memcmp (name, waits[i], len) == 0)
      return true;
  if (len != 14 || args_size < 12)
    return false;
  return (memcmp (name, "urEventGetInfo", 14) == 0 && tt_pi_get (args + 8, 4) == 3) ||
         (memcmp (name, "piEventGetInfo", 14) == 0 && tt_pi_get (args + 8, 4) == 0x11D3);
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
