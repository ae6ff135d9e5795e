/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/trace/arrange/private.h"

#include "src/base/spill.h"

/* Open begins and, per name, the latest of them: both may be as many as the input likes. */
#define OPEN_CACHE ((gsize) 8 << 20)
#define LATEST_CACHE ((gsize) 2 << 20)
/* Begins that have ended stay in the table until there are as many as open ones, and this many. */
#define MIN_ENDED 1024u
#define CHECK_EVERY 65536u
/* When a span ends, so many of those that have begun after it and are open learn of it. */
#define MAX_BOUND 32u

/* An open begin; all of a name are linked, the latest first. The times say that its end may have been lost, TT_NO_TIME:
 * nothing does. */
typedef struct
{
  ArrangeAsync begin;
  guint64 previous; /* number of the one before of its name, counted from 1; 0: none */
  gint64 around_ns; /* when the first span around it ended */
  gint64 inside_ns; /* the last begin or end before that */
  gint64 again_ns;  /* when the first span of its name began that is inside it if it is open, and ended */
  gint64 lone_ns;   /* the first end without a begin when it was the innermost */
  guint64 is_open;
} Open;

typedef struct
{
  const ArrangePairFuncs *funcs;
  gpointer data;
  TtSpill *opened; /* of Open, in order of begin; the last one is open */
  guint64 n_opened, n_open;
  TtSpill *latest;       /* by name, of guint64: number in opened, 0: none */
  GHashTable *recursive; /* names of the line whose spans are in each other */
  gboolean is_async;
  gint64 before_ns; /* of the line's event before this one */
} Pairing;

static gint64
time_of (const Pairing *self, const ArrangeAsync *event)
{
  return self->is_async ? tt_sort_value (event->record.low) : arrange_ts (&event->record);
}

static Open
get_open (Pairing *self, guint64 number)
{
  Open open;

  tt_spill_read (self->opened, (number - 1) * sizeof open, &open, sizeof open);
  return open;
}

static void
put_open (Pairing *self, guint64 number, const Open *open)
{
  tt_spill_write (self->opened, (number - 1) * sizeof *open, open, sizeof *open);
}

static guint64
latest_of (Pairing *self, guint32 name)
{
  guint64 number;

  tt_spill_read (self->latest, (guint64) name * sizeof number, &number, sizeof number);
  return number;
}

static void
set_latest (Pairing *self, guint32 name, guint64 number)
{
  tt_spill_write (self->latest, (guint64) name * sizeof number, &number, sizeof number);
}

static void
append (Pairing *self, Open *open)
{
  guint32 name = open->begin.record.name;

  open->previous = latest_of (self, name);
  put_open (self, ++self->n_opened, open);
  set_latest (self, name, self->n_opened);
}

/* Takes those that have ended out of the table. */
static void
compact (Pairing *self)
{
  guint64 n = self->n_opened;

  for (guint64 i = 1; i <= n; i++)
    {
      Open open = get_open (self, i);
      if (open.is_open)
        set_latest (self, open.begin.record.name, 0);
    }
  self->n_opened = 0;
  for (guint64 i = 1; i <= n; i++)
    {
      Open open = get_open (self, i);
      if (open.is_open)
        append (self, &open);
    }
}

static void
begin (Pairing *self, const ArrangeAsync *event)
{
  Open open = { .begin = *event,
                .around_ns = TT_NO_TIME,
                .inside_ns = TT_NO_TIME,
                .again_ns = TT_NO_TIME,
                .lone_ns = TT_NO_TIME,
                .is_open = TRUE };

  if (self->n_opened > 2 * self->n_open + MIN_ENDED)
    compact (self);
  append (self, &open);
  self->n_open++;
}

/* Those above @number cross it, or their ends were lost. */
static void
note_around (Pairing *self, guint64 number, gint64 end_ns)
{
  for (guint64 i = number + 1; i <= self->n_opened && i - number <= MAX_BOUND; i++)
    {
      Open open = get_open (self, i);

      if (!open.is_open || open.around_ns != TT_NO_TIME)
        continue;
      open.around_ns = end_ns;
      open.inside_ns = MAX (self->before_ns, time_of (self, &open.begin));
      put_open (self, i, &open);
    }
}

