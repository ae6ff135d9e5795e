/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prev_state of sched_switch is 0 for a thread that could go on, or has a bit above the low eight (TASK_STATE_MAX before Linux 4.14,
 * TASK_REPORT_MAX after) where it was preempted within the kernel. Threads that ended (EXIT_DEAD 16, EXIT_ZOMBIE 32, and 64, which
 * was TASK_DEAD before 4.14) are in no state. Kernel threads that are parked wait: 64 since 4.14, 512 before.
 *
 * What the state dump of LTTng says of a thread counts when the scheduler names it, and until then takes no lane.
 */
#include "config.h"

#include "formats/ctf/states.h"

#include "src/base/tape.h"
#include "src/trace/kernel-lanes.h"

#define STATE_BITS 0xff
#define EXIT_BITS (16 | 32)
#define BIT_64 64
#define OLD_PARKED_BIT 512
#define WITH_PARKED TT_CTF_LINUX (4, 14)
/* LTTNG_WAIT of lttng_statedump_process_state. */
#define DUMPED_WAIT 5
#define MAX_TID ((gint64) 1 << 30)
#define MAX_CPUS 65536
#define UNKNOWN_CPU -1
#define TAPE_MEMORY ((gsize) 1 << 20)

typedef enum
{
  RUNNING,
  PREEMPTED,
  WAITING,
  READY,
  N_STATES,
  NO_STATE = N_STATES, /* ended, or not known */
} State;

static const struct
{
  const char *op_cat, *sub_op;
} words[N_STATES] = {
  [RUNNING] = { "RT", "running" },
  [PREEMPTED] = { "SYNC", "preempted" },
  [WAITING] = { "SYNC", "waiting" },
  [READY] = { "SYNC", "ready" },
};

/* A thread that was named by the scheduler. */
typedef struct
{
  gint64 tid; /* the key of the table */
  TtNestThread *nest;
  State state;
  gint64 last_ns;  /* when its last state ended; TT_NO_TIME: it had none */
  gint64 begin_ns; /* of its state, with the number of the event, and its flags */
  guint64 number;
  guint32 flags;
  guint cpu;             /* on which it was put last, and 1; 0: not known */
  gboolean is_doubtful;  /* the state of it that was written last */
  gboolean is_tentative; /* its state is one only if the thread is not found to run then */
} Lane;

/* A thread that waited when it was dumped. */
typedef struct
{
  gint64 ts_ns;
  guint64 number;
} Dumped;

/* A state that is over. */
typedef struct
{
  Lane *lane;
  gint64 begin_ns, end_ns;
  guint64 number;
  State state;
  guint32 flags;
} Kept;

typedef struct
{
  gint64 from_ns, until_ns;
} Gap;

/* What is known of a processor, unless events are missing since. */
typedef struct
{
  guint64 n_losses; /* that there were, and 1; 0: it was not met */
  gint64 first_ns;  /* of its first event since; TT_NO_TIME: none yet */
  gint64 tid;       /* that runs there; UNKNOWN_CPU: not known */
} Cpu;

struct _TtCtfStates
{
  gboolean is_asked, is_on; /* whether the trace has the events */
  GHashTable *lanes;
  GPtrArray *in_order; /* the same, as they were named first */
  GHashTable *dumped;  /* tid -> Dumped, of those without a lane yet */
  TtTape *kept;        /* of Kept */
  GArray *losses;      /* of Gap */
  guint64 n_losses;    /* that were told, and 1 */
  GArray *cpus;        /* of Cpu */
  guint32 process;     /* TT_NO_ID: none yet */
  guint32 names[N_STATES];
};

TtCtfStates *
tt_ctf_states_new (void)
{
  TtCtfStates *self = g_new0 (TtCtfStates, 1);

  self->lanes = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->in_order = g_ptr_array_new ();
  self->dumped = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->kept = tt_tape_new (TAPE_MEMORY);
  self->losses = g_array_new (FALSE, FALSE, sizeof (Gap));
  self->n_losses = 1;
  self->cpus = g_array_new (FALSE, TRUE, sizeof (Cpu));
  self->process = TT_NO_ID;
  return self;
}

