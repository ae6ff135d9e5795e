/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/handles.h"

#include "formats/pi/objects.h"
#include "formats/pi/outputs.h"

#include <string.h>

#define HANDLE_BYTES 8
#define FUNCTION_NAME 0x1190 /* kernel_info */
#define UR_FUNCTION_NAME 0u

typedef enum
{
  USE_PLAIN,
  USE_RETAIN,
  USE_RELEASE,
  USE_MAKES_KERNEL,
  USE_ASKS_KERNEL,
} Use;

/* A parameter that is a handle, or has some. */
typedef struct
{
  guint8 index, type; /* as tt_pi_objects_find_type() returns it */
  gboolean is_many;
} Place;

/* What the calls of a function do to objects: those that they use, and after these those that they create. */
typedef struct
{
  const TtPiFunction *function; /* which of its signatures */
  Use use;
  guint n_used, n_places;
  Place places[];
} Signature;

struct _TtPiHandles
{
  TtPiObjects objects;
  TtPiObject *args[TT_PI_MAX_PARAMS];   /* of the call at hand; NULL: none */
  TtPiHandle created[TT_PI_MAX_PARAMS]; /* of it, where the handle is not known */
  gboolean is_created[TT_PI_MAX_PARAMS];
  gboolean has_created, has_first; /* one at least; a handle that is_first */
  guint n_args;
  GPtrArray *touched;     /* Objects that the call at hand uses */
  GPtrArray *forgotten;   /* of these those it has released */
  Signature **signatures; /* by index of the function; NULL: not called yet */
  guint64 ordinal, n_calls;
};

TtPiHandles *
tt_pi_handles_new (void)
{
  TtPiHandles *self = g_new0 (TtPiHandles, 1);

  tt_pi_objects_init (&self->objects);
  self->touched = g_ptr_array_new ();
  self->forgotten = g_ptr_array_new ();
  self->signatures = g_new0 (Signature *, tt_pi_n_functions);
  return self;
}

static void
clear_created (TtPiHandles *self)
{
  for (guint i = 0; i < self->n_args; i++)
    {
      if (self->is_created[i])
        g_free (self->created[i].label);
      self->is_created[i] = FALSE;
    }
  self->has_created = FALSE;
}

static void
clear_call (TtPiHandles *self)
{
  memset (self->args, 0, self->n_args * sizeof *self->args);
  if (self->has_created)
    clear_created (self);
  for (guint i = 0; i < self->touched->len; i++)
    {
      TtPiObject *object = self->touched->pdata[i];

      object->handle.touched_by = self->ordinal;
      object->handle.is_new = object->handle.is_first = FALSE;
    }
  self->touched->len = 0;
  for (guint i = 0; i < self->forgotten->len; i++)
    tt_pi_objects_remove (&self->objects, self->forgotten->pdata[i]);
  self->forgotten->len = 0;
  self->has_first = FALSE;
}

void
tt_pi_handles_free (TtPiHandles *self)
{
  if (self == NULL)
    return;
  clear_call (self);
  tt_pi_objects_clear (&self->objects);
  g_ptr_array_unref (self->touched);
  g_ptr_array_unref (self->forgotten);
  for (guint i = 0; i < tt_pi_n_functions; i++)
    g_free (self->signatures[i]);
  g_free (self->signatures);
  g_free (self);
}

/* -- objects ------------------------------------------------------------------------------------------- */

static inline void
touch_object (TtPiHandles *self, TtPiObject *object)
{
  if (object->touched_in == self->n_calls)
    return;
  object->touched_in = self->n_calls;
  g_ptr_array_add (self->touched, object);
}

static TtPiObject *
add_object (TtPiHandles *self, guint type, guint64 value)
{
  TtPiObject *object = tt_pi_objects_add (&self->objects, type, value);

  if (object != NULL)
    touch_object (self, object);
  return object;
}

/* The object that a call uses under this handle. */
static TtPiObject *
use_object (TtPiHandles *self, guint type, guint64 value)
{
  TtPiObject *object = value == 0 ? NULL : tt_pi_objects_find (&self->objects, type, value);

  if (object != NULL)
    {
      touch_object (self, object);
      if (G_UNLIKELY (object->handle.touched_by == object->handle.created_by) && !object->handle.is_new &&
          object->handle.created_by != TT_PI_NO_CALL)
        object->handle.is_first = self->has_first = TRUE;
      return object;
    }
  if (value == 0 || (object = add_object (self, type, value)) == NULL)
    return NULL;

  object->handle.is_first = self->has_first = TRUE;
  if (!tt_pi_objects_take_pending (&self->objects, object))
    tt_pi_objects_number (&self->objects, object);
  return object;
}

