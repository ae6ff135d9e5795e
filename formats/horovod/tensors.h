/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtHorovodTensors: what the processes of a Horovod timeline stand for, and what has begun in each and not ended.
 *
 * Beyond some megabytes they lie in temporary files, whose errors are sticky: tt_horovod_tensors_check() reports them.
 */
#pragma once

#include "formats/horovod/names.h"
#include "src/base/id-table.h"
#include "src/base/tape.h"
#include "src/base/text-ids.h"
#include "src/trace/event.h"

typedef struct
{
  guint64 raw;    /* in `texts`: name of the process, or the pid */
  guint64 tensor; /* in `texts` + 1; 0 of Sync */
  guint32 thread; /* the caller's; 0 when new */
  guint32 n_open;
  guint32 last_open; /* in `open` */
  guint16 kind;      /* TtHorovodKind; TT_HOROVOD_TENSOR when new */
  guint16 was_sync;  /* whatever it is called now */
} TtHorovodTensor;

/* What has begun. */
typedef struct
{
  gint64 ts_ns;
  guint64 offset;
  guint32 word;   /* tt_horovod_tensors_word(), or 0 */
  guint32 before; /* in `open`; 0: none */
  gint64 next_ns; /* when the first one after it began; TT_NO_TIME: none did */
} TtHorovodBegin;

G_STATIC_ASSERT (sizeof (TtHorovodTensor) == 32 && sizeof (TtHorovodBegin) == 32);

typedef struct
{
  TtTextIds *numbers;
  TtIdTable tensors; /* of TtHorovodTensor, from 1 */
  TtIdTable words;   /* guint64 in `texts`, from 1 */
  TtIdTable open;    /* of TtHorovodBegin, from 1 */
  TtTape *texts;
  guint32 n, n_words, n_open, free_open;
  GString *raw, *tensor, *word; /* what was handed out */
} TtHorovodTensors;

void tt_horovod_tensors_init (TtHorovodTensors *self);
void tt_horovod_tensors_clear (TtHorovodTensors *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtHorovodTensors, tt_horovod_tensors_clear)
gboolean tt_horovod_tensors_check (const TtHorovodTensors *self, GError **error);

/* From 1; 0: no such process yet. */
guint32 tt_horovod_tensors_find (TtHorovodTensors *self, const char *pid);
/* Of a process that is not there: a tensor that is called as its pid. */
guint32 tt_horovod_tensors_add (TtHorovodTensors *self, const char *pid);
/* Valid until the next call with another number. */
TtHorovodTensor *tt_horovod_tensors_at (TtHorovodTensors *self, guint32 number);

/* Gives it the name of its process: what kind it is, and which tensor. */
void tt_horovod_tensors_name (TtHorovodTensors *self, TtHorovodTensor *tensor, const char *raw);
/* Each is valid until its next call. */
const char *tt_horovod_tensors_raw (TtHorovodTensors *self, const TtHorovodTensor *tensor);
/* NULL of Sync; of a process that is no tensor too, before somebody sets it. */
const char *tt_horovod_tensors_tensor (TtHorovodTensors *self, const TtHorovodTensor *tensor);

/* The number of a text, from 1, and back; valid until the next call. */
guint32 tt_horovod_tensors_word (TtHorovodTensors *self, const char *text);
const char *tt_horovod_tensors_word_text (TtHorovodTensors *self, guint32 word);

/* The latest begin ends first. That one learns of what is pushed upon it; @begin has nothing after it. */
void tt_horovod_tensors_push (TtHorovodTensors *self, TtHorovodTensor *tensor, const TtHorovodBegin *begin);
TtHorovodBegin tt_horovod_tensors_pop (TtHorovodTensors *self, TtHorovodTensor *tensor);
