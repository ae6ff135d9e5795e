/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiCall: one recorded call, whatever recorded it: the literal layout of the description, real G0, G1, G2, G3, the
 * native format (native.h), PI or UR. What a generation does not have is absent, never made up.
 */
#pragma once

#include "formats/pi/api.h"

#include <glib.h>

typedef enum
{
  TT_PI_GENERATION_UNKNOWN,
  TT_PI_GENERATION_G0,
  TT_PI_GENERATION_DOC, /* G1 as the description has it */
  TT_PI_GENERATION_G1,
  TT_PI_GENERATION_G2,
  TT_PI_GENERATION_G3,
  TT_PI_GENERATION_NATIVE,
} TtPiGeneration;

typedef enum
{
  TT_PI_CALL_IN_PROGRESS = 1 << 0, /* the process died inside it: no end, no result; end_us = start_us */
  TT_PI_CALL_END_BEFORE_START = 1 << 1,
  TT_PI_CALL_ARGS_DIFFER = 1 << 2, /* number or size of arguments is not the table's */
  TT_PI_CALL_TEXT_UNENDED = 1 << 3,
} TtPiCallFlags;

/* The first bytes of something; what lies beyond a reader's limit is skipped, not loaded. */
typedef struct
{
  const guint8 *bytes;
  gsize len;    /* of what is here */
  guint64 size; /* of the whole */
} TtPiBytes;

/* How a file tags a value; raw generations take the table's word. */
typedef enum
{
  TT_PI_TAG_INT32,
  TT_PI_TAG_INT64,
  TT_PI_TAG_UINT32,
  TT_PI_TAG_UINT64,
  TT_PI_TAG_POINTER,
  TT_PI_TAG_STRING,
} TtPiTag;

typedef struct
{
  guint8 tag;       /* TtPiTag */
  guint64 value;    /* as it stands in the file, widened */
  const char *text; /* a string's text, not ended by NUL, any bytes; NULL: not recorded */
  gsize text_len;
  TtPiBytes before; /* native: what the pointer pointed to when the call began; bytes NULL: not recorded */
  TtPiBytes after;  /* native: and when it had ended */
} TtPiArg;

#define TT_PI_MAX_OUTPUTS 8

/* What a pointer within a structure pointed to. */
typedef struct
{
  guint64 address;
  TtPiBytes bytes;
} TtPiPointee;

/* Everything borrowed from the reader, until its next call. */
typedef struct
{
  const TtPiFunction *function; /* NULL: an id that the numbering does not have; shown as pi#<id> */
  const char *name;             /* never NULL; native recordings have their own name table */
  guint32 id;                   /* as in the file */
  guint32 release;              /* of UR (api.h); 0: not known */
  gint32 backend;               /* -1: not recorded */
  gint32 result;
  guint32 flags;            /* TtPiCallFlags */
  guint64 instance;         /* native: the runtime's number of the call; else 0 */
  guint64 start_ns, end_ns; /* since the recorder's start; older generations have whole microseconds */
  guint n_args, n_outputs;
  gboolean is_plain;                    /* no argument has a text, or bytes before or after: not always known */
  TtPiBytes outputs[TT_PI_MAX_OUTPUTS]; /* captured outputs: pi.md 5 */
  const TtPiPointee *pointees;          /* native */
  guint n_pointees;
  const char *memory_file;        /* G3, native: name inside buffers/; NULL: none */
  guint64 offset;                 /* of the record in its file */
  guint64 record;                 /* from 0 */
  TtPiArg args[TT_PI_MAX_PARAMS]; /* the last, so that a copy has room for those that there are alone */
} TtPiCall;
