/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/decode/decode.h"

#include "formats/pi/native.h"

#include <string.h>

/* The native recording: native.h. A call is its BEGIN and the END of the same instance, which mostly comes next. */

/* Records looked through for an END; calls hardly ever nest, and never deeply. */
#define MAX_AHEAD 4096u
/* Room after the last record that is looked at: a file grows by 2 MiB. */
#define MAX_ROOM ((guint64) 4 << 20)

typedef struct
{
  char *name;
  guint32 id;
  guint8 n_params, sizes[TT_PI_MAX_PARAMS];
  const TtPiFunction *function; /* NULL: unknown */
  gboolean differs;             /* has other parameters than the table */
  guint32 release;              /* of UR */
} Named;

static void
named_free (gpointer data)
{
  Named *self = data;

  /* A thread names only what it calls: other numbers belong to other threads. */
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self);
}

static void
find_signature (Named *self)
{
  const TtPiFunction *known = tt_pi_function_by_name (self->name);

  self->function = known;
  if (known == NULL || known->params == NULL)
    return;

  const TtPiFunction *found = tt_pi_function_as_recorded (known, self->release, self->sizes, self->n_params);
  self->differs = found == NULL;
  if (found != NULL)
    self->function = found;
}

static TtPiOutcome
add_name (TtPiReader *self, const TtPiNativeName *name, GError **error)
{
  Named *named;

  if (name->index >= 65536 || name->n_params > TT_PI_MAX_PARAMS)
    return tt_pi_reader_fail (self, self->window.offset, error, "a function with %u parameters and the number %u",
                              name->n_params, name->index);
  if (self->names == NULL)
    self->names = g_ptr_array_new_with_free_func (named_free);
  if (name->index >= self->names->len)
    g_ptr_array_set_size (self->names, (int) name->index + 1);
  if (self->names->pdata[name->index] != NULL)
    return TT_PI_OUTCOME_NONE;

  named = g_new0 (Named, 1);
  g_autofree char *text = g_strndup (name->name, name->name_len);
  named->name = g_utf8_make_valid (text, -1);
  named->id = name->id;
  named->n_params = name->n_params;
  memcpy (named->sizes, name->sizes, name->n_params);
  named->release = name->release;
  find_signature (named);
  self->names->pdata[name->index] = named;
  return TT_PI_OUTCOME_NONE;
}

/* What comes after the last record is room that was never used; calls there are damage. */
static TtPiOutcome
check_rest (TtPiReader *self, GError **error)
{
  gsize len = (gsize) MIN (tt_pi_window_left (&self->window), MAX_ROOM);
  const guint8 *bytes = tt_pi_window_need (&self->window, len, error);

  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  return tt_pi_native_goes_on (bytes, len)
             ? tt_pi_reader_fail (self, self->window.offset, error, "its size says 0 bytes, and calls come after it")
             : TT_PI_OUTCOME_END;
}

