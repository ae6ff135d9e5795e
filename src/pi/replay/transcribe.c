/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/replay/transcribe.h"

#include "formats/pi/native.h"
#include "formats/pi/shape.h"
#include "src/base/error.h"

#include <string.h>

#define INVENTED G_GUINT64_CONSTANT (0x7470690000000000)
#define MAX_NEW 64 /* objects from one array */

/* A handle that a call returned. */
typedef struct
{
  guint64 record, value; /* value 0: nobody used it */
  guint param, index;
} Slot;

/* The slots of a thread in the order of its calls: addresses stay, others point to them. */
typedef struct
{
  GPtrArray *slots;
  guint next;
} Lane;

typedef struct
{
  TtPiTrace *trace;
  const char *to;
  Lane *lanes;
  GHashTable *pending;       /* type -> GQueue of Slot */
  GHashTable *seen;          /* "type value" -> references */
  guint64 fixed[2][MAX_NEW]; /* platforms, devices: the first ones, which every question gives again */
  TtPiShapes **shapes;       /* by index of the function */
  guint64 n_invented, n_cut;
} Transcript;

static const TtPiShapes *
shapes_of (Transcript *self, const TtPiFunction *function)
{
  TtPiShapes **shapes = &self->shapes[function->index];

  if (*shapes == NULL)
    {
      *shapes = g_new (TtPiShapes, 1);
      tt_pi_shapes (function, 0, *shapes);
    }
  return *shapes;
}

/* -- which handle is whose -------------------------------------------------------------------------- */

/* Platforms and devices are not made but found, time and again. NULL: other objects. */
static guint64 *
fixed_objects (Transcript *self, const char *type)
{
  return strcmp (type, "platform") == 0 ? self->fixed[0] : strcmp (type, "device") == 0 ? self->fixed[1] : NULL;
}

static void
see_handle (Transcript *self, const TtPiCall *call, const char *type, guint64 value)
{
  g_autofree char *key = g_strdup_printf ("%s %" G_GINT64_MODIFIER "x", type, value);
  GQueue *pending = g_hash_table_lookup (self->pending, type);
  guint references = GPOINTER_TO_UINT (g_hash_table_lookup (self->seen, key));
  guint64 *fixed = fixed_objects (self, type);
  gboolean stays = fixed != NULL;

  if (references == 0)
    {
      Slot *slot = pending != NULL ? g_queue_pop_head (pending) : NULL;
      if (slot != NULL)
        slot->value = value;
      if (slot != NULL && fixed != NULL && fixed[slot->index] == 0)
        fixed[slot->index] = value;
      references = 1;
    }
  if (!stays && g_str_has_suffix (call->name, "Retain"))
    references++;
  else if (!stays && g_str_has_suffix (call->name, "Release") && --references == 0)
    {
      g_hash_table_remove (self->seen, key);
      return;
    }
  g_hash_table_replace (self->seen, g_steal_pointer (&key), GUINT_TO_POINTER (references));
}

static void
add_slots (Transcript *self, guint thread, const TtPiCall *call, guint param, guint n)
{
  const char *type = call->function->params[param].type;
  GQueue *pending = g_hash_table_lookup (self->pending, type);

  if (pending == NULL)
    {
      pending = g_queue_new ();
      g_hash_table_insert (self->pending, (gpointer) type, pending);
    }
  for (guint i = 0; i < n; i++)
    {
      Slot *slot = g_new0 (Slot, 1);
      *slot = (Slot){ .record = call->record, .param = param, .index = i };
      g_ptr_array_add (self->lanes[thread].slots, slot);
      g_queue_push_tail (pending, slot);
    }
}

static guint
n_new (const TtPiCall *call, const TtPiShape *shape)
{
  if (shape->count < 0)
    return 1;
  return (guint) MIN (call->args[shape->count].value, MAX_NEW);
}

