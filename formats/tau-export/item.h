/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauExportItem: one record of a TAU trace that is to be written.
 */
#pragma once

#include <glib.h>

typedef enum
{
  TT_TAU_EXPORT_ENTER, /* value: name */
  TT_TAU_EXPORT_LEAVE,
  TT_TAU_EXPORT_METRIC,  /* value: series; of the enter or leave before it */
  TT_TAU_EXPORT_COUNTER, /* value: series */
  TT_TAU_EXPORT_SEND,    /* value: node of the peer */
  TT_TAU_EXPORT_RECV,
  TT_TAU_EXPORT_ONESIDED_SEND, /* a, b: the parts of its id */
  TT_TAU_EXPORT_ONESIDED_RECV,
} TtTauExportItemKind;

typedef struct
{
  guint64 high, low; /* its place among all */
  gint64 us;
  gint64 par;  /* value; bytes of a message */
  gint64 a, b; /* tag, communicator */
  guint32 thread, value;
  guint32 kind, unused;
} TtTauExportItem;
