/*
 * What the two halves of the reader share: reader.c opens and seeks, reader-records.c reads.
 */
#pragma once

#include "formats/tau/TAU_tf.h"

#include "formats/tau/definitions.h"
#include "formats/tau/record.h"
#include "formats/tau/seen-threads.h"

#include <sys/types.h>
#include <time.h>

#define TT_TAU_READER_BLOCK ((size_t) TT_TAU_RECORDS_ALIGN * 682) /* 64 KiB: stays in a cache */
#define TT_TAU_MET_BITS 10

typedef struct
{
  int file;
  char *edf;
  TtTauLayout layout;
  bool is_layout_known;
  bool keeps_first, reannounces, is_clock_told;
  bool has_first;
  uint64_t first_ti;
  int64_t position; /* record to be read next */
  int64_t block_at; /* record that the block begins with */
  int64_t n_block;
  uint8_t *block;
  bool has_edf; /* as it was when read last: */
  struct timespec edf_time;
  off_t edf_size;
  TtTauDefinitions definitions;
  TtTauSeenThreads threads;
  uint64_t met[1 << TT_TAU_MET_BITS]; /* key + 1 of threads met lately, where its hash says */
} TtTauReader;

static inline size_t
tt_tau_met_place (uint32_t key)
{
  return (key * UINT32_C (2654435761)) >> (32 - TT_TAU_MET_BITS);
}

/* As much of @len bytes as there is; -1: an error. */
ssize_t tt_tau_reader_read_at (int file, uint8_t *bytes, size_t len, uint64_t offset);
uint64_t tt_tau_reader_size (const TtTauReader *self);
/* Unless it is known. */
void tt_tau_reader_find_layout (TtTauReader *self);
