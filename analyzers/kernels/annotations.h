/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtAnnotations: the work of devices that was launched inside ranges, by the ranges' names.
 *
 * A stack of ranges is a node: a name inside another node. Work counts once for each name on the stack of its launch,
 * however often that is there (inclusive), and once for the innermost (own). Memory: 40 bytes a stack, 60 a name.
 */
#pragma once

#include "src/base/int128.h"
#include <glib.h>

typedef struct
{
  guint64 n_work; /* inclusive */
  tt_int128 device_ns, own_ns;
} TtAnnotationWork;

typedef struct _TtAnnotations TtAnnotations;

/* @n_names: names are less than it. */
TtAnnotations *tt_annotations_new (guint32 n_names);
void tt_annotations_free (TtAnnotations *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtAnnotations, tt_annotations_free)

/* The node of a range of @name inside node @outer (0: of none). */
guint32 tt_annotations_enter (TtAnnotations *self, guint32 outer, guint32 name);
/* Work that was launched inside @node. */
void tt_annotations_add (TtAnnotations *self, guint32 node, gint64 length_ns);
/* What another has found of the work of @name. */
void tt_annotations_add_work (TtAnnotations *self, guint32 name, const TtAnnotationWork *work);
void tt_annotations_finish (TtAnnotations *self);
/* After finish. */
const TtAnnotationWork *tt_annotations_get (const TtAnnotations *self, guint32 name);
