#include "config.h"

#include "formats/ctf/session.h"

/*
 * Pairing of begins and ends. Real traces lack many ends: LLVM's OpenMP tells no end of most work-shares, a worker tells
 * the end of its implicit task when it is woken for the next region, or never, and events are lost. So
 *  - a begin closes what its rule says, and the open span of its own kind, if that cannot nest;
 *  - the end of a parallel region closes the implicit tasks of its team on other threads; their own ends, when they come,
 *    are passed over;
 *  - an end closes what is open above its span;
 *  - the end of the trace closes the rest.
 * What is closed so gets the flag `inferred`.
 */

/* More open spans on a thread than these are left to nest, which pairs them no more. */
#define MOST_OPEN 65536u
/* Regions of a process whose end has not come. */
#define MOST_REGIONS 4096u

/* A parallel region, and the threads that have had implicit tasks in it. */
typedef struct
{
  gint64 key[2];
  guint n_open; /* of its begins: several teams may run it at a time */
  GPtrArray *threads;
} Region;

static guint
region_hash (gconstpointer key)
{
  const Region *region = key;

  return g_int64_hash (&region->key[0]) * 31 + g_int64_hash (&region->key[1]);
}

static gboolean
region_equal (gconstpointer a, gconstpointer b)
{
  const Region *x = a, *y = b;

  return x->key[0] == y->key[0] && x->key[1] == y->key[1];
}

static void
region_free (gpointer data)
{
  Region *region = data;

  g_ptr_array_unref (region->threads);
  g_free (region);
}

void
tt_ctf_regions_free (TtCtfProcess *process)
{
  g_clear_pointer (&process->regions, g_hash_table_unref);
  g_queue_clear (&process->region_order);
}

static Region *
find_region (const TtCtfProcess *process, const gint64 *key)
{
  const Region wanted = { .key = { key[0], key[1] } };

  return process->regions == NULL ? NULL : g_hash_table_lookup (process->regions, &wanted);
}

static void
forget_region (TtCtfProcess *process, Region *region)
{
  g_queue_remove (&process->region_order, region);
  g_hash_table_remove (process->regions, region);
}

static Region *
get_region (TtCtfProcess *process, const gint64 *key)
{
  Region *region = find_region (process, key);

  if (region != NULL)
    return region;
  if (process->regions == NULL)
    process->regions = g_hash_table_new_full (region_hash, region_equal, region_free, NULL);
  if (process->region_order.length >= MOST_REGIONS)
    forget_region (process, g_queue_peek_head (&process->region_order));
  region = g_new0 (Region, 1);
  region->key[0] = key[0];
  region->key[1] = key[1];
  region->threads = g_ptr_array_new ();
  g_hash_table_add (process->regions, region);
  g_queue_push_tail (&process->region_order, region);
  return region;
}

/* -- closing --------------------------------------------------------------------------------------------------- */

static TtCtfOpen *
open_at (const TtCtfThread *thread, guint i)
{
  return &g_array_index (thread->open, TtCtfOpen, i);
}

static void
end_top (TtCtfSession *self, TtCtfThread *thread, gint64 ts_ns, guint64 args, guint32 flags, guint64 number)
{
  const TtNestSpan end = { .ts_ns = ts_ns,
                           .args = args,
                           .offset = number,
                           .name = open_at (thread, thread->open->len - 1)->name,
                           .flags = flags };

  tt_nest_end (self->nest, thread->nest, &end);
  g_array_set_size (thread->open, thread->open->len - 1);
}

/* Closes all from @from upwards; their ends are not in the trace. */
static void
close_from (TtCtfSession *self, TtCtfThread *thread, guint from, gint64 ts_ns, guint64 number)
{
  while (thread->open->len > from)
    {
      tt_sink_repair (self->sink, TT_REPAIR_INFERRED_END, number);
      end_top (self, thread, ts_ns, 0, TT_FLAG_INFERRED, number);
    }
}

void
tt_ctf_close_all (TtCtfSession *self, TtCtfProcess *process)
{
  for (guint i = 0; i < process->in_order->len; i++)
    {
      TtCtfThread *thread = process->in_order->pdata[i];

      tt_ctf_put_pending (self, thread);
      while (thread->open->len > 0)
        {
          const TtCtfOpen *top = open_at (thread, thread->open->len - 1);
          gboolean is_usual = top->kind == TT_CTF_LIFE || top->is_program;

          if (!is_usual)
            tt_sink_repair (self->sink, TT_REPAIR_INFERRED_END, self->base + self->n_events);
          end_top (self, thread, process->last_ns, 0, TT_FLAG_INFERRED | TT_FLAG_UNCLOSED, self->base + self->n_events);
        }
    }
}

/* -- looking ---------------------------------------------------------------------------------------------------- */

static gboolean
read_match (const TtCtfEvent *event, const TtCtfMember *const *members, gint64 *match)
{
  if (!tt_ctf_integer (event, members[0], &match[0]))
    return FALSE;
  match[1] = 0;
  return members[1] == NULL || tt_ctf_integer (event, members[1], &match[1]);
}

static gboolean
matches (const TtCtfOpen *open, gboolean has_match, const gint64 *match)
{
  return !has_match || !open->has_match || (open->match[0] == match[0] && open->match[1] == match[1]);
}

/* The innermost open span that @event of @plan ends, or -1. */
static gint64
find_begin (const TtCtfThread *thread, const TtCtfPlan *plan, gboolean has_match, const gint64 *match)
{
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = open_at (thread, i);

      if (open->family == plan->family && matches (open, has_match, match))
        return i;
      if (!has_match && (open->kind & plan->span->fences) != 0)
        return -1;
    }
  return -1;
}

