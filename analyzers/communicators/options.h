/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meetings that a choice is made of, while it is made. Used by choice.c, exchange.c and rivals.c only.
 */
#pragma once

#include "analyzers/communicators/choice.h"

/* What a call costs that no meeting explains. */
#define TT_OPEN_BITS 20.0

/* A meeting that is possible with the sets that were given. */
typedef struct
{
  guint32 meeting;
  double rate; /* bits for each member */
} TtOption;

typedef struct
{
  TtMemberSets *sets;
  TtChoice *choice;
  GArray *options;  /* of TtOption, the best first */
  gboolean *is_out; /* by option: it is chosen, or shares a call with one that is */
  guint32 *first;   /* by call and one more: into `of_call` */
  guint32 *of_call; /* indexes of options */
  guint32 *n_left;  /* by call */
  GArray *forced;   /* guint32: calls with one option left */
} TtChooser;

static inline const TtMeeting *
tt_option_meeting (const TtChooser *self, guint32 option)
{
  return tt_meeting (self->sets, g_array_index (self->options, TtOption, option).meeting);
}

/* Of the sets @chosen; best first, and for each call where it is in them. @self: with sets. */
void tt_chooser_list_options (TtChooser *self, const GArray *chosen);
/* What that made. */
void tt_chooser_clear (TtChooser *self);

/* Puts one meeting in the place of several with the same calls and the other way round, where that explains more. */
void tt_choice_exchange (TtChooser *self);