/* The record at the window. @size 0: no more. */
static TtPiOutcome
read_record (TtPiReader *self, TtPiNativeRecord *record, guint32 *size, GError **error)
{
  TtPiWindow *window = &self->window;
  guint64 left = tt_pi_window_left (window);

  *size = 0;
  if (left < 8)
    return TT_PI_OUTCOME_END;
  const guint8 *bytes = tt_pi_window_need (window, 8, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  *size = tt_pi_native_record_size (bytes, (gsize) MIN (left, 8));
  if (*size == 0)
    return check_rest (self, error);
  if (*size > left || *size > TT_PI_NATIVE_MAX_RECORD || *size < 8)
    return tt_pi_reader_fail (self, window->offset, error, "its size says %u bytes; %" G_GUINT64_FORMAT " are left",
                              *size, left);
  bytes = tt_pi_window_need (window, *size, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  const char *wrong = tt_pi_native_record (bytes, *size, record);
  return wrong != NULL ? tt_pi_reader_fail (self, window->offset, error, "%s", wrong) : TT_PI_OUTCOME_CALL;
}

/* -- arguments -------------------------------------------------------------------------------------- */

static void
set_args (TtPiCall *call, const Named *named, const guint8 *args, gsize len)
{
  gsize at = 0;

  call->n_args = 0;
  call->is_plain = FALSE;
  for (guint i = 0; i < named->n_params && at + named->sizes[i] <= len; i++)
    {
      TtPiArg *arg = &call->args[call->n_args++];
      const TtPiParam *param = named->function != NULL && !named->differs ? &named->function->params[i] : NULL;
      guint8 size = named->sizes[i];
      gboolean is_address = param != NULL && (param->kind == TT_PI_KIND_POINTER || param->kind == TT_PI_KIND_HANDLE ||
                                              param->kind == TT_PI_KIND_STRING || param->kind == TT_PI_KIND_FUNCTION);

      *arg = (TtPiArg){ .tag = is_address ? TT_PI_TAG_POINTER : size == 8 ? TT_PI_TAG_UINT64 : TT_PI_TAG_UINT32 };
      if (size <= 8)
        arg->value = tt_pi_get (args + at, size);
      /* Longer ones go by value: UR's rectangles. */
      else
        arg->before = (TtPiBytes){ .bytes = args + at, .len = size, .size = size };
      at += size;
    }
}

/* They lie in `kept` until the next call. */
static void
add_pointee (TtPiReader *self, const TtPiBytes *bytes)
{
  const TtPiPointee pointee = {
    .address = tt_pi_get (bytes->bytes, 8),
    .bytes = { .bytes = bytes->bytes + 8, .len = bytes->len - 8, .size = bytes->size - 8 },
  };

  if (self->pointees == NULL)
    self->pointees = g_array_new (FALSE, FALSE, sizeof (TtPiPointee));
  g_array_append_val (self->pointees, pointee);
}

static void
set_blocks (TtPiReader *self, TtPiCall *call, TtPiNativeRecord *record, gboolean after)
{
  TtPiNativeBlock block;

  while (tt_pi_native_block (record, &block))
    {
      TtPiArg *arg = block.param < call->n_args ? &call->args[block.param] : NULL;
      TtPiBytes bytes = { .bytes = block.bytes, .len = MIN (block.len, TT_PI_KEPT_OUTPUT), .size = block.size };
      TtPiBytes *place = arg == NULL ? NULL : after ? &arg->after : &arg->before;

      if (arg == NULL)
        continue;
      if (block.kind == TT_PI_BLOCK_POINTEE && block.len >= 8)
        add_pointee (self, &bytes);
      else if (block.kind == TT_PI_BLOCK_TEXT)
        {
          arg->text = (const char *) block.bytes;
          arg->text_len = block.len;
        }
      else if (block.kind == TT_PI_BLOCK_FILE)
        {
          g_string_truncate (self->memory_file, 0);
          g_string_append_len (self->memory_file, (const char *) block.bytes, block.len);
          call->memory_file = self->memory_file->str;
        }
      else if (block.kind == TT_PI_BLOCK_BYTES && place->bytes == NULL)
        *place = bytes;
      /* A second one: the contents at the address that is the first one. */
      else if (block.kind == TT_PI_BLOCK_BYTES && call->n_outputs < TT_PI_MAX_OUTPUTS)
        call->outputs[call->n_outputs++] = bytes;
    }
}

/* -- calls ------------------------------------------------------------------------------------------ */

/* BEGIN and END lie in `kept`, one after the other: the window moves during the search for the END. */
static TtPiOutcome
find_end (TtPiReader *self, guint64 instance, guint32 *size, GError **error)
{
  guint64 after = self->window.offset;
  TtPiNativeRecord record;
  TtPiOutcome outcome = TT_PI_OUTCOME_NONE;
  guint open = 0;

  *size = 0;
  for (guint i = 0; i < MAX_AHEAD; i++)
    {
      guint32 len;
      outcome = read_record (self, &record, &len, error);
      if (outcome == TT_PI_OUTCOME_FAILED)
        return outcome;
      if (outcome == TT_PI_OUTCOME_END)
        break;
      if (record.kind == TT_PI_NATIVE_END && record.instance == instance)
        {
          g_byte_array_append (self->kept, self->window.buffer + self->window.at, len);
          *size = len;
          if (i == 0)
            {
              tt_pi_window_advance (&self->window, len);
              return TT_PI_OUTCOME_CALL;
            }
          break;
        }
      if (!tt_pi_native_may_end (&record, &open))
        break;
      tt_pi_window_advance (&self->window, len);
    }
  return tt_pi_window_seek (&self->window, after, error) ? TT_PI_OUTCOME_CALL : TT_PI_OUTCOME_FAILED;
}

static TtPiOutcome
read_call (TtPiReader *self, const TtPiNativeRecord *begin, guint32 size, TtPiCall *call, GError **error)
{
  const Named *named =
      self->names != NULL && begin->function < self->names->len ? self->names->pdata[begin->function] : NULL;
  guint64 offset = self->window.offset, instance = begin->instance;
  TtPiNativeRecord record;
  guint32 end_size;

  if (named == NULL)
    return tt_pi_reader_fail (self, offset, error, "a call of function %u, which has no name", begin->function);
  if (begin->time_ns > G_MAXINT64)
    return tt_pi_reader_fail (self, offset, error, "its time is beyond the range of times");
  g_byte_array_set_size (self->kept, 0);
  g_byte_array_append (self->kept, self->window.buffer + self->window.at, size);
  tt_pi_window_advance (&self->window, size);
  if (find_end (self, instance, &end_size, error) == TT_PI_OUTCOME_FAILED)
    return TT_PI_OUTCOME_FAILED;

  tt_pi_native_record (self->kept->data, size, &record);
  *call = (TtPiCall){
    .function = named->function,
    .name = named->name,
    .id = named->id,
    .release = named->release,
    .backend = record.backend,
    .instance = instance,
    .start_ns = record.time_ns,
    .end_ns = record.time_ns,
    .offset = offset,
    .record = self->record,
    .flags = end_size == 0 ? TT_PI_CALL_IN_PROGRESS : 0,
  };
  if (named->differs)
    call->flags |= TT_PI_CALL_ARGS_DIFFER;
  set_args (call, named, record.args, record.args_size);
  if (self->pointees != NULL)
    g_array_set_size (self->pointees, 0);
  set_blocks (self, call, &record, FALSE);
  if (self->pointees != NULL && self->pointees->len > 0)
    {
      call->pointees = (const TtPiPointee *) (const void *) self->pointees->data;
      call->n_pointees = self->pointees->len;
    }
  if (end_size == 0)
    return TT_PI_OUTCOME_CALL;

  tt_pi_native_record (self->kept->data + size, end_size, &record);
  if (record.time_ns > G_MAXINT64)
    return tt_pi_reader_fail (self, offset, error, "its time is beyond the range of times");
  call->end_ns = record.time_ns;
  call->result = record.result;
  set_blocks (self, call, &record, TRUE);
  return TT_PI_OUTCOME_CALL;
}

static TtPiOutcome
read_header (TtPiReader *self, GError **error)
{
  gsize len = (gsize) MIN (tt_pi_window_left (&self->window), TT_PI_NATIVE_HEADER);
  TtPiNativeHeader header;

  if (len == 0)
    return TT_PI_OUTCOME_END;
  const guint8 *bytes = tt_pi_window_need (&self->window, len, error);
  if (bytes == NULL)
    return TT_PI_OUTCOME_FAILED;
  /* Killed before anything was written. */
  if (bytes[0] == 0 && len == TT_PI_NATIVE_HEADER)
    return TT_PI_OUTCOME_END;
  const char *wrong = tt_pi_native_header (bytes, len, &header);
  if (wrong != NULL)
    return tt_pi_reader_fail (self, 0, error, "%s", wrong);
  tt_pi_window_advance (&self->window, len);
  return TT_PI_OUTCOME_NONE;
}

TtPiOutcome
tt_pi_decode_native (TtPiReader *self, TtPiCall *call, GError **error)
{
  TtPiNativeRecord record;
  guint32 size;

  if (self->window.offset == 0)
    {
      TtPiOutcome outcome = read_header (self, error);
      if (outcome != TT_PI_OUTCOME_NONE)
        return outcome;
    }
  for (;;)
    {
      TtPiOutcome outcome = read_record (self, &record, &size, error);
      if (outcome != TT_PI_OUTCOME_CALL)
        return outcome;
      if (record.kind == TT_PI_NATIVE_BEGIN)
        return read_call (self, &record, size, call, error);
      if (record.kind == TT_PI_NATIVE_NAME && add_name (self, &record.name, error) == TT_PI_OUTCOME_FAILED)
        return TT_PI_OUTCOME_FAILED;
      if (record.kind == TT_PI_NATIVE_TIMES && self->tells_times && self->trace->times_func != NULL)
        self->trace->times_func (&record.times, self->trace->times_data);
      if (record.kind == TT_PI_NATIVE_LOST)
        tt_pi_reader_warn (self, TT_PI_WARN_LOST, 0, self->window.offset,
                           "%" G_GUINT64_FORMAT " calls that could not be recorded", record.lost);
      tt_pi_window_advance (&self->window, size);
    }
}
