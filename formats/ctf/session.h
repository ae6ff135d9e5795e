/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfSession: what the parts of an import of CTF traces share.
 *
 * One session serves all traces of a set (hosts, users, processes that have a directory each), which are read one
 * after another; messages are joined by rank over all of them. import.c owns it and everything in it. Private to
 * formats/ctf/.
 */
#pragma once

#include "formats/ctf/coverage.h"
#include "formats/ctf/kinship.h"
#include "formats/ctf/losses.h"
#include "formats/ctf/process.h"
#include "formats/format.h"

typedef struct _TtCtfBinaries TtCtfBinaries;
typedef struct _TtCtfDevices TtCtfDevices;
typedef struct _TtCtfInterrupts TtCtfInterrupts;
typedef struct _TtCtfMessages TtCtfMessages;
typedef struct _TtCtfRequests TtCtfRequests;
typedef struct _TtCtfStates TtCtfStates;

/* The trace that is being read. */
typedef struct
{
  const char *path;
  char *hostname; /* NULL: the trace does not say it */
  gint64 pid;     /* of events that name none, and the program; -1, NULL: the trace does not say */
  char *procname;
  guint linux_version; /* see reader.h */
  gint64 clock_offset_ns, earliest_ns;
  guint64 n_before; /* events of the traces before */
  guint64 n_events; /* of this one so far */
  gint64 last_ns;   /* of the last of them */
} TtCtfTrace;

struct _TtCtfSession
{
  TtSink *sink;
  const TtImportOptions *options;
  GArray *more_rules; /* of TtCtfSpanRule: of the user */
  TtCtfTrace trace;
  TtNest *nest;          /* of this trace */
  TtCtfDevices *devices; /* of this trace */
  TtCtfStates *states;   /* of this trace, as the next two */
  gboolean sees_states;  /* it may have them */
  TtCtfInterrupts *interrupts;
  TtCtfRequests *requests;
  TtCtfProcesses *processes;
  TtCtfMessages *messages;
  TtCtfBinaries *binaries;     /* NULL: addresses stay as they are */
  const TtCtfProcess *current; /* whose event is read */
  GString *json;               /* for the arguments of one event */
  guint64 args_room;           /* bytes that arguments may still take: so much for each byte of the events read */
  TtCtfLosses losses;          /* of this trace */
  TtCtfCoverage coverage;      /* of this trace */
  TtCtfKinship kinship;
  gboolean ends_work;     /* the event that is read is what follows work: its barrier */
  guint64 n_team_checks;  /* of tasks against teams, see teams.c */
  gboolean has_joins;     /* threads tell that they have come to the end of a region */
  TtCtfOpen region, task; /* what a parallel region and its task are like; family NULL: none was seen */
};

/* The number of @event over all traces. */
static inline guint64
tt_ctf_event_number (const TtCtfSession *self, const TtCtfEvent *event)
{
  return self->trace.n_before + event->number;
}
