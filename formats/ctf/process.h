/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCtfProcess and TtCtfThread: who the events belong to, and what is open there.
 *
 * Processes are known by their pid within one trace, and by their MPI rank over all traces of the import. Threads are
 * known by their tid, else by the number of the OpenMP thread, else, where the trace does not distinguish processes
 * either, by the processor. Processes own their threads; the session owns the processes.
 */
#pragma once

#include "formats/ctf/binding.h"
#include "formats/ctf/regions.h"
#include "src/trace/nest/nest.h"

typedef struct _TtCtfProcess TtCtfProcess;

/* What an open MPI call receives when it ends; see messages.c. */
typedef struct
{
  guint32 owner; /* row of the call; 0: it receives nothing */
  gint64 peer, tag;
  gint64 n_waited; /* requests that a wait ends; 0: no wait */
} TtCtfReceive;

/* An open span. The stack of nest has the same spans in the same order. */
typedef struct
{
  const char *family;
  TtCtfSpanKind kind;
  gboolean is_program; /* the initial parallel region */
  guint32 name;
  gboolean has_match;
  gint64 match[2];
  TtCtfReceive receive;
  guint64 identity; /* for kinship.h */
  guint64 placed;   /* the same, with the place that it was called from */
  gint64 codeptr;   /* 0: not known */
  gint64 begin_ns;
  /* Of an implicit task: its number in the team, -1: not known; the size of the team, 0: not known; who began the region that
   * it is in, NULL: not known yet (teams.h). */
  gint64 team_number, team_size;
  gpointer master;
  gint64 begun_after_ns; /* the begin was lost, after this; TT_NO_TIME: it was not */
  /* Something was lost on its thread while it was open; its end may have been, and nothing proved the contrary. */
  gboolean is_marked, is_suspect;
  gboolean is_mistaken; /* an end was seen that is taken for another's */
  gint64 lost_from_ns, lost_until_ns;
  guint32 n_lost;   /* at most so many events */
  guint64 n_before; /* events of the thread before the loss */
} TtCtfOpen;

typedef struct
{
  TtCtfProcess *process;
  guint32 id;
  gint64 tid;                            /* the key of the process' table */
  guint64 streams;                       /* that had its events, see losses.h */
  guint64 n_events;                      /* that have been read */
  gint64 last_ns;                        /* of the last of them; TT_NO_TIME: none */
  gint64 first_ns, looked_ns, region_ns; /* of the first; until when losses are known; of the last in a region */
  TtNestThread *nest;
  GArray *open;      /* of TtCtfOpen */
  gboolean has_late; /* the implicit task of this region was closed before its own end */
  gint64 late[2];
  gpointer master; /* that began the region of the last task whose team is known, in no other region; NULL: none yet */
  GArray *doubt;   /* of TtCtfTeam: the open task ended with one of them; NULL: there is no doubt. See teams.h */
  GArray *pending; /* receives of MPI_Irecv, see messages.c; NULL: none yet */
  gint64 n_requests;          /* open ones, sends among them */
  gboolean has_lost_requests; /* nobody knows how many are open */
} TtCtfThread;

/* One moment on the clock of the trace, since 1970, and on the device's. */
typedef struct
{
  gint64 host_ns, device_ns;
} TtCtfCalibration;

struct _TtCtfProcess
{
  guint32 id;
  guint number; /* within the trace, from 0 */
  gint64 pid;   /* the key of the session's table */
  gint64 rank;  /* -1: not known */
  gint64 last_ns;
  gint64 order_lost_ns; /* messages and collectives are known until then; G_MAXINT64: all */
  GHashTable *threads;  /* tid -> TtCtfThread */
  GPtrArray *in_order;  /* the threads in the order of their first events */
  TtCtfRegions regions;
  GHashTable *manifest;     /* key -> value, the latest; NULL: none yet */
  GArray *calibrations;     /* of TtCtfCalibration, see devices.c; NULL: none yet */
  gint64 shortest_delay_ns; /* between the clocks, from calls of the device's library; TT_NO_TIME: unknown */
};

/* Events of a stream come in rows of the same thread. */
#define TT_CTF_RECENT 16u

typedef struct
{
  gint64 pid, key; /* of the thread in its process */
  TtCtfProcess *process;
  TtCtfThread *thread; /* NULL: none yet */
} TtCtfRecent;

typedef struct
{
  GHashTable *by_pid;  /* of this trace */
  GPtrArray *in_order; /* the same in the order of their first events */
  GHashTable *by_rank; /* rank -> id of the process, of all traces */
  GHashTable *strays;  /* pid -> events of it that were given to another process */
  GHashTable *ranks;   /* id of a process -> its rank + 1 in the traces before this one */
  gboolean has_rank_twice;
  TtCtfRecent recent[TT_CTF_RECENT]; /* by stream: of this trace */
  char *pid_prefix;                  /* "node1." where the traces come from several hosts, or "" */
} TtCtfProcesses;

typedef struct _TtCtfSession TtCtfSession;

TtCtfProcesses *tt_ctf_processes_new (void);
void tt_ctf_processes_free (TtCtfProcesses *self);
/* Another trace begins: forgets the processes of the one before, but not their ranks. */
void tt_ctf_processes_clear (TtCtfProcesses *self);

/* Whether an event before this one was of its process; TRUE for events that name none. */
gboolean tt_ctf_knows_process (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
TtCtfThread *tt_ctf_thread_of (TtCtfSession *self, const TtCtfBinding *binding, const TtCtfEvent *event);
/* The id of the process of @rank; added, as one that is not in the trace, if no trace has it. */
guint32 tt_ctf_process_of_rank (TtCtfSession *self, gint64 rank);

/* Of integers that PInsight stores in 32 bits without a sign: MPI's -1 comes as 4294967295. */
static inline gint64
tt_ctf_as_signed (gint64 value)
{
  return value > G_MAXINT32 && value <= (gint64) G_MAXUINT32 ? value - ((gint64) 1 << 32) : value;
}
