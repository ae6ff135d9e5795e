/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauWriterRows: the definitions of a trace that is being written. Plain C; a zeroed one is empty.
 *
 * Event ids are the caller's tokens, as long as they fit a record and are no id of TAU's own. States and values have
 * tokens of their own: where one is both, as in TAU's tau_merge, the second to be defined gets another id. (TAU's
 * library gives both the meaning of the second.)
 */
#pragma once

#include "formats/tau/index.h"

#include <stdio.h>

/* TAU's own events, with the ids that TAU gives them. */
#define TT_TAU_N_SPECIAL 5u
#define TT_TAU_ID_INIT 60000
#define TT_TAU_ID_CLOSE 60003
#define TT_TAU_ID_CLOCK 60005
#define TT_TAU_ID_SEND 60007
#define TT_TAU_ID_RECV 60008

typedef struct
{
  uint32_t token;
  int32_t id, tag;
  uint32_t group; /* of a state: token of its group */
  bool is_state;
  char *name;
} TtTauWriterRow;

typedef struct
{
  uint32_t token;
  char *name;
} TtTauWriterGroup;

typedef struct
{
  TtTauWriterRow *rows; /* in order of definition */
  size_t n, room;
  TtTauIndex rows_by_token, rows_by_id;
  TtTauWriterGroup *groups;
  size_t n_groups, groups_room;
  TtTauIndex groups_by_token;
  uint32_t n_moved; /* tokens that could not be ids */
} TtTauWriterRows;

void tt_tau_writer_rows_clear (TtTauWriterRows *self);

/* False: no memory. A token given again keeps its first meaning. */
bool tt_tau_writer_rows_group (TtTauWriterRows *self, uint32_t token, const char *name);
bool tt_tau_writer_rows_state (TtTauWriterRows *self, uint32_t token, const char *name, uint32_t group);
bool tt_tau_writer_rows_value (TtTauWriterRows *self, uint32_t token, const char *name, int tag);

/* False: no such state or value. */
bool tt_tau_writer_rows_id (const TtTauWriterRows *self, uint32_t token, bool is_state, int32_t *id);

/* In order of ids, as TAU writes them. False: no memory. */
bool tt_tau_writer_rows_print (const TtTauWriterRows *self, FILE *out);
