/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauRows: the grammar of TAU's definition files, in plain C.
 *
 * Text is fed in pieces of any size; each finished row is handed on. The caller decides what a bad
 * row means. A cleared or zeroed one owns nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the records of a row mean. */
typedef enum
{
  TT_TAU_NOT_DEFINED,
  TT_TAU_STATE,       /* enter and leave */
  TT_TAU_FLUSH,       /* the same, of the tracer's own buffer flush */
  TT_TAU_FLUSH_ENTER, /* old traces: a record of its own for each end */
  TT_TAU_FLUSH_EXIT,
  TT_TAU_VALUE,    /* user event between fences of 0 */
  TT_TAU_METADATA, /* the same, named "Key | value" */
  TT_TAU_SINGLE,   /* user event without fences */
  TT_TAU_METRIC,   /* monotonic: follows every enter and leave */
  TT_TAU_SEND,
  TT_TAU_RECV,
  TT_TAU_ONESIDED_SEND, /* followed by the two parts of its id */
  TT_TAU_ONESIDED_RECV,
  TT_TAU_ONESIDED, /* direction unknown */
  TT_TAU_ONESIDED_ID1,
  TT_TAU_ONESIDED_ID2,
  TT_TAU_INIT,
  TT_TAU_CLOSE,
  TT_TAU_WALL_CLOCK,
  TT_TAU_SILENT, /* defined, without a meaning here */
  TT_TAU_OTHER,  /* of a kind that is not known */
} TtTauKind;

/* Not ended by a NUL. */
typedef struct
{
  const char *text;
  size_t len;
} TtTauPiece;

typedef struct
{
  int64_t id, tag;
  TtTauKind kind;
  TtTauPiece group;
  TtTauPiece name;   /* trimmed */
  TtTauPiece quoted; /* as it stands, with its quotes */
  bool has_inner_quotes;
  uint64_t line; /* where the row begins, from 1 */
} TtTauRowText;

typedef struct
{
  /* FALSE ends the reading with the error that the caller knows. */
  bool (*row) (const TtTauRowText *row, void *data);
  /* A name with a newline: the row goes on with the next line. May be NULL. */
  void (*joined) (uint64_t line, void *data);
  bool skips_bad; /* go on after a row that cannot be understood */
  void *data;
} TtTauRowTaker;

typedef struct
{
  char *text; /* ended by a NUL when not NULL */
  size_t len, room;
} TtTauText;

typedef struct
{
  TtTauRowTaker taker;
  TtTauText line;    /* begun, its end not yet fed */
  TtTauText row;     /* the lines of a row so far; empty: none */
  uint64_t n_lines;  /* finished */
  uint64_t row_line; /* where `row` begins */
  int64_t n_declared;
  bool has_header;
  const char *reason;   /* of a failure; NULL: `row` returned FALSE */
  uint64_t reason_line; /* 0: the whole file */
} TtTauRows;

void tt_tau_rows_init (TtTauRows *self, const TtTauRowTaker *taker);
void tt_tau_rows_clear (TtTauRows *self);

bool tt_tau_rows_feed (TtTauRows *self, const char *text, size_t len);
bool tt_tau_rows_end (TtTauRows *self);

/* Whether text begins as such a file does. */
bool tt_tau_rows_probe (const uint8_t *head, size_t len);
