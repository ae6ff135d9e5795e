/*
 * TtCtfSession: what an import of CTF traces knows while it reads: processes, their threads and what is open on them.
 *
 * One session serves all traces of a set (hosts, users, processes that have a directory each): a process is known by its
 * pid and its host, and messages are joined by rank over all of them. Private to formats/ctf/.
 */
#pragma once

#include "formats/ctf/reader.h"
#include "formats/ctf/rules.h"
#include "formats/format.h"
#include "src/base/tape.h"

typedef struct _TtCtfSession TtCtfSession;
typedef struct _TtCtfProcess TtCtfProcess;
typedef struct _TtCtfThread TtCtfThread;
typedef struct _TtCtfDevices TtCtfDevices;

/* Who an event is of: members that may say so. */
typedef struct
{
  const TtCtfMember *pid, *tid, *rank, *number, *label, *cpu;
} TtCtfIdentity;

typedef struct
{
  const TtCtfMember *member;
  char *key; /* ,"name": */
} TtCtfArgument;

#define TT_CTF_NAMES 16u

/* What is to be done with the events of one class. */
typedef struct
{
  const TtCtfSpanRule *span; /* NULL: no span */
  const TtCtfFactRule *fact; /* NULL: no fact either: an instant */
  gboolean is_begin;
  gboolean is_mpi_init, is_old_mpi;
  const char *family; /* interned: what begins and ends of one kind have in common */
  char *provider, *op;
  TtCtfIdentity identity;
  const TtCtfMember *codeptr, *match[2], *sub, *op_text;
  const TtCtfMember *region[2]; /* parallel region around it: code pointer, record */
  const TtCtfMember *dest, *send_tag, *source, *recv_tag, *count;
  gboolean is_nonblocking, is_wait;
  const TtCtfMember *begin, *end, *device, *stream, *correlation, *device_clock;
  gboolean has_activities;        /* the trace tells what the device did */
  const TtCtfMember *key, *value; /* of a manifest */
  GArray *args;                   /* of TtCtfArgument */
  guint32 names[2][TT_CTF_NAMES]; /* made so far, by zero or other code pointer and number in `sub` */
} TtCtfPlan;

/* An open span. The stack of nest has the same spans in the same order. */
typedef struct
{
  const char *family;
  TtCtfSpanKind kind;
  gboolean is_program; /* the initial parallel region */
  guint32 name;
  guint32 owner; /* of a receive to come */
  gboolean has_match;
  gint64 match[2];
  gint64 peer, tag; /* of that receive */
  gint64 n_waited;  /* requests that a wait ends; 0: no wait */
} TtCtfOpen;

struct _TtCtfThread
{
  TtCtfProcess *process;
  guint32 id;
  TtNestThread *nest;
  GArray *open;      /* of TtCtfOpen */
  GArray *pending;   /* receives asked for by MPI_Irecv, see messages.c; NULL: none yet */
  gint64 n_requests; /* open ones, sends among them */
  gboolean has_late; /* the implicit task of this region was closed before its own end */
  gint64 late[2];
};

struct _TtCtfProcess
{
  guint32 id;
  gint64 rank; /* -1: not known */
  gint64 last_ns;
  GHashTable *threads;  /* tid -> TtCtfThread */
  GPtrArray *in_order;  /* the same in order of sight */
  GHashTable *regions;  /* TtCtfRegion by itself */
  GQueue region_order;  /* the oldest first */
  GHashTable *manifest; /* key -> value, the latest */
  GArray *calibrations; /* see devices.c */
  gint64 least_delay_ns;
};

struct _TtCtfSession
{
  TtSink *sink;
  const TtImportOptions *options;
  const char *path; /* of the trace that is being read */
  TtNest *nest;
  TtCtfDevices *devices;
  GString *json;
  char *host_prefix; /* of pids, "node1." or "" */
  char *hostname;
  gint64 clock_offset_ns;
  gboolean is_relative;  /* a clock that does not count from 1970 */
  guint64 base;          /* events of the traces before */
  guint64 n_events;      /* of this trace */
  GHashTable *processes; /* pid -> TtCtfProcess, of this trace */
  GPtrArray *in_order;
  GHashTable *ranks; /* rank -> id of the process, of all traces */
  TtTape *halves;    /* messages whose partner's process is not known yet */
  guint n_broken;
  gboolean has_rank_twice;
};

