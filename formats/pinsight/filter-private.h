/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of TtConfigFilter share: config-filter.c is the filter, filter-callbacks.c decides, filter-sites.c keeps
 * what is counted, filter-units.c knows on which units things ran, filter-regions.c which parallel region is around an
 * event, filter-windows.c when windows of tracing end, filter-tallies.c counts decisions.
 */
#pragma once

#include "formats/pinsight/config-filter.h"
#include "formats/pinsight/region-history.h"

typedef enum
{
  WHY_SAMPLED, /* kept */
  WHY_IN_REGION,
  WHY_AFTER_WORK,
  WHY_IN_CALL,
  WHY_NO_REGION,
  WHY_NOT_ASKED,
  WHY_DEVICE_ON,
  WHY_OTHER_KEPT,
  WHY_OTHER, /* dropped */
  WHY_NO_EVENT,
  WHY_MODE,
  WHY_COUNTS_ONLY,
  WHY_WINDOW_OVER,
  WHY_EVENT_OFF,
  WHY_SECTION_OFF,
  WHY_SCOPE,
  WHY_MASK,
  WHY_CONSTRAINT,
  WHY_NOT_SAMPLED,
  WHY_REGION_OUT,
  WHY_WORK_OUT,
  WHY_CALL_OUT,
  WHY_DEVICE_OFF,
  N_WHYS,
} Why;
#define FIRST_DROPPED WHY_OTHER

/* Counts what one rule did; `rule` is a TtConfigLexgion, a TtPunitSection or NULL, depending on `why`. */
typedef struct
{
  Why why;
  int domain;
  gconstpointer rule;
  guint64 count;
} Tally;

/* One code pointer (or name, without one) of one thread. */
typedef struct
{
  guint64 address, events;
  guint32 thread, name, domain;
  TtSamplingState state;
  gboolean is_recorded; /* its latest invocation: PInsight's trace bit, which ends and what is inside look at */
  const TtConfigLexgion *lexgion;
  guint32 generation; /* of the windows of the lexgion, in which trace_counter counts */
  gboolean is_capped; /* it has recorded max_num_traces */
} Site;

/* Something whose end matters. */
typedef struct
{
  Site *site;      /* or NULL: a barrier */
  gboolean counts; /* its end counts, if the site is recorded then */
  gboolean is_region, is_call, is_used;
  guint32 thread, domain, next_free;
} Open;

typedef struct _Windows Windows; /* filter-windows.c */

typedef struct
{
  gint64 rank;
  gint64 *punits; /* by kind, from metadata; -1 */
  TtRegionHistory history;
  Windows *windows; /* NULL: none yet */
} Process;

typedef struct
{
  guint32 process;
  gint64 number;               /* its tid, if that is a number; -1 */
  gint64 *punits;              /* by kind, from metadata; -1 */
  GArray *regions;             /* of guint32: tokens of those open on it, innermost last */
  GArray *calls;               /* the same of calls */
  guint32 n_limited, n_capped; /* sites with max_num_traces, and those that have recorded so many */
  const Site *work;            /* the work before the next barrier, if a section of its own counts it; or NULL */
} Thread;

typedef struct
{
  TtOperation operation;
  gboolean is_known;
  char *name, *file; /* only if a section has a name; or NULL */
} Name;

struct _TtConfigFilter
{
  TtSpanFilter base;
  const TtConfig *config;
  const TtConfigOperations *operations;
  TtConfigFilterOptions options;
  gboolean has_named, has_windows;
  guint64 n_untimely;   /* ends of windows that were known after later events */
  GArray *names;        /* of Name, by id */
  GPtrArray *threads;   /* of Thread, by id */
  GPtrArray *processes; /* of Process, by id */
  GHashTable *sites;    /* of Site, by themselves */
  GArray *open;         /* of Open; index 0 is not used */
  guint32 first_free;
  GHashTable *tallies; /* of Tally, by themselves */
  gint64 *punits;      /* by kind, of the event that is decided */
  int unit_kinds[TT_N_UNITS];
};