/* @open has ended: the one before of its name is around it, or has lost its end. */
static void
note_again (Pairing *self, const Open *open)
{
  if (open->again_ns != TT_NO_TIME)
    g_hash_table_add (self->recursive, GUINT_TO_POINTER (open->begin.record.name));
  if (open->previous == 0)
    return;
  Open before = get_open (self, open->previous);
  if (before.again_ns != TT_NO_TIME)
    return;
  before.again_ns = time_of (self, &open->begin);
  put_open (self, open->previous, &before);
}

static void
earlier (gint64 *ns, gint64 than_ns)
{
  if (than_ns != TT_NO_TIME && (*ns == TT_NO_TIME || than_ns < *ns))
    *ns = than_ns;
}

/* FALSE: nothing says that it ended before its line. */
static gboolean
find_bounds (const Pairing *self, const Open *open, ArrangeBounds *bounds)
{
  *bounds = (ArrangeBounds){ .shown_ns = open->lone_ns, .most_ns = open->around_ns };
  earlier (&bounds->shown_ns, open->inside_ns);
  if (!g_hash_table_contains (self->recursive, GUINT_TO_POINTER (open->begin.record.name)))
    earlier (&bounds->shown_ns, open->again_ns);
  return bounds->shown_ns != TT_NO_TIME;
}

/* @end: NULL: there is none. */
static void
close_open (Pairing *self, guint64 number, const ArrangeAsync *end)
{
  Open open = get_open (self, number);
  ArrangeBounds bounds;

  if (end != NULL)
    {
      self->funcs->span (&open.begin, end, self->data);
      note_around (self, number, time_of (self, end));
      note_again (self, &open);
    }
  else
    self->funcs->unclosed (&open.begin, find_bounds (self, &open, &bounds) ? &bounds : NULL, self->data);
  set_latest (self, open.begin.record.name, open.previous);
  self->n_open--;
  if (number < self->n_opened)
    {
      open.is_open = FALSE;
      put_open (self, number, &open);
      return;
    }
  self->n_opened--;
  while (self->n_opened > 0 && !get_open (self, self->n_opened).is_open)
    self->n_opened--;
}

static void
end (Pairing *self, const ArrangeAsync *event)
{
  guint64 number = event->record.name == TT_NO_ID ? self->n_opened : latest_of (self, event->record.name);

  if (number != 0)
    {
      close_open (self, number, event);
      return;
    }
  self->funcs->lone_end (event, self->data);
  if (self->n_opened == 0)
    return;
  Open innermost = get_open (self, self->n_opened);
  earlier (&innermost.lone_ns, time_of (self, event));
  put_open (self, self->n_opened, &innermost);
}

static void
end_line (Pairing *self)
{
  while (self->n_opened > 0)
    close_open (self, self->n_opened, NULL);
  g_hash_table_remove_all (self->recursive);
}

static gboolean
check (const Pairing *self, TtSink *sink, GError **error)
{
  return tt_spill_check (self->opened, error) && tt_spill_check (self->latest, error) && tt_sink_check (sink, 0, error);
}

static gboolean
pair_all (Pairing *self, TtSorter *events, TtSink *sink, GError **error)
{
  g_autoptr (GError) failed = NULL;
  guint64 line = 0, n = 0;

  for (const ArrangeAsync *event; (event = tt_sorter_next (events, &failed)) != NULL; n++)
    {
      guint64 this_line = self->is_async ? event->record.high : arrange_line (&event->record);

      if (n == 0 || this_line != line)
        {
          end_line (self);
          self->funcs->line (self->data);
          line = this_line;
        }
      if (arrange_kind (&event->record) == ARRANGE_BEGIN)
        begin (self, event);
      else
        end (self, event);
      self->before_ns = time_of (self, event);
      if (n % CHECK_EVERY == CHECK_EVERY - 1 && !check (self, sink, error))
        return FALSE;
    }
  if (failed != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failed));
      return FALSE;
    }
  end_line (self);
  return check (self, sink, error);
}

gboolean
arrange_pair (TtSorter *events,
              gboolean is_async,
              TtSink *sink,
              const ArrangePairFuncs *funcs,
              gpointer data,
              GError **error)
{
  Pairing self = {
    .funcs = funcs,
    .data = data,
    .opened = tt_spill_new (OPEN_CACHE),
    .latest = tt_spill_new (LATEST_CACHE),
    .recursive = g_hash_table_new (NULL, NULL),
    .is_async = is_async,
  };
  gboolean ok = tt_sorter_finish (events, error) && pair_all (&self, events, sink, error);

  tt_spill_free (self.opened);
  tt_spill_free (self.latest);
  g_hash_table_unref (self.recursive);
  return ok;
}
