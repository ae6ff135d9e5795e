#include "config.h"

#include "formats/pi/handles.h"

#include "formats/pi/print/value.h"

#include <string.h>

#define MOST_TYPES 64
#define MOST_OBJECTS (1u << 20)
#define MOST_PENDING (1u << 16)
#define HANDLE_BYTES 8
#define N_RECENT 256u
#define FUNCTION_NAME 0x1190 /* kernel_info */

typedef struct
{
  TtPiHandle handle; /* must be first */
  guint64 value;
  guint64 n_references;
  guint type;
} Object;

/* Created, its handle not seen yet. */
typedef struct
{
  guint64 number, created_by;
  char *label;
} Pending;

typedef struct
{
  const char *name;
  guint64 n_numbered;
  GQueue pending;
  gboolean stays; /* is not counted by those who retain and release it */
} Type;

typedef enum
{
  USE_UNKNOWN,
  USE_PLAIN,
  USE_RETAIN,
  USE_RELEASE,
  USE_MAKES_KERNEL,
  USE_ASKS_KERNEL,
} Use;

/* Types of a function's parameters, as find_type() has them. */
typedef struct
{
  const TtPiFunction *function; /* which of its signatures */
  guint8 types[];
} Signature;

struct _TtPiHandles
{
  Type types[MOST_TYPES];
  guint n_types;
  GHashTable *objects;                  /* Object by itself: type and value */
  Object *recent[N_RECENT];             /* by their hashes; NULL: none */
  Object *args[TT_PI_MAX_PARAMS];       /* of the call at hand; NULL: none */
  TtPiHandle created[TT_PI_MAX_PARAMS]; /* of it, where the handle is not known */
  gboolean is_created[TT_PI_MAX_PARAMS];
  guint n_args;
  GPtrArray *touched;     /* Objects that the call at hand uses */
  GPtrArray *forgotten;   /* of these those it has released */
  guint8 *uses;           /* Use by index of the function */
  Signature **signatures; /* by index of the function; NULL: not called yet */
  guint64 ordinal;
};

static guint
hash_of (guint type, guint64 value)
{
  guint64 mixed = (value + type) * 0x9e3779b97f4a7c15u;

  return (guint) (mixed >> 32);
}

static guint
hash_object (gconstpointer data)
{
  const Object *object = data;

  return hash_of (object->type, object->value);
}

static gboolean
equal_objects (gconstpointer a, gconstpointer b)
{
  const Object *x = a, *y = b;

  return x->value == y->value && x->type == y->type;
}

static void
object_free (gpointer data)
{
  Object *object = data;

  g_free (object->handle.label);
  g_free (object);
}

static void
pending_free (gpointer data)
{
  Pending *pending = data;

  g_free (pending->label);
  g_free (pending);
}

/* -- types ------------------------------------------------------------------------------------------- */

/* The tables' texts are mostly one text at one place. MOST_TYPES: not a type. */
static guint
find_type (const TtPiHandles *self, const char *name)
{
  for (guint i = 0; i < self->n_types; i++)
    if (self->types[i].name == name)
      return i;
  for (guint i = 0; i < self->n_types; i++)
    if (g_str_equal (self->types[i].name, name))
      return i;
  return MOST_TYPES;
}

static void
add_types (TtPiHandles *self)
{
  static const char *const staying[] = { "platform", "device", "adapter", NULL };

  for (guint i = 0; i < tt_pi_n_functions; i++)
    for (guint p = 0; p < tt_pi_functions[i].n_params && self->n_types < MOST_TYPES; p++)
      {
        const TtPiParam *param = &tt_pi_functions[i].params[p];

        if (param->kind != TT_PI_KIND_HANDLE || find_type (self, param->type) != MOST_TYPES)
          continue;
        Type *type = &self->types[self->n_types++];
        type->name = param->type;
        type->stays = g_strv_contains (staying, param->type);
        g_queue_init (&type->pending);
      }
}