/* The lowest span that a begin of @plan closes, or the number of those open. */
static guint
find_closed (const TtCtfThread *thread, const TtCtfPlan *plan)
{
  guint lowest = thread->open->len;

  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = open_at (thread, i);

      if ((open->family == plan->family && !plan->span->nests && !open->is_program) ||
          (open->kind & plan->span->closes) != 0)
        lowest = i;
      if ((open->kind & plan->span->fences) != 0 || open->is_program || plan->span->nests)
        break;
    }
  return lowest;
}

/* -- begins ------------------------------------------------------------------------------------------------------ */

static void
note_region (TtCtfThread *thread, const TtCtfOpen *open)
{
  if (!open->has_match || open->is_program)
    return;
  if (open->kind == TT_CTF_PARALLEL)
    get_region (thread->process, open->match)->n_open++;
  else if (open->kind == TT_CTF_TASK)
    {
      GPtrArray *threads = get_region (thread->process, open->match)->threads;
      if (threads->len == 0 || threads->pdata[threads->len - 1] != thread)
        g_ptr_array_add (threads, thread);
    }
}

void
tt_ctf_begin_span (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event)
{
  guint64 number = self->base + event->number;
  TtCtfOpen open = { .family = plan->family, .kind = plan->span->kind };

  close_from (self, thread, find_closed (thread, plan), event->ts_ns, number);
  open.name = tt_ctf_plan_name (self, plan, event, &open.is_program);
  open.has_match = read_match (event, plan->match, open.match);
  const TtNestSpan begin = { .ts_ns = event->ts_ns,
                             .args = tt_ctf_plan_args (self, plan, event),
                             .offset = number,
                             .name = open.name,
                             .flags = plan->has_activities ? TT_FLAG_ENQUEUE : 0,
                             .step = TT_NO_STEP };
  tt_nest_begin (self->nest, thread->nest, &begin);
  if (open.kind == TT_CTF_MPI)
    {
      tt_ctf_send (self, thread, plan, event);
      tt_ctf_expect (self, thread, plan, event, &open);
    }
  else if (open.kind == TT_CTF_DEVICE_CALL)
    tt_ctf_launch (self, thread, plan, event);
  note_region (thread, &open);
  if (open.kind == TT_CTF_TASK)
    thread->has_late = FALSE;
  if (thread->open->len == MOST_OPEN)
    g_array_remove_range (thread->open, 0, MOST_OPEN / 2);
  g_array_append_val (thread->open, open);
}

/* -- ends -------------------------------------------------------------------------------------------------------- */

/* The implicit task of a worker does not outlast the region. */
static void
clip_task (TtCtfSession *self, TtCtfThread *thread, const gint64 *match, const TtCtfEvent *event)
{
  for (guint i = thread->open->len; i-- > 0;)
    {
      const TtCtfOpen *open = open_at (thread, i);

      if (open->kind != TT_CTF_TASK || !open->has_match || !matches (open, TRUE, match))
        continue;
      close_from (self, thread, i, event->ts_ns, self->base + event->number);
      thread->has_late = TRUE;
      thread->late[0] = match[0];
      thread->late[1] = match[1];
      return;
    }
}

static void
end_region (TtCtfSession *self, TtCtfThread *thread, const gint64 *match, const TtCtfEvent *event)
{
  Region *region = find_region (thread->process, match);

  if (region == NULL)
    return;
  region->n_open -= region->n_open > 0;
  if (region->n_open > 0)
    return;
  for (guint i = 0; i < region->threads->len; i++)
    if (region->threads->pdata[i] != thread)
      clip_task (self, region->threads->pdata[i], match, event);
  forget_region (thread->process, region);
}

/* The end of a span that was closed already, because it came late. */
static gboolean
is_late (const TtCtfThread *thread, const TtCtfPlan *plan, const gint64 *match)
{
  guint kinds = TT_CTF_TASK | TT_CTF_JOIN | TT_CTF_JOIN_WAIT;

  return thread->has_late && (plan->span->kind & kinds) != 0 && thread->late[0] == match[0] &&
         thread->late[1] == match[1];
}

void
tt_ctf_end_span (TtCtfSession *self, TtCtfThread *thread, TtCtfPlan *plan, const TtCtfEvent *event)
{
  guint64 number = self->base + event->number;
  gint64 match[2] = { 0, 0 };
  gboolean has_match = read_match (event, plan->match, match);
  gint64 found = find_begin (thread, plan, has_match, match);

  if (found < 0)
    {
      if (plan->span->kind == TT_CTF_PARALLEL && has_match)
        end_region (self, thread, match, event);
      if (plan->span->kind != TT_CTF_LIFE && !(has_match && is_late (thread, plan, match)))
        tt_sink_repair (self->sink, TT_REPAIR_UNPAIRED_END, number);
      tt_nest_touch (self->nest, thread->nest, event->ts_ns);
      return;
    }
  close_from (self, thread, (guint) found + 1, event->ts_ns, number);
  const TtCtfOpen open = *open_at (thread, (guint) found);
  if (open.kind == TT_CTF_MPI)
    tt_ctf_receive (self, thread, plan, &open, event->ts_ns);
  end_top (self, thread, event->ts_ns, tt_ctf_plan_args (self, plan, event), 0, number);
  if (open.kind == TT_CTF_PARALLEL && open.has_match && !open.is_program)
    end_region (self, thread, open.match, event);
}
