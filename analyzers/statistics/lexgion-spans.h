/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a span's name and arguments say of lexgions: what part of a region it is, of which code it is, and which of its
 * invocations. What an argument does not say in its form is as if it were not there.
 */
#pragma once

#include "analyzers/statistics/sampled.h"
#include "src/store/store.h"

/* What a name means for regions. */
typedef enum
{
  TT_LEXGION_UNKNOWN, /* not looked at; for those who keep roles by name */
  TT_LEXGION_OTHER,
  TT_LEXGION_PARALLEL,
  TT_LEXGION_TASK,
  TT_LEXGION_WAIT,
} TtLexgionRole;

/* @name: NULL: other. */
TtLexgionRole tt_lexgion_role (const TtStoredName *name);

/* The code pointer in the argument @name of the span; 0: there is none. */
guint64 tt_lexgion_codeptr (const TtEvent *event, const char *name);

/* What numbers the invocation of a span with the code pointer @codeptr, and how; FALSE: nothing does. @is_own: not the
 * region around it. */
gboolean tt_lexgion_site (TtStore *store,
                          const TtEvent *event,
                          guint64 codeptr,
                          gboolean is_own,
                          TtSampledSite *site,
                          guint32 *number);

/* Whether the span is shown up to what followed it, and may have ended before. */
gboolean tt_lexgion_is_at_most (const TtEvent *event);
