/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTrustMarks: which rows of a table rest on spans that were mended, bounded or inferred, or on ranks whose records are
 * damaged. They get a column Trust, and the table a line that says what its words mean. Tables of whole runs have neither.
 */
#pragma once

#include "src/base/report/fields.h"
#include "src/store/trust.h"

typedef struct _TtTrustMarks TtTrustMarks;

/* Reads the events where some of them are mended. */
TtTrustMarks *tt_trust_marks_new (TtStore *store, GError **error);
void tt_trust_marks_free (TtTrustMarks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtTrustMarks, tt_trust_marks_free)

/* What a row is about: names of operations and processes of ranks, TT_NO_ID: any, or all. */
typedef struct
{
  guint32 process, other; /* of two the row has the marks of both */
  guint32 name;
  gboolean has_others; /* waits for other ranks are among its numbers */
} TtTrustPlace;

#define TT_TRUST_EVERYWHERE ((TtTrustPlace){ TT_NO_ID, TT_NO_ID, TT_NO_ID, FALSE })

/* @data: what tt_trust_marks_declare() was given. */
typedef TtTrustPlace (*TtTrustPlaceFunc) (const void *row, const void *data);

/* After the other fields of @report, before its first row. @place NULL: all rows are of all ranks. @data is needed until the
 * last row. */
void tt_trust_marks_declare (TtTrustMarks *self,
                             TtReport *report,
                             const TtReportView *view,
                             TtTrustPlaceFunc place,
                             const void *data);