static gboolean
guess_handles (Transcript *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (TtPiMerge) merge = tt_pi_merge_new (self->trace, error);
  const TtPiCall *call;
  guint thread;

  if (merge == NULL)
    return FALSE;
  while ((call = tt_pi_merge_next (merge, &thread, &local)) != NULL)
    {
      const TtPiFunction *function = call->function;
      if (function == NULL || function->params == NULL || call->n_args != function->n_params)
        continue;
      const TtPiShapes *shapes = shapes_of (self, function);
      for (guint i = 0; i < call->n_args; i++)
        if (function->params[i].kind == TT_PI_KIND_HANDLE && call->args[i].value != 0)
          see_handle (self, call, function->params[i].type, call->args[i].value);
      for (guint i = 0; i < call->n_args && call->result == 0; i++)
        if ((shapes->params[i].flags & TT_PI_SHAPE_HANDLES) != 0 && (shapes->params[i].flags & TT_PI_SHAPE_OUT) != 0 &&
            call->args[i].value != 0)
          add_slots (self, thread, call, i, n_new (call, &shapes->params[i]));
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* -- writing ---------------------------------------------------------------------------------------- */

typedef struct
{
  Transcript *transcript;
  Lane *lane;
  TtPiNativeWriter writer;
  GHashTable *indices; /* name -> index + 1 */
  guint64 instance;
} Thread;

static guint8 *
put_block (guint8 *at, const TtPiNativeBlock *block, guint16 *n)
{
  at[0] = block->param;
  at[1] = block->kind;
  tt_pi_put32 (at + 4, block->len);
  tt_pi_put64 (at + 8, block->size);
  if (block->len > 0)
    memcpy (at + 16, block->bytes, block->len);
  ++*n;
  return at + 16 + TT_PI_NATIVE_PAD (block->len);
}

/* What parameter @param points to. */
static guint8 *
put_bytes (guint8 *at, guint param, const TtPiBytes *bytes, guint16 *n)
{
  const TtPiNativeBlock block = { (guint8) param, TT_PI_BLOCK_BYTES, (guint32) bytes->len, bytes->size, bytes->bytes };

  return put_block (at, &block, n);
}

static guint64
invent_handle (Transcript *self)
{
  return INVENTED + 16 * ++self->n_invented;
}

static guint8 *
put_handles (Thread *self, const TtPiCall *call, guint param, guint n, guint8 *at, guint16 *n_blocks)
{
  const guint64 *fixed = fixed_objects (self->transcript, call->function->params[param].type);
  guint8 bytes[8 * MAX_NEW];

  for (guint i = 0; i < n; i++)
    {
      const Slot *slot = self->lane->next < self->lane->slots->len ? self->lane->slots->pdata[self->lane->next] : NULL;
      gboolean fits = slot != NULL && slot->record == call->record && slot->param == param;
      guint64 value = fits && slot->value != 0 ? slot->value : fixed != NULL ? fixed[i] : 0;
      tt_pi_put64 (bytes + 8 * i, value != 0 ? value : invent_handle (self->transcript));
      self->lane->next += fits;
    }
  return put_bytes (at, param, &(TtPiBytes){ bytes, 8 * n, 8 * n }, n_blocks);
}

/* Whether the recorder kept what parameter @param points to as an output of its own. */
static gboolean
is_kept (const TtPiFunction *function, guint param)
{
  static const char *const info[] = { "piPlatformGetInfo", "piDeviceGetInfo",      "piContextGetInfo",
                                      "piKernelGetInfo",   "piKernelGetGroupInfo", NULL };
  const char *name = function->params[param].name;

  if (g_str_equal (function->name, "piPlatformsGet"))
    return g_str_equal (name, "num_platforms");
  if (g_str_equal (function->name, "piDevicesGet"))
    return g_str_equal (name, "num_devices");
  if (g_str_equal (function->name, "piextDeviceSelectBinary"))
    return g_str_equal (name, "selected_binary_ind");
  return g_strv_contains (info, function->name) && g_str_has_prefix (name, "param_value") &&
         !g_str_equal (name, "param_value_size");
}

static guint8 *
put_memory (Thread *self, const TtPiCall *call, guint param, const TtPiBytes *output, guint8 *at, guint16 *n)
{
  const TtPiShape *shape = &shapes_of (self->transcript, call->function)->params[param];

  if (shape->shape == TT_PI_SHAPE_MAPPED)
    {
      guint8 address[8];
      tt_pi_put64 (address, invent_handle (self->transcript));
      at = put_bytes (at, param, &(TtPiBytes){ address, 8, 8 }, n);
    }
  if (call->memory_file != NULL)
    {
      const TtPiNativeBlock file = {
        .param = (guint8) param,
        .kind = TT_PI_BLOCK_FILE,
        .len = (guint32) strlen (call->memory_file),
        .size = call->args[shape->count].value,
        .bytes = (const guint8 *) call->memory_file,
      };
      return put_block (at, &file, n);
    }
  if (output == NULL)
    return at;
  self->transcript->n_cut += output->len < output->size;
  return put_bytes (at, param, output, n);
}

static guint8 *
put_outputs (Thread *self, const TtPiCall *call, guint8 *at, guint16 *n)
{
  const TtPiFunction *function = call->function;
  const TtPiShapes *shapes = shapes_of (self->transcript, function);
  guint output = 0;

  for (guint i = 0; i < call->n_args; i++)
    {
      const TtPiShape *shape = &shapes->params[i];
      const TtPiBytes *next = output < call->n_outputs ? &call->outputs[output] : NULL;
      if ((shape->flags & TT_PI_SHAPE_OUT) == 0 || (shape->flags & TT_PI_SHAPE_NATIVE) != 0 || call->args[i].value == 0)
        continue;
      if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0)
        {
          at = put_memory (self, call, i, next, at, n);
          output++;
        }
      else if (is_kept (function, i) && next != NULL)
        {
          at = put_bytes (at, i, next, n);
          output++;
        }
      else if ((shape->flags & TT_PI_SHAPE_HANDLES) != 0)
        at = put_handles (self, call, i, n_new (call, shape), at, n);
      else if (shapes->usm_result == (int) i)
        {
          guint8 address[8];
          tt_pi_put64 (address, invent_handle (self->transcript));
          at = put_bytes (at, i, &(TtPiBytes){ address, 8, 8 }, n);
        }
    }
  return at;
}

static guint32
index_of (Thread *self, const TtPiCall *call, gboolean has_args)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->indices, call->name));
  guint8 sizes[TT_PI_MAX_PARAMS];

  if (index > 0)
    return index - 1;
  index = g_hash_table_size (self->indices);
  for (guint i = 0; has_args && i < call->n_args; i++)
    sizes[i] = call->function->params[i].size;

  const TtPiNativeName name = {
    .index = index,
    .id = call->id,
    .api = call->function != NULL ? call->function->api : TT_PI_API_PI,
    .n_params = has_args ? (guint8) call->n_args : 0,
    .sizes = sizes,
    .name = call->name,
    .name_len = (guint16) MIN (strlen (call->name), TT_PI_NATIVE_MAX_NAME),
  };
  tt_pi_native_write_name (&self->writer, &name);
  g_hash_table_insert (self->indices, g_strdup (call->name), GUINT_TO_POINTER (index + 1));
  return index;
}