/* A recorded handle of what the call creates: the object that had it before is gone. */
static TtPiObject *
create_object (TtPiHandles *self, guint type, guint64 value)
{
  TtPiObject *old = tt_pi_objects_find (&self->objects, type, value);

  if (old != NULL && self->objects.types[type].stays)
    {
      touch_object (self, old);
      return old;
    }
  if (old != NULL)
    {
      g_ptr_array_remove (self->touched, old);
      g_ptr_array_remove (self->forgotten, old);
      for (guint i = 0; i < self->n_args; i++)
        if (self->args[i] == old)
          self->args[i] = NULL;
      tt_pi_objects_remove (&self->objects, old);
    }

  TtPiObject *object = add_object (self, type, value);
  if (object != NULL)
    {
      tt_pi_objects_number (&self->objects, object);
      object->handle.created_by = self->ordinal;
      object->handle.is_new = TRUE;
    }
  return object;
}

static void
create_pending (TtPiHandles *self, guint type, guint index)
{
  TtPiHandle *created = &self->created[index];
  const TtPiPending *pending = tt_pi_objects_add_pending (&self->objects, type, self->ordinal);

  memset (created, 0, sizeof *created);
  created->type = self->objects.types[type].name;
  created->number = pending->number;
  created->id = tt_pi_object_id (type, pending->number);
  created->created_by = self->ordinal;
  created->touched_by = TT_PI_NO_CALL;
  created->is_new = created->is_inferred = TRUE;
  self->is_created[index] = self->has_created = TRUE;
}

/* -- calls ---------------------------------------------------------------------------------------------- */

static guint64
read_handle (const guint8 *bytes)
{
  guint64 value;

  memcpy (&value, bytes, sizeof value);
  return GUINT64_FROM_LE (value);
}

static Use
find_use (const char *name)
{
  return g_str_has_suffix (name, "Retain")                                                ? USE_RETAIN
         : g_str_has_suffix (name, "Release")                                             ? USE_RELEASE
         : g_str_equal (name, "piKernelGetInfo") || g_str_equal (name, "urKernelGetInfo") ? USE_ASKS_KERNEL
         : strstr (name, "KernelCreate") != NULL                                          ? USE_MAKES_KERNEL
                                                                                          : USE_PLAIN;
}

/* Whether a call uses the objects of that parameter. */
static gboolean
is_used (const TtPiParam *param, gboolean *is_many)
{
  *is_many = param->kind != TT_PI_KIND_HANDLE;
  return !*is_many || param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_IN_VALUE;
}

static gboolean
is_created (const TtPiParam *param, gboolean *is_many)
{
  *is_many = param->role == TT_PI_ROLE_OUT_ARRAY;
  return *is_many || param->role == TT_PI_ROLE_OUT_HANDLE || param->role == TT_PI_ROLE_OUT_EVENT;
}

static void
add_places (const TtPiHandles *self,
            Signature *signature,
            gboolean (*belongs) (const TtPiParam *param, gboolean *is_many))
{
  const TtPiFunction *function = signature->function;

  for (guint i = 0; i < function->n_params; i++)
    {
      const guint type = tt_pi_objects_find_type (&self->objects, function->params[i].type);
      Place place = { .index = (guint8) i, .type = (guint8) type };

      if (type != TT_PI_MAX_TYPES && belongs (&function->params[i], &place.is_many))
        signature->places[signature->n_places++] = place;
    }
}

static const Signature *
signature_of (TtPiHandles *self, const TtPiFunction *function)
{
  Signature **signature = &self->signatures[function->index];

  if (G_LIKELY (*signature != NULL && (*signature)->function == function))
    return *signature;
  g_free (*signature);
  *signature = g_malloc0 (sizeof **signature + 2 * function->n_params * sizeof (Place));
  (*signature)->function = function;
  (*signature)->use = find_use (function->name);
  add_places (self, *signature, is_used);
  (*signature)->n_used = (*signature)->n_places;
  add_places (self, *signature, is_created);
  return *signature;
}

static void
count_reference (TtPiHandles *self, Use use, TtPiObject *object)
{
  if (self->objects.types[object->type].stays)
    return;
  if (use == USE_RETAIN)
    object->n_references++;
  else if (use == USE_RELEASE && object->n_references > 0 && --object->n_references == 0)
    g_ptr_array_add (self->forgotten, object);
}

/* Handles in an array that was recorded. */
static void
use_array (TtPiHandles *self, guint type, const TtPiBytes *bytes, gboolean is_output)
{
  for (gsize at = 0; bytes->bytes != NULL && at + HANDLE_BYTES <= bytes->len; at += HANDLE_BYTES)
    {
      guint64 value = read_handle (bytes->bytes + at);

      if (value == 0)
        continue;
      if (is_output && tt_pi_objects_find (&self->objects, type, value) == NULL)
        create_object (self, type, value);
      else
        use_object (self, type, value);
    }
}

static inline void
use_argument (TtPiHandles *self, const TtPiArg *arg, const Place *place)
{
  if (place->is_many)
    use_array (self, place->type, &arg->before, FALSE);
  else
    self->args[place->index] = use_object (self, place->type, arg->value);
}

