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
  USE_UNKNOWN,
  USE_PLAIN,
  USE_RETAIN,
  USE_RELEASE,
  USE_MAKES_KERNEL,
  USE_ASKS_KERNEL,
} Use;

/* Types of a function's parameters, as tt_pi_objects_find_type() returns them. */
typedef struct
{
  const TtPiFunction *function; /* which of its signatures */
  guint8 types[];
} Signature;

struct _TtPiHandles
{
  TtPiObjects objects;
  TtPiObject *args[TT_PI_MAX_PARAMS];   /* of the call at hand; NULL: none */
  TtPiHandle created[TT_PI_MAX_PARAMS]; /* of it, where the handle is not known */
  gboolean is_created[TT_PI_MAX_PARAMS];
  guint n_args;
  GPtrArray *touched;     /* Objects that the call at hand uses */
  GPtrArray *forgotten;   /* of these those it has released */
  guint8 *uses;           /* Use by index of the function */
  Signature **signatures; /* by index of the function; NULL: not called yet */
  guint64 ordinal;
};

TtPiHandles *
tt_pi_handles_new (void)
{
  TtPiHandles *self = g_new0 (TtPiHandles, 1);

  tt_pi_objects_init (&self->objects);
  self->touched = g_ptr_array_new ();
  self->forgotten = g_ptr_array_new ();
  self->uses = g_new0 (guint8, tt_pi_n_functions);
  self->signatures = g_new0 (Signature *, tt_pi_n_functions);
  return self;
}

static void
clear_call (TtPiHandles *self)
{
  for (guint i = 0; i < self->n_args; i++)
    {
      self->args[i] = NULL;
      if (self->is_created[i])
        g_free (self->created[i].label);
      self->is_created[i] = FALSE;
    }
  for (guint i = 0; i < self->touched->len; i++)
    {
      TtPiObject *object = self->touched->pdata[i];

      object->handle.touched_by = self->ordinal;
      object->handle.is_new = object->handle.is_first = FALSE;
    }
  g_ptr_array_set_size (self->touched, 0);
  for (guint i = 0; i < self->forgotten->len; i++)
    tt_pi_objects_remove (&self->objects, self->forgotten->pdata[i]);
  g_ptr_array_set_size (self->forgotten, 0);
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
  g_free (self->uses);
  g_free (self);
}

/* -- objects ------------------------------------------------------------------------------------------- */

static void
touch_object (TtPiHandles *self, TtPiObject *object)
{
  if (!g_ptr_array_find (self->touched, object, NULL))
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
        object->handle.is_first = TRUE;
      return object;
    }
  if (value == 0 || (object = add_object (self, type, value)) == NULL)
    return NULL;

  object->handle.is_first = TRUE;
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
  self->is_created[index] = TRUE;
}

/* -- calls ---------------------------------------------------------------------------------------------- */

static guint64
read_handle (const guint8 *bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < HANDLE_BYTES; i++)
    value |= (guint64) bytes[i] << 8 * i;
  return value;
}

static Use
use_of (TtPiHandles *self, const TtPiFunction *function)
{
  guint8 *use = &self->uses[function->index];

  if (*use == USE_UNKNOWN)
    {
      const char *name = function->name;

      *use = g_str_has_suffix (name, "Retain")                                                ? USE_RETAIN
             : g_str_has_suffix (name, "Release")                                             ? USE_RELEASE
             : g_str_equal (name, "piKernelGetInfo") || g_str_equal (name, "urKernelGetInfo") ? USE_ASKS_KERNEL
             : strstr (name, "KernelCreate") != NULL                                          ? USE_MAKES_KERNEL
                                                                                              : USE_PLAIN;
    }
  return (Use) *use;
}

static void
count_reference (TtPiHandles *self, const TtPiFunction *function, TtPiObject *object)
{
  Use use = use_of (self, function);

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

static const guint8 *
types_of (TtPiHandles *self, const TtPiFunction *function)
{
  Signature **signature = &self->signatures[function->index];

  if (G_LIKELY (*signature != NULL && (*signature)->function == function))
    return (*signature)->types;
  g_free (*signature);
  *signature = g_malloc (sizeof **signature + function->n_params);
  (*signature)->function = function;
  for (guint i = 0; i < function->n_params; i++)
    (*signature)->types[i] = (guint8) tt_pi_objects_find_type (&self->objects, function->params[i].type);
  return (*signature)->types;
}

static void
use_argument (TtPiHandles *self, const TtPiCall *call, guint type, guint index)
{
  const TtPiParam *param = &call->function->params[index];
  const TtPiArg *arg = &call->args[index];

  if (type == TT_PI_MAX_TYPES)
    return;
  if (param->kind == TT_PI_KIND_HANDLE)
    {
      self->args[index] = use_object (self, type, arg->value);
      if (index == 0 && self->args[0] != NULL && call->result == 0)
        count_reference (self, call->function, self->args[0]);
    }
  else if (param->role == TT_PI_ROLE_IN_ARRAY || param->role == TT_PI_ROLE_IN_VALUE)
    use_array (self, type, &arg->before, FALSE);
}

static void
create_by_argument (TtPiHandles *self, const TtPiCall *call, guint type, guint index)
{
  const TtPiParam *param = &call->function->params[index];
  const TtPiArg *arg = &call->args[index];
  gboolean is_one = param->role == TT_PI_ROLE_OUT_HANDLE || param->role == TT_PI_ROLE_OUT_EVENT;

  if ((!is_one && param->role != TT_PI_ROLE_OUT_ARRAY) || arg->value == 0 || type == TT_PI_MAX_TYPES)
    return;
  if (!is_one)
    use_array (self, type, &arg->after, TRUE);
  else if (arg->after.bytes == NULL)
    create_pending (self, type, index);
  else if (arg->after.len >= HANDLE_BYTES && read_handle (arg->after.bytes) != 0)
    self->args[index] = create_object (self, type, read_handle (arg->after.bytes));
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
  self->n_args = 0;
  if (call->function == NULL || call->function->params == NULL)
    return;

  const guint8 *types = types_of (self, call->function);
  self->n_args = MIN (call->n_args, call->function->n_params);
  for (guint i = 0; i < self->n_args; i++)
    use_argument (self, call, types[i], i);
  if (call->result != 0 || (call->flags & TT_PI_CALL_IN_PROGRESS))
    return;
  for (guint i = 0; i < self->n_args; i++)
    create_by_argument (self, call, types[i], i);
  if (use_of (self, call->function) == USE_ASKS_KERNEL)
    label_asked (self, call);
  else if (use_of (self, call->function) == USE_MAKES_KERNEL)
    label_created (self, call);
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
