/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfPacket: the packet of a stream's file that is being read: what its header and context say, and its events.
 *
 * A fault of the packet is told by `fault`, as text; a call that failed by @error. The clock goes on from packet to packet.
 */
#pragma once

#include "formats/ctf/plans.h"
#include "formats/ctf/window.h"

#define TT_CTF_UNSAID G_MAXUINT64

typedef struct
{
  const TtCtfPlans *plans;
  gsize room; /* that a window has at most to begin with */
  TtCtfWindow window;
  TtCtfBits bits;
  const char *fault; /* NULL: none */
  guint64 at;        /* in the file */
  guint64 n_bytes;   /* up to the next packet */
  guint64 n_bits;    /* of contents */
  const TtCtfStreamType *type;
  const TtCtfHeader *header; /* of its events, and the plan of its context, NULL: it has none */
  const TtCtfPlan *context;
  guint64 instance, begin, end, discarded, sequence_number; /* TT_CTF_UNSAID: it does not say */
  gboolean has_other_uuid;                                  /* than the metadata */
  guint8 *slots;                                            /* of its context */
  GString *tail;
  guint n_empty;       /* as in TtCtfBits, of all events so far */
  guint64 n_text_owed; /* bytes of text of the events, less what their own bytes account for */
} TtCtfPacket;

typedef enum
{
  TT_CTF_STEP_DONE,
  TT_CTF_STEP_END,
  TT_CTF_STEP_FAULT,
  TT_CTF_STEP_FAILED, /* @error */
} TtCtfStepResult;

/* @path is borrowed; @known: as in tt_ctf_window_open. */
gboolean tt_ctf_packet_open (TtCtfPacket *self,
                             const TtCtfPlans *plans,
                             const char *path,
                             gsize room,
                             guint64 known,
                             GError **error);
/* Another file of the same stream. */
gboolean tt_ctf_packet_open_next (TtCtfPacket *self, const char *path, guint64 known, GError **error);
void tt_ctf_packet_clear (TtCtfPacket *self);

/* Reads the head of the packet at @at. END: the file ends there. */
TtCtfStepResult tt_ctf_packet_read (TtCtfPacket *self, guint64 at, GError **error);

/* An event: its plan has its class. */
typedef struct
{
  const TtCtfPlan *plan;
  guint64 clock, round; /* as in TtCtfBits */
  guint64 n_bits;       /* with what stands before it */
  gboolean is_outgrown; /* by the text of values that are shown as JSON: they are left out */
  guint8 *slots;        /* the caller's, with room for tt_ctf_plans_most_slots() */
  GString *tail;        /* the caller's */
} TtCtfFound;

/* With slots and a tail of its own, for those who drop the event. */
void tt_ctf_found_init (TtCtfFound *self, const TtCtfPlans *plans);
void tt_ctf_found_clear (TtCtfFound *self);
TtCtfStepResult tt_ctf_packet_next (TtCtfPacket *self, TtCtfFound *found, GError **error);
