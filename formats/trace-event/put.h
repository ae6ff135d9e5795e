/*
 * What becomes of events that are no happenings on a thread. Private to the importer and its dialects.
 */
#pragma once

#include "formats/trace-event/import.h"

/* Whether a row of `event` comes of it. */
gboolean tt_chrome_is_event (char ph);

/* Each number of the arguments is a value of a series. @place: thread and time. @with_id: an id of the counter is part of the
 * series' name. */
void
tt_chrome_put_counter (TtChromeImport *self, const TtTraceEvent *event, const TtHappening *place, gboolean with_id);

/* Half a message, if that is what it is. */
gboolean tt_chrome_put_message (TtChromeImport *self, const TtTraceEvent *event, const TtHappening *place);

/* Where and when. FALSE: at no time, which is counted. */
gboolean tt_chrome_locate (TtChromeImport *self, const TtTraceEvent *event, TtHappening *happening);

/* Labels, order and everything else that an M event tells. */
void tt_chrome_put_metadata (TtChromeImport *self, const TtTraceEvent *event);
/* Some fact about the whole file: kept with its first process. Can be the `header` of a dialect; @unused: its state. */
void tt_chrome_put_header (TtChromeImport *self, const TtJsonValue *key, const TtJsonValue *value, gpointer unused);
void tt_chrome_put_fact (TtChromeImport *self, const char *key, const char *value);