static void
write_begin (Thread *self, const TtPiCall *call, gboolean has_args)
{
  guint32 index = index_of (self, call, has_args);
  guint8 *record = tt_pi_native_reserve (&self->writer, TT_PI_NATIVE_MAX_RECORD), *at;
  guint16 n = 0;
  gsize size = 0;

  if (record == NULL)
    return;
  tt_pi_put32 (record + 8, index);
  tt_pi_put16 (record + 12, (guint16) call->backend);
  tt_pi_put64 (record + 16, ++self->instance);
  tt_pi_put64 (record + 24, call->start_ns);
  for (guint i = 0; has_args && i < call->n_args; i++)
    for (guint k = 0; k < call->function->params[i].size; k++)
      record[32 + size++] = (guint8) (call->args[i].value >> (8 * k));
  tt_pi_put16 (record + 14, (guint16) size);
  at = record + 32 + TT_PI_NATIVE_PAD (size);
  for (guint i = 0; has_args && i < call->n_args; i++)
    if (call->args[i].text != NULL && call->args[i].text_len < TT_PI_NATIVE_MAX_BLOCKS / 8)
      {
        const TtPiArg *arg = &call->args[i];
        const TtPiNativeBlock text = { (guint8) i, TT_PI_BLOCK_TEXT, (guint32) arg->text_len, arg->text_len,
                                       (const guint8 *) arg->text };
        at = put_block (at, &text, &n);
        /* A text stands in place of the address: any address but NULL will do. */
        if (call->args[i].value == 0)
          record[32 + shapes_of (self->transcript, call->function)->offsets[i]] = 1;
      }
  tt_pi_native_commit (&self->writer, TT_PI_NATIVE_BEGIN, n, (gsize) (at - record));
}

