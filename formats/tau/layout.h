/*
 * The four layouts of TAU's binary records, and how to tell them apart.
 *
 *   24 bytes: int32 event, uint16 node, uint16 thread, int64 parameter, uint64 time
 *   32 bytes: int64 event, uint16 node, uint16 thread, 4 unused, int64 parameter, uint64 time
 *
 * each in either byte order. There is no header; the first record has the parameter 3.
 */
#pragma once

#include "formats/tau/edf.h"

#include <string.h>

typedef enum
{
  TT_TAU_24LE,
  TT_TAU_24BE,
  TT_TAU_32LE,
  TT_TAU_32BE,
  TT_TAU_N_LAYOUTS,
} TtTauLayout;

#define TT_TAU_LEAST_RECORD 24u
/* A multiple of every record size. */
#define TT_TAU_RECORDS_ALIGN 96u

typedef struct
{
  gint64 event;
  gint64 par;
  guint64 ti;
  guint16 nid, tid;
} TtTauRecord;

static inline guint
tt_tau_record_size (TtTauLayout layout)
{
  return layout == TT_TAU_24LE || layout == TT_TAU_24BE ? 24 : 32;
}

const char *tt_tau_layout_text (TtTauLayout layout);

static inline guint64
tt_tau_get (const guint8 *p, guint n_bytes, gboolean is_big)
{
  guint16 two;
  guint32 four;
  guint64 eight;

  switch (n_bytes)
    {
    case 2:
      memcpy (&two, p, 2);
      return is_big ? GUINT16_FROM_BE (two) : GUINT16_FROM_LE (two);
    case 4:
      memcpy (&four, p, 4);
      return is_big ? GUINT32_FROM_BE (four) : GUINT32_FROM_LE (four);
    default:
      memcpy (&eight, p, 8);
      return is_big ? GUINT64_FROM_BE (eight) : GUINT64_FROM_LE (eight);
    }
}

/* Call it with a constant @layout in a loop. */
static inline TtTauRecord
tt_tau_decode (const guint8 *p, TtTauLayout layout)
{
  const gboolean is_big = layout == TT_TAU_24BE || layout == TT_TAU_32BE;

  if (tt_tau_record_size (layout) == 24)
    return (TtTauRecord){
      .event = (gint32) (guint32) tt_tau_get (p, 4, is_big),
      .nid = (guint16) tt_tau_get (p + 4, 2, is_big),
      .tid = (guint16) tt_tau_get (p + 6, 2, is_big),
      .par = (gint64) tt_tau_get (p + 8, 8, is_big),
      .ti = tt_tau_get (p + 16, 8, is_big),
    };
  return (TtTauRecord){
    .event = (gint64) tt_tau_get (p, 8, is_big),
    .nid = (guint16) tt_tau_get (p + 8, 2, is_big),
    .tid = (guint16) tt_tau_get (p + 10, 2, is_big),
    .par = (gint64) tt_tau_get (p + 16, 8, is_big),
    .ti = tt_tau_get (p + 24, 8, is_big),
  };
}

/* Whether the first record has the magic parameter in some layout. */
gboolean tt_tau_layout_probe (const guint8 *head, gsize len);

/* The layout of a stream that begins with @head; @size: bytes of all of it, 0 = unknown. Without the
 * magic it is found by trial (*has_magic FALSE). FALSE: it is no TAU trace, or not that of @edf. */
gboolean tt_tau_layout_detect (const guint8 *head,
                               gsize len,
                               guint64 size,
                               TtTauEdf *edf,
                               TtTauLayout *layout,
                               gboolean *has_magic);

/* What the parameter of a message record says. */
typedef struct
{
  guint16 peer, tag;
  guint8 comm;
  guint32 bytes;
} TtTauMessage;

static inline TtTauMessage
tt_tau_message (gint64 par)
{
  guint64 p = (guint64) par;

  return (TtTauMessage){
    .peer = (guint16) ((p >> 24 & 0xff) | (p >> 56 & 0xff) << 8),
    .tag = (guint16) ((p >> 16 & 0xff) | (p >> 48 & 0xff) << 8),
    .comm = (guint8) (p >> 42 & 0x3f),
    .bytes = (guint32) ((p & 0xffff) | (p >> 32 & 0x3ff) << 16),
  };
}