static inline Open *
open_of (const TtConfigFilter *self, guint32 token)
{
  return &g_array_index (self->open, Open, token);
}

/* The event that is decided. */
typedef struct
{
  const TtFilterBegin *begin;
  const Name *name;
  const TtOperation *operation;
  const TtSpanFacts *facts;
  Thread *thread;
} Asked;

/* -- filter-sites.c ---------------------------------------------------------------------------------- */

guint tt_config_filter_hash_site (gconstpointer site);
gboolean tt_config_filter_equal_sites (gconstpointer a, gconstpointer b);
guint tt_config_filter_hash_tally (gconstpointer tally);
gboolean tt_config_filter_equal_tallies (gconstpointer a, gconstpointer b);
const TtConfigLexgion *tt_config_filter_lexgion (const TtConfigFilter *self, const Asked *asked);
Site *tt_config_filter_site (TtConfigFilter *self, const Asked *asked);
guint32 tt_config_filter_open (TtConfigFilter *self, const Open *what);
/* Counts the event and gives its verdict. */
TtFilterVerdict tt_config_filter_note (TtConfigFilter *self, Why why, guint domain, gconstpointer rule, guint32 token);

/* -- filter-callbacks.c ------------------------------------------------------------------------------- */

/* What PInsight's callback for the event decides. */
TtFilterVerdict tt_config_filter_call_back (TtConfigFilter *self, const Asked *asked);

/* -- filter-windows.c --------------------------------------------------------------------------------- */

gboolean tt_config_filter_has_windows (const TtConfig *config);
void tt_config_filter_windows_free (Windows *self, guint n_domains);
/* Before an event that begins at @ts_ns is decided; only where there are windows. */
void tt_config_filter_see_begin (TtConfigFilter *self, const Thread *thread, gint64 ts_ns);
/* The mode of @domain; *by: the lexgion whose window has changed it, or NULL. */
TtConfigMode
tt_config_filter_mode (TtConfigFilter *self, const Thread *thread, guint domain, gint64 ts_ns, gconstpointer *by);
const char *tt_config_filter_activity (TtConfigFilter *self, const Thread *thread, guint domain);
/* Before an invocation of @site is counted. */
void tt_config_filter_renew (TtConfigFilter *self, const Thread *thread, Site *site);
/* A recorded invocation of @site has ended: counts it, and ends the window if that was the last one. */
void tt_config_filter_count (TtConfigFilter *self, Thread *thread, Site *site, gint64 end_ns);

/* -- filter-units.c ----------------------------------------------------------------------------------- */

Process *tt_config_filter_process (TtConfigFilter *self, guint32 id);
Thread *tt_config_filter_thread (TtConfigFilter *self, guint32 id);
void
tt_config_filter_see_metadata (TtSpanFilter *base, guint32 process, guint32 thread, const char *key, const char *value);
/* Fills self->punits. */
void tt_config_filter_find_punits (TtConfigFilter *self, const Thread *thread, guint domain, const TtSpanFacts *facts);
void tt_config_filter_find_unit_kinds (TtConfigFilter *self);
void tt_config_filter_process_free (gpointer process);
void tt_config_filter_thread_free (gpointer thread);

/* -- filter-regions.c --------------------------------------------------------------------------------- */

/* A region begins. @token: its TtConfigFilter.open. */
void tt_config_filter_open_region (TtConfigFilter *self,
                                   guint32 token,
                                   const TtSpanFacts *facts,
                                   const TtFilterBegin *begin);
void tt_config_filter_remove_token (GArray *tokens, guint32 token);
void tt_config_filter_close_region (TtConfigFilter *self, guint32 token, gint64 end_ns);
/* The region around an event that is not a region itself. FALSE: none is known. */
gboolean tt_config_filter_find_region (TtConfigFilter *self,
                                       const Thread *thread,
                                       const TtSpanFacts *facts,
                                       gint64 ts_ns,
                                       TtRegionDecision *region);
/* The innermost region open on the thread. */
gboolean tt_config_filter_region_on_thread (const TtConfigFilter *self, const Thread *thread, TtRegionDecision *region);
