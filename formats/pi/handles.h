/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiHandles: names for the objects of a run: "queue#1", "kernel#2 vector_add".
 *
 * Fed with the calls in order of their start. An object is numbered, from 1 for each type, where it is created, or
 * where its handle is seen first. Most recordings do not have the handle that a call returns (pi.md section 11): there
 * the first unseen handle of a type belongs, by inference, to the oldest create call of that type that has none yet.
 * Native recordings have it, and nothing is inferred. An object that is released as often as it was created and
 * retained is forgotten: the runtime gives its handle to others. Platforms, devices and adapters stay.
 *
 * Memory grows with the objects that live at a time, up to a bound; handles beyond it have no names.
 */
#pragma once

#include "formats/pi/call.h"

#define TT_PI_NO_CALL G_MAXUINT64

typedef struct
{
  const char *type; /* "queue"; static */
  guint64 number;
  guint64 id;           /* of the object among those of all types */
  char *label;          /* of a kernel; UTF-8, may hold control characters; NULL: not known */
  guint64 created_by;   /* which call; TT_PI_NO_CALL: not seen */
  guint64 touched_by;   /* the last call before this one that used it; TT_PI_NO_CALL: none */
  gboolean is_new;      /* this call creates it */
  gboolean is_first;    /* this call is the first that uses it */
  gboolean is_inferred; /* that it is the object of `created_by`; with is_new: that a later handle will be this one */
} TtPiHandle;

typedef struct _TtPiHandles TtPiHandles;

TtPiHandles *tt_pi_handles_new (void);
void tt_pi_handles_free (TtPiHandles *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtPiHandles, tt_pi_handles_free)

/* Reads the next call, which created_by and touched_by will call @ordinal. */
void tt_pi_handles_call (TtPiHandles *self, const TtPiCall *call, guint64 ordinal);
/* Of that call: the object that argument @index is, or creates; NULL: none. Valid until the next call. */
const TtPiHandle *tt_pi_handles_arg (const TtPiHandles *self, guint index);
/* Whether any object of the call has is_first. */
gboolean tt_pi_handles_has_first (const TtPiHandles *self);
/* All that the call uses or creates under a known handle, those in arrays too, each once; NULL: no more. */
const TtPiHandle *tt_pi_handles_used (const TtPiHandles *self, guint index);
/* The live object of this handle, for arrays and values that were recorded; NULL: none. */
const TtPiHandle *tt_pi_handles_find (const TtPiHandles *self, const char *type, guint64 value);
/* Whether objects of this type have handles. */
gboolean tt_pi_handles_is_type (const TtPiHandles *self, const char *type);

/* The readable end of a mangled kernel name, "vector_add" of "_ZTSZ4mainE10vector_add", within @name; @name itself
 * where it has none. */
const char *tt_pi_kernel_short_name (const char *name);