TtPiHandles *
tt_pi_handles_new (void)
{
  TtPiHandles *self = g_new0 (TtPiHandles, 1);

  add_types (self);
  self->objects = g_hash_table_new_full (hash_object, equal_objects, object_free, NULL);
  self->touched = g_ptr_array_new ();
  self->forgotten = g_ptr_array_new ();
  self->uses = g_new0 (guint8, tt_pi_n_functions);
  self->signatures = g_new0 (Signature *, tt_pi_n_functions);
  return self;
}

static void
remove_object (TtPiHandles *self, Object *object)
{
  Object **recent = &self->recent[hash_object (object) % N_RECENT];

  if (*recent == object)
    *recent = NULL;
  g_hash_table_remove (self->objects, object);
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
      Object *object = self->touched->pdata[i];

      object->handle.touched_by = self->ordinal;
      object->handle.is_new = object->handle.is_first = FALSE;
    }
  g_ptr_array_set_size (self->touched, 0);
  for (guint i = 0; i < self->forgotten->len; i++)
    remove_object (self, self->forgotten->pdata[i]);
  g_ptr_array_set_size (self->forgotten, 0);
}

void
tt_pi_handles_free (TtPiHandles *self)
{
  if (self == NULL)
    return;
  clear_call (self);
  for (guint i = 0; i < self->n_types; i++)
    g_queue_clear_full (&self->types[i].pending, pending_free);
  g_hash_table_unref (self->objects);
  g_ptr_array_unref (self->touched);
  g_ptr_array_unref (self->forgotten);
  for (guint i = 0; i < tt_pi_n_functions; i++)
    g_free (self->signatures[i]);
  g_free (self->signatures);
  g_free (self->uses);
  g_free (self);
}

/* -- objects ------------------------------------------------------------------------------------------- */

/* Number @number of the objects of @type. */
static guint64
id_of (guint type, guint64 number)
{
  return number * MOST_TYPES + type;
}

static Object *
look_up (const TtPiHandles *self, guint type, guint64 value)
{
  const Object key = { .type = type, .value = value };

  return g_hash_table_lookup (self->objects, &key);
}

/* The same for the calls of a run, which use the same few objects again and again. */
static Object *
find_object (TtPiHandles *self, guint type, guint64 value)
{
  Object **recent = &self->recent[hash_of (type, value) % N_RECENT];

  if (G_LIKELY (*recent != NULL && (*recent)->value == value && (*recent)->type == type))
    return *recent;
  Object *object = look_up (self, type, value);
  if (object != NULL)
    *recent = object;
  return object;
}

static void
touch (TtPiHandles *self, Object *object)
{
  if (!g_ptr_array_find (self->touched, object, NULL))
    g_ptr_array_add (self->touched, object);
}

static Object *
add_object (TtPiHandles *self, guint type, guint64 value)
{
  if (g_hash_table_size (self->objects) >= MOST_OBJECTS)
    return NULL;

  Object *object = g_new0 (Object, 1);
  object->type = type;
  object->value = value;
  object->n_references = 1;
  object->handle.type = self->types[type].name;
  object->handle.created_by = object->handle.touched_by = TT_PI_NO_CALL;
  g_hash_table_add (self->objects, object);
  touch (self, object);
  return object;
}

static void
number_object (TtPiHandles *self, Object *object)
{
  object->handle.number = ++self->types[object->type].n_numbered;
  object->handle.id = id_of (object->type, object->handle.number);
}

/* The object that a call uses under this handle. */
static Object *
use_object (TtPiHandles *self, guint type, guint64 value)
{
  Object *object = value == 0 ? NULL : find_object (self, type, value);

  if (object != NULL)
    {
      touch (self, object);
      if (G_UNLIKELY (object->handle.touched_by == object->handle.created_by) && !object->handle.is_new &&
          object->handle.created_by != TT_PI_NO_CALL)
        object->handle.is_first = TRUE;
      return object;
    }
  if (value == 0 || (object = add_object (self, type, value)) == NULL)
    return NULL;

  Pending *pending = g_queue_pop_head (&self->types[type].pending);
  object->handle.is_first = TRUE;
  if (pending == NULL)
    {
      number_object (self, object);
      return object;
    }
  object->handle.number = pending->number;
  object->handle.id = id_of (type, pending->number);
  object->handle.created_by = pending->created_by;
  object->handle.label = g_steal_pointer (&pending->label);
  object->handle.is_inferred = TRUE;
  pending_free (pending);
  return object;
}

