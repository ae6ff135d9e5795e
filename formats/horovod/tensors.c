/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/horovod/tensors.h"

#include <string.h>

#define TEXTS_MEMORY ((gsize) 2 << 20)

/* Whose number a text has. */
enum
{
  PID,
  WORD,
};

void
tt_horovod_tensors_init (TtHorovodTensors *self)
{
  *self = (TtHorovodTensors){ .numbers = tt_text_ids_new (),
                              .tensors = { .row_size = sizeof (TtHorovodTensor) },
                              .words = { .row_size = sizeof (guint64) },
                              .open = { .row_size = sizeof (TtHorovodBegin) },
                              .texts = tt_tape_new (TEXTS_MEMORY),
                              .raw = g_string_new (NULL),
                              .tensor = g_string_new (NULL),
                              .word = g_string_new (NULL) };
}

void
tt_horovod_tensors_clear (TtHorovodTensors *self)
{
  tt_text_ids_free (self->numbers);
  tt_id_table_clear (&self->tensors);
  tt_id_table_clear (&self->words);
  tt_id_table_clear (&self->open);
  tt_tape_free (self->texts);
  g_string_free (self->raw, TRUE);
  g_string_free (self->tensor, TRUE);
  g_string_free (self->word, TRUE);
}

gboolean
tt_horovod_tensors_check (const TtHorovodTensors *self, GError **error)
{
  return tt_text_ids_check (self->numbers, error) && tt_id_table_check (&self->tensors, error) &&
         tt_id_table_check (&self->words, error) && tt_id_table_check (&self->open, error) &&
         tt_tape_check (self->texts, error);
}

/* -- processes ---------------------------------------------------------------------------------------- */

guint32
tt_horovod_tensors_find (TtHorovodTensors *self, const char *pid)
{
  return tt_text_ids_find (self->numbers, PID, pid, strlen (pid));
}

TtHorovodTensor *
tt_horovod_tensors_at (TtHorovodTensors *self, guint32 number)
{
  return tt_id_table_at (&self->tensors, number);
}

guint32
tt_horovod_tensors_add (TtHorovodTensors *self, const char *pid)
{
  guint64 text = tt_tape_append_text (self->texts, pid, strlen (pid));

  tt_text_ids_add (self->numbers, PID, pid, strlen (pid), ++self->n);
  *tt_horovod_tensors_at (self, self->n) =
      (TtHorovodTensor){ .kind = TT_HOROVOD_TENSOR, .raw = text, .tensor = text + 1 };
  return self->n;
}

void
tt_horovod_tensors_name (TtHorovodTensors *self, TtHorovodTensor *tensor, const char *raw)
{
  g_autofree char *name = NULL;
  TtHorovodKind kind = tt_horovod_process (raw, &name);

  tensor->kind = (guint16) kind;
  tensor->was_sync |= kind == TT_HOROVOD_SYNC;
  tensor->raw = tt_tape_append_text (self->texts, raw, strlen (raw));
  tensor->tensor = name == NULL ? 0 : tt_tape_append_text (self->texts, name, strlen (name)) + 1;
}

const char *
tt_horovod_tensors_raw (TtHorovodTensors *self, const TtHorovodTensor *tensor)
{
  return tt_tape_read_text (self->texts, tensor->raw, self->raw);
}

const char *
tt_horovod_tensors_tensor (TtHorovodTensors *self, const TtHorovodTensor *tensor)
{
  return tensor->tensor == 0 ? NULL : tt_tape_read_text (self->texts, tensor->tensor - 1, self->tensor);
}

/* -- words -------------------------------------------------------------------------------------------- */

guint32
tt_horovod_tensors_word (TtHorovodTensors *self, const char *text)
{
  gsize len = strlen (text);
  guint32 word = tt_text_ids_find (self->numbers, WORD, text, len);

  if (word != 0)
    return word;
  word = ++self->n_words;
  tt_text_ids_add (self->numbers, WORD, text, len, word);
  *(guint64 *) tt_id_table_at (&self->words, word) = tt_tape_append_text (self->texts, text, len);
  return word;
}

const char *
tt_horovod_tensors_word_text (TtHorovodTensors *self, guint32 word)
{
  const guint64 *at = tt_id_table_at (&self->words, word);

  return tt_tape_read_text (self->texts, *at, self->word);
}

/* -- what is open ------------------------------------------------------------------------------------- */

void
tt_horovod_tensors_push (TtHorovodTensors *self, TtHorovodTensor *tensor, const TtHorovodBegin *begin)
{
  guint32 number = self->free_open != 0 ? self->free_open : ++self->n_open;
  TtHorovodBegin *open = tt_id_table_at (&self->open, number);

  if (number == self->free_open)
    self->free_open = open->before;
  *open = *begin;
  open->before = tensor->last_open;
  open->next_ns = TT_NO_TIME;
  if (tensor->n_open > 0)
    {
      TtHorovodBegin *below = tt_id_table_at (&self->open, tensor->last_open);
      if (below->next_ns == TT_NO_TIME)
        below->next_ns = begin->ts_ns;
    }
  tensor->last_open = number;
  tensor->n_open++;
}

TtHorovodBegin
tt_horovod_tensors_pop (TtHorovodTensors *self, TtHorovodTensor *tensor)
{
  guint32 number = tensor->last_open;
  TtHorovodBegin *open = tt_id_table_at (&self->open, number);
  const TtHorovodBegin begin = *open;

  tensor->last_open = begin.before;
  tensor->n_open--;
  open->before = self->free_open;
  self->free_open = number;
  return begin;
}
