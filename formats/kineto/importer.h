/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The importer of one file of PyTorch, and what its hook learns with a span. Private to kineto.c, which reads events, and
 * hook.c, which is called for a span once those that contain it are known.
 */
#pragma once

#include "formats/kineto/kineto.h"
#include "formats/kineto/labels.h"
#include "formats/kineto/launches.h"
#include "formats/kineto/names.h"
#include "formats/kineto/roots.h"
#include "formats/kineto/steps.h"
#include "src/base/tape.h"

/*
 * What the hook learns with a span: in `tag` kind and autograd of the event, in `key` the correlation of a call or of
 * work; of a mark and of a collective where its arguments lie on a tape, + 1.
 */
#define TAG_KIND_MASK 15u
#define TAG_AUTOGRAD_SHIFT 4

/* The arguments of a span that says what a call or a stream waits for, and those of a collective. */
typedef struct
{
  guint64 correlation;
  gint64 stream, waits_on; /* -1: not said */
  guint64 waits_for;
  gint64 sequence; /* of the call in its group; -1: not said */
  gint64 root;     /* rank; -1: not said */
  guint32 work;    /* number in roots; 0: none */
} KinetoMark;

typedef struct
{
  TtTraceEventImport *import;
  KinetoNames *names;
  KinetoSteps *steps;
  KinetoLaunches *launches;
  KinetoRoots *roots;
  guint32 link_kind; /* of the flows of autograd */
  TtTape *marks;     /* of KinetoMark */
  gboolean is_late;  /* the rank became known after the events */
  gboolean has_work; /* collectives that a backend does on the host */
  KinetoOrder order;
  KinetoLabels *labels;
} Kineto;

/* A hook of TtArrange: @data is a Kineto. Gives the span its name and step, and what it does with devices to the sink. */
guint32 tt_kineto_hook (TtTraceRecord *span, guint32 parent, guint32 flows, gpointer data);
