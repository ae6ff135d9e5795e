/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one error domain of tracetool.
 *
 * Messages follow git's grammar: lower-case first word, no full stop, the fact first, the subject in
 * single quotes. The lowest level states the fact, each level above prefixes the place:
 * "run.trc: record 381 at byte 9144: event id 77 is not in 'run.edf'".
 */
#pragma once

#include <glib.h>

#define TT_ERROR (tt_error_quark ())

typedef enum
{
  TT_ERROR_USAGE,     /* the command line is wrong: exit status 2 */
  TT_ERROR_INPUT,     /* a file cannot be read or written */
  TT_ERROR_FORMAT,    /* a file's contents are not what its format says */
  TT_ERROR_STORE,     /* the database refused */
  TT_ERROR_GRAPH,     /* a graph cannot be built or laid out */
  TT_ERROR_CANCELLED, /* Ctrl-C */
  TT_ERROR_NO_ANSWER, /* nothing is broken, but what was read has no answer to the question */
} TtErrorCode;

GQuark tt_error_quark (void);
