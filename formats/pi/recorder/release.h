/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which release of UR the program has: by the version of the stream and by what the loader's library offers, for a
 * version goes through many releases.
 */
#pragma once

#include <stdint.h>

typedef struct
{
  uint8_t major, minor;
  uint16_t release; /* api.h; 0: the tables do not know this version */
  unsigned n_other; /* functions that the loader has or lacks, by that release */
} TtRecordRelease;

/* The version that the stream `ur.call` has said. */
void tt_record_release_version (unsigned major, unsigned minor);
/* @name: text in the library that makes the calls. Found at the first call; never NULL. */
const TtRecordRelease *tt_record_release (const char *name);
/* The library that makes the calls; "" before the first. */
const char *tt_record_release_library (void);