static void
create_by_argument (TtPiHandles *self, const TtPiArg *arg, const Place *place)
{
  if (arg->value == 0)
    return;
  if (place->is_many)
    use_array (self, place->type, &arg->after, TRUE);
  else if (arg->after.bytes == NULL)
    create_pending (self, place->type, place->index);
  else if (arg->after.len >= HANDLE_BYTES && read_handle (arg->after.bytes) != 0)
    self->args[place->index] = create_object (self, place->type, read_handle (arg->after.bytes));
}

/* -- labels ----------------------------------------------------------------------------------------------- */

static void
set_label (char **label, const char *bytes, gsize len)
{
  g_free (*label);
  *label = g_utf8_make_valid (bytes, (gssize) strnlen (bytes, len));
}

/* The name of a kernel that the call creates. */
static void
label_created (TtPiHandles *self, const TtPiCall *call)
{
  const TtPiArg *text = NULL;

  for (guint i = 0; i < self->n_args; i++)
    if (call->function->params[i].kind == TT_PI_KIND_STRING && call->args[i].text != NULL)
      text = &call->args[i];
  for (guint i = 0; i < self->n_args && text != NULL; i++)
    {
      if (!g_str_equal (call->function->params[i].type, "kernel"))
        continue;
      if (self->is_created[i])
        {
          guint type = tt_pi_objects_find_type (&self->objects, "kernel");
          TtPiPending *pending = tt_pi_objects_last_pending (&self->objects, type);

          set_label (&self->created[i].label, text->text, text->text_len);
          set_label (&pending->label, text->text, text->text_len);
        }
      else if (self->args[i] != NULL && self->args[i]->handle.is_new)
        set_label (&self->args[i]->handle.label, text->text, text->text_len);
    }
}

/* The answer to piKernelGetInfo has the kernel's name. */
static void
label_asked (TtPiHandles *self, const TtPiCall *call)
{
  TtPiBytes name;

  if (self->n_args < 4 || self->args[0] == NULL ||
      call->args[1].value != (call->function->api == TT_PI_API_UR ? UR_FUNCTION_NAME : FUNCTION_NAME) ||
      !tt_pi_output_find (call, 3, &name) || name.len == 0)
    return;
  set_label (&self->args[0]->handle.label, (const char *) name.bytes, name.len);
}

void
tt_pi_handles_call (TtPiHandles *self, const TtPiCall *call, guint64 ordinal)
{
  clear_call (self);
  self->ordinal = ordinal;
  self->n_calls++;
  self->n_args = 0;
  if (call->function == NULL || call->function->params == NULL)
    return;

  const Signature *signature = signature_of (self, call->function);
  guint i = 0;
  self->n_args = MIN (call->n_args, call->function->n_params);
  for (; i < signature->n_used; i++)
    {
      const Place *place = &signature->places[i];

      if (place->index < self->n_args)
        use_argument (self, &call->args[place->index], place);
      if (place->index == 0 && self->n_args > 0 && self->args[0] != NULL && call->result == 0)
        count_reference (self, signature->use, self->args[0]);
    }
  if (call->result != 0 || (call->flags & TT_PI_CALL_IN_PROGRESS))
    return;
  for (; i < signature->n_places; i++)
    if (signature->places[i].index < self->n_args)
      create_by_argument (self, &call->args[signature->places[i].index], &signature->places[i]);
  if (signature->use == USE_ASKS_KERNEL)
    label_asked (self, call);
  else if (signature->use == USE_MAKES_KERNEL)
    label_created (self, call);
}

gboolean
tt_pi_handles_has_first (const TtPiHandles *self)
{
  return self->has_first;
}

const TtPiHandle *
tt_pi_handles_arg (const TtPiHandles *self, guint index)
{
  if (index >= self->n_args)
    return NULL;
  if (self->is_created[index])
    return &self->created[index];
  return self->args[index] == NULL ? NULL : &self->args[index]->handle;
}

const TtPiHandle *
tt_pi_handles_used (const TtPiHandles *self, guint index)
{
  return index < self->touched->len ? &((const TtPiObject *) self->touched->pdata[index])->handle : NULL;
}

const TtPiHandle *
tt_pi_handles_find (const TtPiHandles *self, const char *type, guint64 value)
{
  guint index = tt_pi_objects_find_type (&self->objects, type);
  const TtPiObject *object = index == TT_PI_MAX_TYPES ? NULL : tt_pi_objects_look_up (&self->objects, index, value);

  return object == NULL ? NULL : &object->handle;
}

gboolean
tt_pi_handles_is_type (const TtPiHandles *self, const char *type)
{
  return tt_pi_objects_find_type (&self->objects, type) != TT_PI_MAX_TYPES;
}

const char *
tt_pi_kernel_short_name (const char *name)
{
  gsize len = strlen (name);

  if (!g_str_has_prefix (name, "_Z"))
    return name;
  for (gsize i = 2; i < len; i++)
    {
      char *end;

      if (!g_ascii_isdigit (name[i]) || name[i] == '0')
        continue;
      guint64 size = g_ascii_strtoull (name + i, &end, 10);
      if (size == strlen (end) && (g_ascii_isalpha (*end) || *end == '_'))
        return end;
    }
  return name;
}