/* A recorded handle of what the call creates: whatever had it before is gone. */
static Object *
create_object (TtPiHandles *self, guint type, guint64 value)
{
  Object *old = find_object (self, type, value);

  if (old != NULL && self->types[type].stays)
    {
      touch (self, old);
      return old;
    }
  if (old != NULL)
    {
      g_ptr_array_remove (self->touched, old);
      g_ptr_array_remove (self->forgotten, old);
      for (guint i = 0; i < self->n_args; i++)
        if (self->args[i] == old)
          self->args[i] = NULL;
      remove_object (self, old);
    }

  Object *object = add_object (self, type, value);
  if (object != NULL)
    {
      number_object (self, object);
      object->handle.created_by = self->ordinal;
      object->handle.is_new = TRUE;
    }
  return object;
}

static void
create_pending (TtPiHandles *self, guint type, guint index)
{
  GQueue *queue = &self->types[type].pending;
  Pending *pending = g_new0 (Pending, 1);
  TtPiHandle *created = &self->created[index];

  pending->number = ++self->types[type].n_numbered;
  pending->created_by = self->ordinal;
  g_queue_push_tail (queue, pending);
  if (queue->length > MOST_PENDING)
    pending_free (g_queue_pop_head (queue));

  memset (created, 0, sizeof *created);
  created->type = self->types[type].name;
  created->number = pending->number;
  created->id = id_of (type, pending->number);
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

      *use = g_str_has_suffix (name, "Retain")       ? USE_RETAIN
             : g_str_has_suffix (name, "Release")    ? USE_RELEASE
             : g_str_equal (name, "piKernelGetInfo") ? USE_ASKS_KERNEL
             : strstr (name, "KernelCreate") != NULL ? USE_MAKES_KERNEL
                                                     : USE_PLAIN;
    }
  return (Use) *use;
}

static void
count_reference (TtPiHandles *self, const TtPiFunction *function, Object *object)
{
  Use use = use_of (self, function);

  if (self->types[object->type].stays)
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
      if (is_output && find_object (self, type, value) == NULL)
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
    (*signature)->types[i] = (guint8) find_type (self, function->params[i].type);
  return (*signature)->types;
}

static void
use_argument (TtPiHandles *self, const TtPiCall *call, guint type, guint index)
{
  const TtPiParam *param = &call->function->params[index];
  const TtPiArg *arg = &call->args[index];

  if (type == MOST_TYPES)
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

  if ((!is_one && param->role != TT_PI_ROLE_OUT_ARRAY) || arg->value == 0 || type == MOST_TYPES)
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
          Pending *pending = g_queue_peek_tail (&self->types[find_type (self, "kernel")].pending);

          set_label (&self->created[i].label, text->text, text->text_len);
          set_label (&pending->label, text->text, text->text_len);
        }
      else if (self->args[i] != NULL && self->args[i]->handle.is_new)
        set_label (&self->args[i]->handle.label, text->text, text->text_len);
    }
}

/* A kernel tells its name when it is asked for it. */
static void
label_asked (TtPiHandles *self, const TtPiCall *call)
{
  TtPiBytes name;

  if (self->n_args < 4 || self->args[0] == NULL || call->args[1].value != FUNCTION_NAME ||
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
  return index < self->touched->len ? &((const Object *) self->touched->pdata[index])->handle : NULL;
}

const TtPiHandle *
tt_pi_handles_find (const TtPiHandles *self, const char *type, guint64 value)
{
  guint index = find_type (self, type);
  const Object *object = index == MOST_TYPES ? NULL : look_up (self, index, value);

  return object == NULL ? NULL : &object->handle;
}

gboolean
tt_pi_handles_is_type (const TtPiHandles *self, const char *type)
{
  return find_type (self, type) != MOST_TYPES;
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
