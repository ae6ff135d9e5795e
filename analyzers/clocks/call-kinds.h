/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call is to clocks, by its name alone.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_CLOCK_CALL_OTHER,
  TT_CLOCK_CALL_BARRIER,
  TT_CLOCK_CALL_SEND,
  TT_CLOCK_CALL_RECEIVE,
  TT_CLOCK_CALL_BEGIN_COLLECTIVE, /* all need all */
  TT_CLOCK_CALL_BEGIN_ROOTED,     /* with a root */
  TT_CLOCK_CALL_BEGIN_OTHER,
  TT_CLOCK_CALL_COMPLETE,
} TtClockCallKind;

/* What there is among the names. */
typedef struct
{
  gboolean has_barriers, has_others;
  gboolean has_requests; /* of collectives */
} TtClockCallNames;

/* @op_name: NULL: other. */
TtClockCallKind tt_clock_call_kind (const char *op_name);
/* Adds a name, and the kind that it is of, to what there is. */
void tt_clock_call_note (TtClockCallNames *self, TtClockCallKind kind, const char *op_name);
