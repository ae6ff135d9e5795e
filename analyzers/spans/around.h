/*
 * TtAround: what is around each span, in a reverse scan (TT_SCAN_REVERSE).
 *
 * A reverse scan shows a span before those inside it. Per thread the spans that may still have others inside
 * are kept, each with a payload of the caller. Usually they are a stack by depth. Spans that cross (flag `overlap`) are
 * no stack: from the first of them on a thread the innermost span around another is the latest begun of those
 * that contain it. Asynchronous spans have a stack of their own, key after key.
 * Memory: the open spans; of more than TT_AROUND_MOST that cross at once the latest begun are forgotten.
 */
#pragma once

#include "src/store/store.h"

#define TT_AROUND_MOST 1024u

typedef struct _TtAround TtAround;

/* No more spans come that are inside the one with @payload. */
typedef void (*TtAroundOver) (gpointer payload, gpointer data);

/* @over: may be NULL. */
TtAround *tt_around_new (guint32 max_thread, gsize payload_size, TtAroundOver over, gpointer data);
void tt_around_free (TtAround *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtAround, tt_around_free)

/* Takes the next span. Returns its payload, zeroed; *parent: that of the innermost span around it, or NULL. Both valid
 * until the next call. NULL: the span is deeper than its stack, which a sound database does not have. */
gpointer tt_around_add (TtAround *self, const TtEvent *event, gpointer *parent, GError **error);
/* The same for a span that is left out: what is inside it will be inside *parent. */
gboolean tt_around_pass (TtAround *self, const TtEvent *event, gpointer *parent, GError **error);
/* All spans have come: those still kept are over. */
void tt_around_finish (TtAround *self);
