/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfReceiver: what one decoder process says of streams of a trace, handed over frame by frame.
 */
#pragma once

#include "formats/ctf/reader.h"

typedef struct
{
  const char *path; /* of the trace */
  const char *word; /* what the decoder is to do */
  const char *view; /* what it is given; messages say the path of the trace instead */
  const TtCtfHandler *handler;
  gpointer data;
  GPtrArray *classes; /* of TtCtfClass, by id */
  GHashTable *names;  /* of all classes of the trace */
  gboolean has_facts;
  TtCtfFacts facts;
  char *hostname;
  guint n_streams;   /* as the decoder sees them */
  GString *damage;   /* streams that were reported; NULL: nobody asks */
  gboolean is_begun; /* the handler knows the facts */
  gboolean is_stopped;
  guint64 n_events;
} TtCtfReceiver;

/* How the decoder took it. */
typedef enum
{
  TT_CTF_READ_WHOLE,
  TT_CTF_READ_REFUSED, /* no event came */
  TT_CTF_READ_BROKEN,  /* some came, then no more */
  TT_CTF_READ_FAILED,  /* the handler's error */
} TtCtfOutcome;

/* The texts and @handler are borrowed. */
void tt_ctf_receiver_init (TtCtfReceiver *self,
                           const char *path,
                           const char *word,
                           const TtCtfHandler *handler,
                           gpointer data);
void tt_ctf_receiver_clear (TtCtfReceiver *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtCtfReceiver, tt_ctf_receiver_clear)

/* Runs a decoder to its end. *why: set unless it was read whole; free it. */
TtCtfOutcome tt_ctf_receiver_run (TtCtfReceiver *self, char **why, GError **error);
/* Tells the handler of a damaged stream. */
void tt_ctf_receiver_broken (const TtCtfReceiver *self, const char *stream, TtCtfBreak how, const char *why);
