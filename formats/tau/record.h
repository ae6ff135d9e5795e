/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TAU's binary records: four layouts, and what a message's parameter packs.
 *
 *   24 bytes: int32 event, uint16 node, uint16 thread, int64 parameter, uint64 time
 *   32 bytes: int64 event, uint16 node, uint16 thread, 4 unused, int64 parameter, uint64 time
 *
 * each in either byte order. There is no header; the first record has the parameter 3.
 * Plain C: the importer and the reader library stand on it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum
{
  TT_TAU_24LE,
  TT_TAU_24BE,
  TT_TAU_32LE,
  TT_TAU_32BE,
  TT_TAU_N_LAYOUTS,
} TtTauLayout;

#define TT_TAU_MIN_RECORD 24u
/* A multiple of every record size. */
#define TT_TAU_RECORDS_ALIGN 96u
/* What the first record's parameter is. */
#define TT_TAU_MAGIC 3

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TT_TAU_24NATIVE TT_TAU_24BE
#else
#define TT_TAU_24NATIVE TT_TAU_24LE
#endif

typedef struct
{
  int64_t event;
  int64_t par;
  uint64_t ti;
  uint16_t nid, tid;
} TtTauRecord;

static inline unsigned
tt_tau_record_size (TtTauLayout layout)
{
  return layout == TT_TAU_24LE || layout == TT_TAU_24BE ? 24 : 32;
}

static inline uint64_t
tt_tau_get (const uint8_t *p, unsigned n_bytes, bool is_big)
{
  const bool is_swapped = is_big != (TT_TAU_24NATIVE == TT_TAU_24BE);
  uint16_t two;
  uint32_t four;
  uint64_t eight;

  switch (n_bytes)
    {
    case 2:
      memcpy (&two, p, 2);
      return is_swapped ? __builtin_bswap16 (two) : two;
    case 4:
      memcpy (&four, p, 4);
      return is_swapped ? __builtin_bswap32 (four) : four;
    default:
      memcpy (&eight, p, 8);
      return is_swapped ? __builtin_bswap64 (eight) : eight;
    }
}

/* Call it with a constant @layout in a loop. */
static inline TtTauRecord
tt_tau_decode (const uint8_t *p, TtTauLayout layout)
{
  const bool is_big = layout == TT_TAU_24BE || layout == TT_TAU_32BE;

  if (tt_tau_record_size (layout) == 24)
    return (TtTauRecord){
      .event = (int32_t) (uint32_t) tt_tau_get (p, 4, is_big),
      .nid = (uint16_t) tt_tau_get (p + 4, 2, is_big),
      .tid = (uint16_t) tt_tau_get (p + 6, 2, is_big),
      .par = (int64_t) tt_tau_get (p + 8, 8, is_big),
      .ti = tt_tau_get (p + 16, 8, is_big),
    };
  return (TtTauRecord){
    .event = (int64_t) tt_tau_get (p, 8, is_big),
    .nid = (uint16_t) tt_tau_get (p + 8, 2, is_big),
    .tid = (uint16_t) tt_tau_get (p + 10, 2, is_big),
    .par = (int64_t) tt_tau_get (p + 16, 8, is_big),
    .ti = tt_tau_get (p + 24, 8, is_big),
  };
}

/* The layout of today's TAU on this machine. */
static inline void
tt_tau_encode (uint8_t *p, const TtTauRecord *record)
{
  int32_t event = (int32_t) record->event;

  memcpy (p, &event, 4);
  memcpy (p + 4, &record->nid, 2);
  memcpy (p + 6, &record->tid, 2);
  memcpy (p + 8, &record->par, 8);
  memcpy (p + 16, &record->ti, 8);
}

/* The parameter of a message record, unpacked. */
typedef struct
{
  uint16_t peer, tag;
  uint8_t comm;
  uint32_t bytes;
} TtTauMessage;

static inline TtTauMessage
tt_tau_message (int64_t par)
{
  uint64_t p = (uint64_t) par;

  return (TtTauMessage){
    .peer = (uint16_t) ((p >> 24 & 0xff) | (p >> 56 & 0xff) << 8),
    .tag = (uint16_t) ((p >> 16 & 0xff) | (p >> 48 & 0xff) << 8),
    .comm = (uint8_t) (p >> 42 & 0x3f),
    .bytes = (uint32_t) ((p & 0xffff) | (p >> 32 & 0x3ff) << 16),
  };
}

/* Its inverse; what is too large for its field wraps, as TAU's own does. */
static inline int64_t
tt_tau_message_pack (uint64_t peer, uint64_t tag, uint64_t comm, uint64_t bytes)
{
  return (int64_t) ((bytes & 0xffff) | (tag & 0xff) << 16 | (peer & 0xff) << 24 | (bytes >> 16 & 0x3ff) << 32 |
                    (comm & 0x3f) << 42 | (tag >> 8 & 0xff) << 48 | (peer >> 8 & 0xff) << 56);
}
