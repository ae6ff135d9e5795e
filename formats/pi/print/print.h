/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls as text: the listing of the program that wrote these traces first, to the letter (pi.md section 12), and
 * tracetool's own.
 */
#pragma once

#include "formats/pi/side/side.h"
#include "formats/pi/print/value.h"
#include "src/base/output.h"

/* -- the original's ------------------------------------------------------------------------------------ */

/* What comes before the calls. */
void tt_pi_classic_images (TtOutput *out, const GPtrArray *images);
/* @thread: for its THREAD line; NULL: none. @verbose_thread: for what --verbose adds; NULL: nothing. */
void tt_pi_classic_call (TtOutput *out, const TtPiCall *call, const char *thread, const char *verbose_thread);

/* The times of each function, for the summary after the calls. */
typedef struct _TtPiClassicPerf TtPiClassicPerf;
TtPiClassicPerf *tt_pi_classic_perf_new (void);
void tt_pi_classic_perf_free (TtPiClassicPerf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiClassicPerf, tt_pi_classic_perf_free)
void tt_pi_classic_perf_add (TtPiClassicPerf *self, const TtPiCall *call);
void tt_pi_classic_perf_write (const TtPiClassicPerf *self, TtOutput *out);

/* Text that harms no terminal: control characters and invalid UTF-8 escaped, nothing else. Free it. */
char *tt_pi_safe_text (const char *text);

/* -- ours ----------------------------------------------------------------------------------------------- */

typedef struct
{
  guint64 number; /* of the call in order of start, from 1 */
  const char *thread;
  guint thread_width;
  gboolean is_verbose;
  gboolean has_colours;
  gboolean has_ns; /* times are finer than a microsecond */
} TtPiLine;

void tt_pi_named_heading (GString *to, guint thread_width);
/* One line; with is_verbose one for each argument. @handles has taken the call. */
void tt_pi_named_call (GString *to, const TtPiCall *call, const TtPiHandles *handles, const TtPiLine *line);
/* "piQueueCreate(context=context#1, ...) = SUCCESS". */
void tt_pi_named_text (GString *to, const TtPiCall *call, const TtPiHandles *handles);
/* One JSON object and a newline. */
void tt_pi_json_call (TtOutput *out, const TtPiCall *call, const TtPiHandles *handles, const TtPiLine *line);
