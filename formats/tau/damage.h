/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauWindow: the bytes from a record on that cannot be as it stands, and what can be known of it from those after it.
 *
 * Records of TAU have no checksum, length or marker. What damage leaves (a hole of zeros where a node died or a file
 * system lost a page, bytes that are missing, a bit that is another) is known by what follows: a record can be one if
 * its event is defined, its time is within ten years of the file's, and a state is entered or left.
 */
#pragma once

#include "formats/tau/edf.h"
#include "formats/tau/layout.h"

/* What lies behind a record when it is examined, where the file has as much: bytes. */
#define TT_TAU_AHEAD ((gsize) 32 * 1024)

typedef struct
{
  const guint8 *bytes; /* from the record on */
  gsize len;
  TtTauLayout layout;
  TtTauEdf *edf;
  guint64 usual_ti; /* a time in the middle of the file's, or 0: not known */
} TtTauWindow;

/* The middle of the times of the first records that can be; 0 if there are none. */
guint64 tt_tau_usual_time (const TtTauWindow *head);

/* Of the first records those that are not zeros and whose time can be, and how many of these have an event that is not
 * defined; and the first time. */
typedef struct
{
  guint n, n_undefined;
  guint64 first_ti;
} TtTauSample;

TtTauSample tt_tau_sample (const TtTauWindow *head);

/* Whether a time is so near to those of the file that a clock may have told it. */
gboolean tt_tau_can_be_time (const TtTauWindow *self, guint64 ti);

/* How many of the records at the begin of the window have nothing but zero bytes. */
gsize tt_tau_count_zeros (const TtTauWindow *self);

/* The first place, at byte @from or after it, where several records in a row can be ones, at most as many as there are;
 * the length of the window if there is none. @step: bytes between the places that are tried. */
gsize tt_tau_find_records (const TtTauWindow *self, gsize from, gsize step);
/* How far within the record at @at others begin, because bytes before it are missing or too many; 0: none do. */
gsize tt_tau_find_shift (const TtTauWindow *self, gsize at);

/* The time of the next record of (@nid, @tid) that can be one. FALSE: the window has none. */
gboolean tt_tau_next_time (const TtTauWindow *self, guint16 nid, guint16 tid, guint64 *ti);
