/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtRecordExportItem: one record that is to be written.
 */
#pragma once

#include <glib.h>

typedef enum
{
  /* value: name; ordinal: TtRecordExportCall; par with details, 0: none, negative: and depth, self time and flags are not those that
   * the stack gives */
  TT_RECORD_EXPORT_ENTER,
  TT_RECORD_EXPORT_LEAVE,
  TT_RECORD_EXPORT_METRIC,       /* value: series; of the enter or leave before it */
  TT_RECORD_EXPORT_COUNTER,      /* value: series */
  TT_RECORD_EXPORT_COUNTER_REAL, /* the same; par: the bits of a double */
  TT_RECORD_EXPORT_SEND,         /* value: process of the peer */
  TT_RECORD_EXPORT_RECV,
  TT_RECORD_EXPORT_ONESIDED_SEND, /* a, b: the parts of its id */
  TT_RECORD_EXPORT_ONESIDED_RECV,
  TT_RECORD_EXPORT_PUT, /* of which only this side tells; a: the window */
  TT_RECORD_EXPORT_GET,
  /* Only with details: */
  TT_RECORD_EXPORT_INSTANT,   /* value: name; par: its detail, as of an enter */
  TT_RECORD_EXPORT_OFF_STACK, /* the same, of a span that ends now and is on no stack; par is never 0 */
  TT_RECORD_EXPORT_FLOW, /* of the enter or span before it; value: its kind, par: its number, ordinal: 0 leaves, 1 reaches
                               * it, a: when, TT_NO_TIME: where it begins */
} TtRecordExportItemKind;

/* What an enter begins and a leave ends: in their `ordinal`. */
typedef enum
{
  TT_RECORD_EXPORT_NO_CALL,
  TT_RECORD_EXPORT_CALL,          /* of a collective: a is the root (process) or TT_NO_ID, b the communicator */
  TT_RECORD_EXPORT_INFERRED_CALL, /* the same, but the source does not say it */
} TtRecordExportCall;

typedef struct
{
  guint64 high, low; /* its place among all */
  gint64 time;
  gint64 par;  /* value; bytes of a message; see the kinds */
  gint64 a, b; /* tag, communicator */
  guint32 thread, value;
  guint32 kind;
  guint32 ordinal; /* of a message in its channel, from 0; G_MAXUINT32: not known. */
} TtRecordExportItem;