/* Of integers that PInsight stores in 32 bits without a sign: MPI's -1 comes as 4294967295. */
static inline gint64
tt_ctf_as_signed (gint64 value)
{
  return value > G_MAXINT32 && value <= (gint64) G_MAXUINT32 ? value - ((gint64) 1 << 32) : value;
}

/* -- identity.c: who --------------------------------------------------------------------------------------- */

void tt_ctf_identity_find (TtCtfIdentity *self, const TtCtfClass *klass);
TtCtfThread *tt_ctf_thread_of (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event);
void tt_ctf_know_rank (TtCtfSession *self, TtCtfProcess *process, gint64 rank);
void tt_ctf_process_free (gpointer process);

/* -- plan.c: what a class of events means ------------------------------------------------------------------ */

TtCtfPlan *tt_ctf_plan_new (TtCtfSession *self, const TtCtfClass *klass);
void tt_ctf_plan_free (gpointer plan);
guint32 tt_ctf_plan_name (TtCtfSession *self, TtCtfPlan *plan, const TtCtfEvent *event, gboolean *is_zero);
/* The event's arguments; 0: none. */
guint64 tt_ctf_plan_args (TtCtfSession *self, const TtCtfPlan *plan, const TtCtfEvent *event);

/* -- spans.c: begins and ends ------------------------------------------------------------------------------- */

void tt_ctf_begin_span (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event);
void tt_ctf_end_span (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event);
/* What is open when the trace is over. */
void tt_ctf_close_all (TtCtfSession *self, TtCtfProcess *process);
void tt_ctf_regions_free (TtCtfProcess *process);

/* -- messages.c ---------------------------------------------------------------------------------------------- */

void tt_ctf_send (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event);
/* Keeps for the end what a receive asks for. */
void tt_ctf_expect (TtCtfSession *self,
                    TtCtfThread *thread,
                    const TtCtfPlan *plan,
                    const TtCtfEvent *event,
                    TtCtfOpen *open);
/* The end of a call of MPI: what is received with it. */
void
tt_ctf_receive (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfOpen *open, gint64 ts_ns);
/* Receives that no wait is known to end. */
void tt_ctf_put_pending (TtCtfSession *self, TtCtfThread *thread);
/* All traces are read: every rank is known. */
void tt_ctf_put_messages (TtCtfSession *self);

/* -- devices.c: activity on GPUs ----------------------------------------------------------------------------- */

TtCtfDevices *tt_ctf_devices_new (void);
void tt_ctf_devices_free (TtCtfDevices *self);
void tt_ctf_calibrate (TtCtfSession *self, TtCtfProcess *process, const TtCtfPlan *plan, const TtCtfEvent *event);
/* A call of the device's library: where its activity is launched, and what both clocks say. */
void tt_ctf_launch (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event);
void tt_ctf_activity (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event);
/* The trace is over: every calibration is known. */
gboolean tt_ctf_put_activities (TtCtfSession *self, GError **error);

/* -- facts.c: counters and manifests ------------------------------------------------------------------------ */

void tt_ctf_energy (TtCtfSession *self, TtCtfThread *thread, const TtCtfPlan *plan, const TtCtfEvent *event);
void
tt_ctf_manifest_process (TtCtfSession *self, TtCtfProcess *process, const TtCtfPlan *plan, const TtCtfEvent *event);
void tt_ctf_manifest_value (TtCtfSession *self, TtCtfProcess *process, const TtCtfPlan *plan, const TtCtfEvent *event);
void tt_ctf_put_manifest (TtCtfSession *self, TtCtfProcess *process);