static void
write_end (Thread *self, const TtPiCall *call, gboolean has_args)
{
  guint8 *record = tt_pi_native_reserve (&self->writer, TT_PI_NATIVE_MAX_RECORD), *at;
  guint16 n = 0;

  if (record == NULL)
    return;
  tt_pi_put32 (record + 8, (guint32) call->result);
  tt_pi_put64 (record + 16, self->instance);
  tt_pi_put64 (record + 24, call->end_ns);
  at = record + 32;
  if (has_args && call->result == 0)
    at = put_outputs (self, call, at, &n);
  tt_pi_native_commit (&self->writer, TT_PI_NATIVE_END, n, (gsize) (at - record));
}

static void
write_call (Thread *self, const TtPiCall *call)
{
  gboolean has_args = call->function != NULL && call->function->params != NULL &&
                      call->n_args == call->function->n_params && call->function->packed <= TT_PI_NATIVE_MAX_ARGS;

  write_begin (self, call, has_args);
  if ((call->flags & TT_PI_CALL_IN_PROGRESS) == 0)
    write_end (self, call, has_args);
}

static gboolean
write_thread (Transcript *self, guint number, GError **error)
{
  g_autofree char *name = g_strconcat (tt_pi_trace_thread_name (self->trace, number), TT_PI_NATIVE_SUFFIX, NULL);
  g_autofree char *path = g_build_filename (self->to, name, NULL);
  g_autoptr (GHashTable) indices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (TtPiReader) reader = tt_pi_reader_open (self->trace, number, error);
  g_autoptr (GError) local = NULL;
  Thread thread = { .transcript = self, .lane = &self->lanes[number], .indices = indices };
  const TtPiNativeHeader header = { 0 };
  TtPiCall call;

  if (reader == NULL)
    return FALSE;
  tt_pi_native_open (&thread.writer, path, &header);
  while (thread.writer.error == 0 && tt_pi_reader_next (reader, &call, &local))
    write_call (&thread, &call);
  tt_pi_native_close (&thread.writer, TRUE);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  else if (thread.writer.error != 0)
    g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "cannot write '%s': %s", path, g_strerror (thread.writer.error));
  else
    return TRUE;
  return FALSE;
}

static void
free_queue (gpointer queue)
{
  g_queue_free (queue);
}

gboolean
tt_pi_transcribe (TtPiTrace *trace, const char *to, guint64 *n_cut, GError **error)
{
  guint n = tt_pi_trace_n_threads (trace);
  g_autoptr (GHashTable) pending = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_queue);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Transcript self = {
    .trace = trace,
    .to = to,
    .lanes = g_new0 (Lane, n),
    .pending = pending,
    .seen = seen,
    .shapes = g_new0 (TtPiShapes *, tt_pi_n_functions),
  };

  for (guint i = 0; i < n; i++)
    self.lanes[i].slots = g_ptr_array_new_with_free_func (g_free);
  gboolean ok = guess_handles (&self, error);
  for (guint i = 0; i < n && ok; i++)
    ok = write_thread (&self, i, error);
  for (guint i = 0; i < n; i++)
    g_ptr_array_unref (self.lanes[i].slots);
  for (guint i = 0; i < tt_pi_n_functions; i++)
    g_free (self.shapes[i]);
  g_free (self.shapes);
  g_free (self.lanes);
  *n_cut = self.n_cut;
  return ok;
}
