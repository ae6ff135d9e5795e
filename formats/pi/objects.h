/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtPiObjects: the live objects of a run by type and handle, and those created whose handle was not recorded; what
 * TtPiHandles stands on. It knows nothing of calls.
 *
 * An object belongs to the table until tt_pi_objects_remove().
 */
#pragma once

#include "formats/pi/handles.h"

#define TT_PI_MAX_TYPES 64
#define TT_PI_N_RECENT 256u

typedef struct
{
  TtPiHandle handle; /* must be first */
  guint64 value;
  guint64 n_references;
  guint64 touched_in; /* the number of the last call that used it, as TtPiHandles counts them; 0: none */
  guint type;
} TtPiObject;

/* Created, its handle not seen yet. */
typedef struct
{
  guint64 number, created_by;
  char *label;
} TtPiPending;

typedef struct
{
  const char *name;
  guint64 n_numbered;
  TtPiPending *pending;                         /* a ring, the oldest at first_pending */
  guint first_pending, n_pending, pending_room; /* a power of two, or 0 */
  gboolean stays;                               /* retaining and releasing it does not count */
} TtPiObjectType;

typedef struct
{
  TtPiObjectType types[TT_PI_MAX_TYPES];
  guint n_types;
  GHashTable *all;                    /* TtPiObject by itself: type and value */
  TtPiObject *recent[TT_PI_N_RECENT]; /* by their hashes; NULL: none */
} TtPiObjects;

void tt_pi_objects_init (TtPiObjects *self);
void tt_pi_objects_clear (TtPiObjects *self);

/* TT_PI_MAX_TYPES: not a type. */
guint tt_pi_objects_find_type (const TtPiObjects *self, const char *name);
/* Id of number @number of the objects of @type among those of all types. */
guint64 tt_pi_object_id (guint type, guint64 number);

TtPiObject *tt_pi_objects_look_up (const TtPiObjects *self, guint type, guint64 value);
/* A new one, without a number; NULL: there are too many. */
TtPiObject *tt_pi_objects_add (TtPiObjects *self, guint type, guint64 value);
void tt_pi_objects_remove (TtPiObjects *self, TtPiObject *object);
void tt_pi_objects_number (TtPiObjects *self, TtPiObject *object);

/* Numbers an object of which the handle is not known. It is valid until the next one is added. */
TtPiPending *tt_pi_objects_add_pending (TtPiObjects *self, guint type, guint64 created_by);
/* The one added last, which is still pending. */
TtPiPending *tt_pi_objects_last_pending (TtPiObjects *self, guint type);
/* Makes @object the oldest pending one of its type; FALSE: there is none. */
gboolean tt_pi_objects_take_pending (TtPiObjects *self, TtPiObject *object);

static inline guint
tt_pi_object_hash (guint type, guint64 value)
{
  guint64 mixed = (value + type) * 0x9e3779b97f4a7c15u;

  return (guint) (mixed >> 32);
}

/* tt_pi_objects_look_up() with the recent objects first: the calls of a run use the same few again and again. */
static inline TtPiObject *
tt_pi_objects_find (TtPiObjects *self, guint type, guint64 value)
{
  TtPiObject **recent = &self->recent[tt_pi_object_hash (type, value) % TT_PI_N_RECENT];

  if (G_LIKELY (*recent != NULL && (*recent)->value == value && (*recent)->type == type))
    return *recent;
  TtPiObject *object = tt_pi_objects_look_up (self, type, value);
  if (object != NULL)
    *recent = object;
  return object;
}