void
tt_ctf_states_free (TtCtfStates *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->lanes);
  g_ptr_array_unref (self->in_order);
  g_hash_table_unref (self->dumped);
  tt_tape_free (self->kept);
  g_array_unref (self->losses);
  g_array_unref (self->cpus);
  g_free (self);
}

/* -- lanes ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_tid (gint64 tid)
{
  return tid > 0 && tid <= MAX_TID;
}

/* A thread that is named first has waited, if it did when it was dumped. */
static void
take_dumped (TtCtfStates *self, Lane *lane)
{
  const Dumped *dumped = g_hash_table_lookup (self->dumped, &lane->tid);

  if (dumped == NULL)
    return;
  lane->state = WAITING;
  lane->begin_ns = dumped->ts_ns;
  lane->number = dumped->number;
  lane->flags = TT_FLAG_INFERRED;
  lane->is_tentative = TRUE;
  g_hash_table_remove (self->dumped, &lane->tid);
}

/* NULL: the idle thread of a processor, or no number of a thread. */
static Lane *
find_lane (TtCtfSession *session, gint64 tid, const char *name)
{
  TtCtfStates *self = session->states;
  Lane *lane = g_hash_table_lookup (self->lanes, &tid);

  if (lane != NULL || !is_tid (tid))
    return lane;
  if (self->process == TT_NO_ID)
    {
      g_autofree char *pid = g_strconcat (session->processes->pid_prefix, "sched", NULL);
      self->process = tt_sink_process (session->sink, pid, TT_LANES_OF_STATES, session->trace.hostname, -1);
    }
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, tid);
  guint32 id = tt_sink_thread (session->sink, self->process, text, name, (gint64) g_hash_table_size (self->lanes));

  lane = g_new0 (Lane, 1);
  lane->tid = tid;
  lane->state = NO_STATE;
  lane->last_ns = TT_NO_TIME;
  lane->nest = tt_nest_thread (session->nest, id, self->process);
  g_hash_table_insert (self->lanes, &lane->tid, lane);
  g_ptr_array_add (self->in_order, lane);
  take_dumped (self, lane);
  return lane;
}

/* Its state until @ts_ns waits for the end of the trace, where it is known which events are missing. */
static void
end_state (TtCtfStates *self, Lane *lane, gint64 ts_ns, guint32 flags)
{
  const Kept kept = { .lane = lane,
                      .begin_ns = lane->begin_ns,
                      .end_ns = ts_ns,
                      .number = lane->number,
                      .state = lane->state,
                      .flags = flags | lane->flags };

  if (lane->state == NO_STATE)
    return;
  tt_tape_append (self->kept, &kept, sizeof kept);
  lane->state = NO_STATE;
  lane->last_ns = ts_ns;
}

static void
begin_state (TtCtfSession *session, Lane *lane, State state, gint64 ts_ns, guint32 flags)
{
  end_state (session->states, lane, ts_ns, 0);
  lane->state = state;
  lane->is_tentative = FALSE;
  lane->begin_ns = ts_ns;
  lane->number = session->trace.n_before + session->trace.n_events;
  lane->flags = flags;
}

/* -- events --------------------------------------------------------------------------------------------------------- */

/* NULL: the event does not say a processor. */
static Cpu *
cpu_of (TtCtfStates *self, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 number;
  Cpu *cpu;

  if (!tt_ctf_integer (event, binding->identity.cpu, &number) || number < 0 || number >= MAX_CPUS)
    return NULL;
  if (self->cpus->len <= (guint) number)
    g_array_set_size (self->cpus, (guint) number + 1);
  cpu = &g_array_index (self->cpus, Cpu, number);
  if (cpu->n_losses != self->n_losses)
    *cpu = (Cpu){ .n_losses = self->n_losses, .first_ns = TT_NO_TIME, .tid = UNKNOWN_CPU };
  return cpu;
}

void
tt_ctf_states_see (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtCtfStates *self = session->states;
  Cpu *cpu;

  if (!self->is_asked)
    self->is_on = tt_ctf_class_has_sibling (event->klass, "sched_switch") ||
                  tt_ctf_class_has_sibling (event->klass, "sched:sched_switch");
  self->is_asked = TRUE;
  session->sees_states = self->is_on;
  cpu = self->is_on ? cpu_of (self, binding, event) : NULL;
  if (cpu != NULL && cpu->first_ns == TT_NO_TIME)
    cpu->first_ns = event->ts_ns;
}

