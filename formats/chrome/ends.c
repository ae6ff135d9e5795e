#include "config.h"

#include "formats/chrome/chrome.h"

#include <string.h>

/*
 * The store has messages with the ids of the spans around their halves. They are kept in a file; what
 * they want to know of each span is sorted by its id, filled in as the spans go by, and sorted back.
 */

#define CACHE_BYTES ((gsize) 2 << 20)
#define SORT_BYTES ((gsize) 6 << 20)

typedef struct
{
  guint64 event;
  guint64 end; /* number of the message * 2 + is receive */
} Question;

typedef struct
{
  guint64 end, unused;
  ChromeSpan span;
} Answer;

struct _ChromeEnds
{
  TtSpill *messages; /* of TtMessage */
  guint64 n;
  TtSorter *questions; /* of Question */
  const Question *question;
  TtSorter *answers; /* of Answer */
};

static gboolean
take_message (const TtMessage *message, gpointer data)
{
  ChromeEnds *self = data;
  const guint64 events[2] = { message->send_event, message->recv_event };

  for (guint i = 0; i < 2; i++)
    if (events[i] != 0)
      {
        Question *question = tt_sorter_add (self->questions);
        question->event = events[i];
        question->end = self->n * 2 + i;
      }
  tt_spill_write (self->messages, self->n++ * sizeof *message, message, sizeof *message);
  return TRUE;
}

static gboolean
next_question (ChromeEnds *self, GError **error)
{
  g_autoptr (GError) failed = NULL;

  self->question = tt_sorter_next (self->questions, &failed);
  if (failed == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}

ChromeEnds *
tt_chrome_ends_new (TtStore *store, GError **error)
{
  g_autoptr (ChromeEnds) self = g_new0 (ChromeEnds, 1);

  self->messages = tt_spill_new (CACHE_BYTES);
  self->questions = tt_sorter_new (sizeof (Question), SORT_BYTES);
  self->answers = tt_sorter_new (sizeof (Answer), SORT_BYTES);
  if (!tt_store_each_message (store, take_message, self, error) || !tt_sorter_finish (self->questions, error) ||
      !next_question (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
tt_chrome_ends_free (ChromeEnds *self)
{
  if (self == NULL)
    return;
  tt_spill_free (self->messages);
  tt_sorter_free (self->questions);
  tt_sorter_free (self->answers);
  g_free (self);
}

gboolean
tt_chrome_ends_event (ChromeEnds *self, const TtEvent *event, GError **error)
{
  while (G_UNLIKELY (self->question != NULL && self->question->event <= event->id))
    {
      if (self->question->event == event->id && event->dur_ns != TT_NO_TIME)
        {
          Answer *answer = tt_sorter_add (self->answers);

          answer->end = self->question->end;
          answer->unused = 0;
          answer->span = (ChromeSpan){
            .event = event->id,
            .ts_ns = event->ts_ns,
            .dur_ns = event->dur_ns,
            .self_ns = event->self_ns,
            .name = event->name,
            .depth = event->depth,
            .flags = event->flags,
            .step = event->step,
          };
        }
      if (!next_question (self, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tt_chrome_ends_finish (ChromeEnds *self, TtChrome *chrome, GError **error)
{
  static const ChromeSpan no_span = { .dur_ns = TT_NO_TIME, .step = TT_NO_STEP };
  g_autoptr (GError) failed = NULL;

  if (!tt_sorter_finish (self->answers, error))
    return FALSE;
  const Answer *answer = tt_sorter_next (self->answers, &failed);
  for (guint64 i = 0; i < self->n && failed == NULL; i++)
    {
      TtMessage message;
      ChromeSpan spans[2] = { no_span, no_span };

      tt_spill_read (self->messages, i * sizeof message, &message, sizeof message);
      for (; answer != NULL && answer->end / 2 == i; answer = tt_sorter_next (self->answers, &failed))
        spans[answer->end % 2] = answer->span;
      tt_chrome_message (chrome, &message, &spans[0], &spans[1]);
    }
  if (failed == NULL)
    return tt_spill_check (self->messages, error);
  g_propagate_error (error, g_steal_pointer (&failed));
  return FALSE;
}
