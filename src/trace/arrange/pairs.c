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

/* An open begin; all of a name are linked, the latest first. */
typedef struct
{
  ArrangeAsync begin;
  guint64 previous; /* number of the one before of its name, counted from 1; 0: none */
  guint64 is_open;
} Open;

typedef struct
{
  const ArrangePairFuncs *funcs;
  gpointer data;
  TtSpill *opened; /* of Open, in order of begin; the last one is open */
  guint64 n_opened, n_open;
  TtSpill *latest; /* by name, of guint64: number in opened, 0: none */
} Pairing;

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
  Open open = { .begin = *event, .is_open = TRUE };

  if (self->n_opened > 2 * self->n_open + MIN_ENDED)
    compact (self);
  append (self, &open);
  self->n_open++;
}

static void
close_open (Pairing *self, guint64 number, const ArrangeAsync *end)
{
  Open open = get_open (self, number);

  self->funcs->span (&open.begin, end, self->data);
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

  if (number == 0)
    self->funcs->lone_end (event, self->data);
  else
    close_open (self, number, event);
}

static void
end_line (Pairing *self)
{
  while (self->n_opened > 0)
    close_open (self, self->n_opened, NULL);
}

static gboolean
check (const Pairing *self, TtSink *sink, GError **error)
{
  return tt_spill_check (self->opened, error) && tt_spill_check (self->latest, error) && tt_sink_check (sink, 0, error);
}

static gboolean
pair_all (Pairing *self, TtSorter *events, gboolean is_async, TtSink *sink, GError **error)
{
  g_autoptr (GError) failed = NULL;
  guint64 line = 0, n = 0;

  for (const ArrangeAsync *event; (event = tt_sorter_next (events, &failed)) != NULL; n++)
    {
      guint64 this_line = is_async ? event->record.high : arrange_line (&event->record);

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
  };
  gboolean ok = tt_sorter_finish (events, error) && pair_all (&self, events, is_async, sink, error);

  tt_spill_free (self.opened);
  tt_spill_free (self.latest);
  return ok;
}