/* Which of them it is, and 1. 0: none. */
static guint
number_of (const TtCtfStates *self, const Cpu *cpu)
{
  return cpu == NULL ? 0 : (guint) (cpu - (const Cpu *) (gconstpointer) self->cpus->data) + 1;
}

/* Events are missing, which nothing has told (a filter's, perhaps): the thread that was put on the processor is not the one that leaves it, or
 * the one that leaves was not put on any. Nobody knows when their states ended. */
static void
end_unseen (TtCtfStates *self, const Cpu *cpu, gint64 prev, gint64 ts_ns)
{
  const guint number = number_of (self, cpu);
  Lane *other = number == 0 || cpu->tid == prev ? NULL : g_hash_table_lookup (self->lanes, &cpu->tid);
  Lane *lane = g_hash_table_lookup (self->lanes, &prev);

  if (other != NULL && other->state == RUNNING && other->cpu == number)
    end_state (self, other, ts_ns, TT_FLAG_INFERRED);
  if (lane != NULL && lane->state != RUNNING && lane->is_tentative)
    lane->state = NO_STATE;
  if (lane != NULL && lane->state != RUNNING)
    end_state (self, lane, ts_ns, TT_FLAG_INFERRED);
}

/* Of a thread that leaves its processor with this prev_state. */
static State
state_after (guint linux_version, gint64 state)
{
  const gboolean is_parked_64 = linux_version >= WITH_PARKED;

  if ((state & EXIT_BITS) != 0 || (!is_parked_64 && (state & BIT_64) != 0))
    return NO_STATE;
  return (state & (is_parked_64 ? STATE_BITS : STATE_BITS | OLD_PARKED_BIT)) == 0 ? PREEMPTED : WAITING;
}

static void
switch_threads (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  const TtCtfStateBinding *own = &binding->state;
  Cpu *cpu = cpu_of (session->states, binding, event);
  gint64 prev = 0, next = 0, state = 0;

  if (!tt_ctf_integer (event, own->prev_tid, &prev) || !tt_ctf_integer (event, own->prev_state, &state) ||
      !tt_ctf_integer (event, own->next_tid, &next))
    return;
  end_unseen (session->states, cpu, prev, event->ts_ns);
  Lane *lane = find_lane (session, prev, tt_ctf_text (event, own->prev_name));
  /* It ran there since before the processor's first event. */
  if (lane != NULL && lane->state == NO_STATE && cpu != NULL && cpu->tid == UNKNOWN_CPU &&
      cpu->first_ns >= lane->last_ns)
    begin_state (session, lane, RUNNING, cpu->first_ns, TT_FLAG_INFERRED);
  const State after = state_after (session->trace.linux_version, state);
  if (lane != NULL && after == NO_STATE)
    end_state (session->states, lane, event->ts_ns, 0);
  else if (lane != NULL)
    begin_state (session, lane, after, event->ts_ns, 0);
  lane = find_lane (session, next, tt_ctf_text (event, own->next_name));
  if (lane != NULL)
    {
      begin_state (session, lane, RUNNING, event->ts_ns, 0);
      lane->cpu = number_of (session->states, cpu);
    }
  if (cpu != NULL)
    cpu->tid = next;
}

static void
wake_thread (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  gint64 tid;
  Lane *lane = tt_ctf_integer (event, binding->state.next_tid, &tid)
                   ? find_lane (session, tid, tt_ctf_text (event, binding->state.next_name))
                   : NULL;

  /* A thread that runs, or could, may be woken as well: that changes nothing. One that was not met may be such: if it is, the
   * next that is heard of it is that it leaves a processor. */
  if (lane == NULL)
    return;
  const gboolean is_unmet = lane->state == NO_STATE && lane->last_ns == TT_NO_TIME;
  if (lane->state == WAITING || is_unmet || (binding->state.is_new && lane->state == NO_STATE))
    {
      begin_state (session, lane, READY, event->ts_ns, 0);
      lane->is_tentative = is_unmet && !binding->state.is_new;
    }
}

