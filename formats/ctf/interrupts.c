/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/interrupts.h"

#include "formats/ctf/text.h"
#include "src/trace/kernel-lanes.h"

#define MAX_CPUS 65536
/* The kernel has a handful at most. */
#define MAX_OPEN 64u

/* Of Linux, since 4.5 in this order; before, IRQ_POLL was BLOCK_IOPOLL. */
static const char *const soft_words[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
                                          "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

typedef struct
{
  TtCtfKernelKind kind;
  gint64 number;
  gint64 begin_ns;
  guint32 name;
} Open;

typedef struct
{
  gint64 cpu; /* the key of the table */
  guint stream;
  TtNestThread *nest;
  Open open[MAX_OPEN];
  guint n_open;
} Lane;

struct _TtCtfInterrupts
{
  GHashTable *lanes;
  GPtrArray *in_order;
  guint32 process; /* TT_NO_ID: none yet */
};

TtCtfInterrupts *
tt_ctf_interrupts_new (void)
{
  TtCtfInterrupts *self = g_new0 (TtCtfInterrupts, 1);

  self->lanes = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);
  self->in_order = g_ptr_array_new ();
  self->process = TT_NO_ID;
  return self;
}

void
tt_ctf_interrupts_free (TtCtfInterrupts *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->lanes);
  g_ptr_array_unref (self->in_order);
  g_free (self);
}

/* NULL: there is no such processor. */
static Lane *
find_lane (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  TtCtfInterrupts *self = session->interrupts;
  gint64 cpu;

  if (!tt_ctf_integer (event, binding->identity.cpu, &cpu) || cpu < 0 || cpu >= MAX_CPUS)
    return NULL;
  Lane *lane = g_hash_table_lookup (self->lanes, &cpu);
  if (lane == NULL)
    {
      g_autofree char *pid = g_strconcat (session->processes->pid_prefix, "irq", NULL);
      g_autofree char *tid = g_strdup_printf ("cpu %" G_GINT64_FORMAT, cpu);

      if (self->process == TT_NO_ID)
        self->process = tt_sink_process (session->sink, pid, TT_LANES_OF_INTERRUPTS, session->trace.hostname, -1);
      lane = g_new0 (Lane, 1);
      lane->cpu = cpu;
      lane->nest =
          tt_nest_thread (session->nest, tt_sink_thread (session->sink, self->process, tid, NULL, cpu), self->process);
      g_hash_table_insert (self->lanes, &lane->cpu, lane);
      g_ptr_array_add (self->in_order, lane);
    }
  lane->stream = event->stream;
  return lane;
}

static guint32
name_of (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event, gint64 number)
{
  const char *text = tt_ctf_text (event, binding->kernel.name);
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  g_autofree char *valid = text == NULL || *text == '\0' ? NULL : g_utf8_make_valid (text, -1);
  gboolean is_soft = binding->kernel.kind == TT_CTF_SOFT_INTERRUPT;
  const char *word = is_soft && number >= 0 && number < (gint64) G_N_ELEMENTS (soft_words) ? soft_words[number] : valid;
  const TtRawName raw = { .raw = is_soft ? "softirq" : "irq", .op_cat = "RT", .sub_op = word != NULL ? word : digits };

  return tt_sink_name (session->sink, &raw);
}

static void
end_top (TtCtfSession *session, Lane *lane, gint64 ts_ns, guint32 flags, guint64 number)
{
  const Open *top = &lane->open[--lane->n_open];
  const TtNestSpan end = {
    .ts_ns = MAX (ts_ns, top->begin_ns), .offset = number, .name = top->name, .flags = flags, .step = TT_NO_STEP
  };

  tt_nest_end (session->nest, lane->nest, &end);
}

static void
begin (TtCtfSession *session, Lane *lane, const TtCtfBinding *binding, const TtCtfEvent *event, gint64 number)
{
  const Open open = { binding->kernel.kind, number, event->ts_ns, name_of (session, binding, event, number) };
  const TtNestSpan span = { .ts_ns = event->ts_ns,
                            .args = tt_ctf_event_args (session, binding, event),
                            .offset = tt_ctf_event_number (session, event),
                            .name = open.name,
                            .step = TT_NO_STEP };

  /* So deep none is: ends are missing without a word of it. */
  if (lane->n_open == MAX_OPEN)
    while (lane->n_open > 0)
      end_top (session, lane, lane->open[lane->n_open - 1].begin_ns, TT_FLAGS_BOUNDED, span.offset);
  lane->open[lane->n_open++] = open;
  tt_nest_begin (session->nest, lane->nest, &span);
}

void
tt_ctf_interrupt (TtCtfSession *session, const TtCtfBinding *binding, const TtCtfEvent *event)
{
  Lane *lane = find_lane (session, binding, event);
  guint64 offset = tt_ctf_event_number (session, event);
  gint64 number;

  if (lane == NULL || !tt_ctf_integer (event, binding->kernel.number, &number))
    {
      tt_sink_repair (session->sink, TT_REPAIR_ODD_RECORD, offset);
      return;
    }
  if (binding->kernel.is_begin)
    {
      begin (session, lane, binding, event, number);
      return;
    }
  for (guint i = lane->n_open; i-- > 0;)
    {
      if (lane->open[i].kind != binding->kernel.kind || lane->open[i].number != number)
        continue;
      while (lane->n_open > i + 1)
        end_top (session, lane, lane->open[lane->n_open - 1].begin_ns, TT_FLAGS_BOUNDED, offset);
      end_top (session, lane, event->ts_ns, 0, offset);
      return;
    }
  tt_sink_repair (session->sink, TT_REPAIR_UNPAIRED_END, offset);
}

void
tt_ctf_interrupts_lose (TtCtfSession *session, const TtCtfLoss *loss)
{
  const GPtrArray *lanes = session->interrupts->in_order;

  for (guint i = 0; i < lanes->len; i++)
    {
      Lane *lane = lanes->pdata[i];

      while (lane->stream == loss->stream && lane->n_open > 0)
        end_top (session, lane, loss->from_ns, TT_FLAGS_BOUNDED, session->trace.n_before + session->trace.n_events);
    }
}

void
tt_ctf_interrupts_finish (TtCtfSession *session)
{
  const GPtrArray *lanes = session->interrupts->in_order;

  for (guint i = 0; i < lanes->len; i++)
    {
      Lane *lane = lanes->pdata[i];

      while (lane->n_open > 0)
        end_top (session, lane, session->trace.last_ns, TT_FLAGS_BOUNDED,
                 session->trace.n_before + session->trace.n_events);
    }
}