static void
note_dumped (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtCtfStates *self = session->states;
  const Dumped dumped = { event->ts_ns, session->trace.n_before + session->trace.n_events };
  gint64 tid, status;

  if (!tt_ctf_integer (event, binding->state.next_tid, &tid) ||
      !tt_ctf_integer (event, binding->state.status, &status) || status != DUMPED_WAIT || !is_tid (tid) ||
      g_hash_table_contains (self->lanes, &tid))
    return;
  g_hash_table_replace (self->dumped, g_memdup2 (&tid, sizeof tid), g_memdup2 (&dumped, sizeof dumped));
}

void
tt_ctf_states_change (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  if (binding->state.kind == TT_CTF_SWITCH)
    switch_threads (session, binding, event);
  else if (binding->state.kind == TT_CTF_WAKEUP && session->states->is_on)
    wake_thread (session, binding, event);
  else if (binding->state.kind == TT_CTF_DUMPED && session->states->is_on)
    note_dumped (session, binding, event);
}

void
tt_ctf_states_lose (TtCtfSession *session, const TtCtfLoss *loss)
{
  TtCtfStates *self = session->states;
  Gap gap = { .from_ns = loss->from_ns, .until_ns = loss->until_ns == TT_CTF_ALWAYS ? G_MAXINT64 : loss->until_ns };

  /* They come in the order of their ends; those that touch are one. */
  while (self->losses->len > 0)
    {
      const Gap *last = &g_array_index (self->losses, Gap, self->losses->len - 1);

      if (last->until_ns < gap.from_ns)
        break;
      gap.from_ns = MIN (gap.from_ns, last->from_ns);
      gap.until_ns = MAX (gap.until_ns, last->until_ns);
      g_array_set_size (self->losses, self->losses->len - 1);
    }
  g_array_append_val (self->losses, gap);
  self->n_losses++;
}

/* -- the end of the trace ------------------------------------------------------------------------------------------- */

/* Whether events are missing between these times. */
static gboolean
has_gap (const TtCtfStates *self, gint64 begin_ns, gint64 end_ns)
{
  guint low = 0, high = self->losses->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->losses, Gap, middle).until_ns < begin_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->losses->len && g_array_index (self->losses, Gap, low).from_ns <= end_ns;
}

static guint32
name_of (TtCtfSession *session, State state)
{
  const TtRawName raw = { .raw = TT_LANES_NAME, .op_cat = words[state].op_cat, .sub_op = words[state].sub_op };

  if (session->states->names[state] == 0)
    session->states->names[state] = tt_sink_name (session->sink, &raw);
  return session->states->names[state];
}

static void
write_kept (TtCtfSession *session, const Kept *kept)
{
  /* A thread is ready only if it had been waiting, which it may not have been. */
  gboolean is_doubtful =
      has_gap (session->states, kept->begin_ns, kept->end_ns) || (kept->state == READY && kept->lane->is_doubtful);
  const TtNestSpan span = { .ts_ns = kept->begin_ns,
                            .end_ns = kept->end_ns,
                            .offset = kept->number,
                            .name = name_of (session, kept->state),
                            .flags = kept->flags | (is_doubtful ? TT_FLAG_INFERRED : 0),
                            .step = TT_NO_STEP };

  kept->lane->is_doubtful = is_doubtful;
  tt_nest_span (session->nest, kept->lane->nest, &span);
}

gboolean
tt_ctf_states_finish (TtCtfSession *session, GError **error)
{
  TtCtfStates *self = session->states;
  guint64 size;

  for (guint i = 0; i < self->in_order->len; i++)
    {
      Lane *lane = self->in_order->pdata[i];

      if (!lane->is_tentative)
        end_state (self, lane, session->trace.last_ns, TT_FLAGS_BOUNDED);
    }
  size = tt_tape_size (self->kept);
  for (guint64 at = 0; at < size; at += sizeof (Kept))
    {
      Kept kept = { NULL };

      tt_tape_read (self->kept, at, &kept, sizeof kept);
      if (kept.lane == NULL)
        break;
      write_kept (session, &kept);
    }
  return tt_tape_check (self->kept, error);
}

gint64
tt_ctf_states_running (const TtCtfStates *self, gint64 cpu)
{
  const Cpu *known = cpu < 0 || cpu >= (gint64) self->cpus->len ? NULL : &g_array_index (self->cpus, Cpu, cpu);

  return known == NULL || known->n_losses != self->n_losses ? UNKNOWN_CPU : known->tid;
}
