/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pi/recorder/write-original.h"

#include "formats/pi/recorder/memory.h"
#include "formats/pi/recorder/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define MAX_OUTPUTS 2

/* Outputs that the original tool keeps (pi.md 5): parameters whose bytes go with the record. */
static const struct
{
  const char *function;
  const char *outputs[MAX_OUTPUTS];
} kept_outputs[] = {
  { "piPlatformsGet", { "num_platforms" } },
  { "piDevicesGet", { "num_devices" } },
  { "piPlatformGetInfo", { "param_value", "param_value_size_ret" } },
  { "piDeviceGetInfo", { "param_value", "param_value_size_ret" } },
  { "piContextGetInfo", { "param_value", "param_value_size_ret" } },
  { "piKernelGetInfo", { "param_value", "param_value_size_ret" } },
  { "piKernelGetGroupInfo", { "param_value", "param_value_size_ret" } },
  { "piextDeviceSelectBinary", { "selected_binary_ind" } },
};

typedef struct
{
  const uint8_t *bytes;
  uint64_t size;
} Output;

typedef struct
{
  Output small[MAX_OUTPUTS];
  unsigned n_small;
  Output memory; /* bytes NULL: none */
  bool has_memory;
  uint8_t selected[8];
} Outputs;

static bool
is_kept (const TtPiFunction *function, const char *param)
{
  for (size_t i = 0; i < sizeof kept_outputs / sizeof kept_outputs[0]; i++)
    for (unsigned k = 0; k < MAX_OUTPUTS && kept_outputs[i].outputs[k] != NULL; k++)
      if (strcmp (kept_outputs[i].function, function->name) == 0 && strcmp (kept_outputs[i].outputs[k], param) == 0)
        return true;
  return false;
}

static void
collect_outputs (const TtRecordCall *call, Outputs *outputs)
{
  const TtPiFunction *function = call->function->function;
  bool waited = false;

  for (unsigned i = 0; function != NULL && i < function->n_params; i++)
    {
      const TtPiShape *shape = &call->function->shapes.params[i];
      Output *output = &outputs->small[outputs->n_small];
      if ((shape->flags & TT_PI_SHAPE_OUT) == 0 || (shape->flags & TT_PI_SHAPE_NATIVE) != 0)
        continue;
      if ((shape->flags & TT_PI_SHAPE_MEMORY) != 0)
        outputs->has_memory = tt_record_wants_memory (call, i, &waited) &&
                              tt_record_extent (call, i, &outputs->memory.bytes, &outputs->memory.size);
      else if (outputs->n_small < MAX_OUTPUTS && is_kept (function, function->params[i].name) &&
               tt_record_extent (call, i, &output->bytes, &output->size))
        {
          if (call->function->is_select)
            {
              memcpy (outputs->selected, output->bytes, 4);
              *output = (Output){ outputs->selected, 8 };
            }
          outputs->n_small++;
        }
    }
}

/* @size bytes of the thread's buffer, which only grows for the few large records. */
static uint8_t *
reserve_scratch (TtRecordThread *thread, size_t size)
{
  if (thread->scratch_size < size)
    {
      uint8_t *larger = realloc (thread->scratch, size + 4096);
      if (larger == NULL)
        return NULL;
      thread->scratch = larger;
      thread->scratch_size = size + 4096;
    }
  return thread->scratch;
}

static void
write_record (TtRecordThread *thread, const void *bytes, size_t len)
{
  int fd = tt_record_thread_fd (thread);

  if (fd < 0 || !tt_record_write_all (fd, bytes, len))
    tt_record_complain ("cannot write", thread->path, errno);
}

/* -- protobuf ------------------------------------------------------------------------------------- */

static uint8_t *
put_varint (uint8_t *at, uint64_t value)
{
  for (; value > 0x7f; value >>= 7)
    *at++ = (uint8_t) (value | 0x80);
  *at++ = (uint8_t) value;
  return at;
}

static uint8_t *
put_member (uint8_t *at, unsigned field, uint64_t value)
{
  return value == 0 ? at : put_varint (put_varint (at, field << 3), value);
}

static uint8_t *
put_text (uint8_t *at, unsigned field, const void *bytes, size_t len)
{
  at = put_varint (put_varint (at, field << 3 | 2), len);
  memcpy (at, bytes, len);
  return at + len;
}

/* Only three tags are ever written: see pi.md 3. */
static uint8_t *
put_arg (uint8_t *at, const TtPiParam *param, uint64_t value)
{
  uint8_t message[16], *end = message;
  unsigned tag = param->size < 8 ? 0 : 1;

  if (param->kind == TT_PI_KIND_POINTER || param->kind == TT_PI_KIND_HANDLE || param->kind == TT_PI_KIND_STRING ||
      param->kind == TT_PI_KIND_FUNCTION)
    tag = 4;
  if (param->size == 4 && (param->kind == TT_PI_KIND_INT || param->kind == TT_PI_KIND_ENUM))
    value = (uint64_t) (int64_t) (int32_t) (uint32_t) value;
  end = put_member (end, 1, tag);
  end = put_varint (put_varint (end, 2 << 3), value);
  return put_text (at, 5, message, (size_t) (end - message));
}

static void
write_g3 (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns, const Outputs *outputs)
{
  const TtPiFunction *function = call->function->function;
  char name[TT_RECORD_FILE_NAME];
  size_t room = 256 + sizeof name + 32 * TT_PI_MAX_PARAMS;

  for (unsigned i = 0; i < outputs->n_small; i++)
    room += outputs->small[i].size + 16;
  uint8_t *record = reserve_scratch (thread, room), *at = record + 4;
  if (record == NULL)
    return;
  at = put_member (at, 1, call->function->id);
  at = put_member (at, 2, call->start_ns / 1000);
  at = put_member (at, 3, end_ns / 1000);
  at = put_member (at, 4, (uint32_t) result);
  for (unsigned i = 0; call->args_size > 0 && i < function->n_params; i++)
    at =
        put_arg (at, &function->params[i], tt_pi_shapes_value (function, &call->function->shapes, call->args, (int) i));
  for (unsigned i = 0; i < outputs->n_small; i++)
    at = put_text (at, 7, outputs->small[i].bytes, (size_t) outputs->small[i].size);
  const TtRecordContents contents = { -1, outputs->memory.bytes, outputs->memory.size };
  if (outputs->has_memory && tt_record_memory_file (thread, call, &contents, name))
    at = put_text (at, 9, name, strlen (name));
  /* An empty message would look like damage; an end of 1 us is as good as 0. */
  if (at == record + 4)
    at = put_member (at, 3, 1);
  tt_pi_put32 (record, (uint32_t) (at - record - 4));
  write_record (thread, record, (size_t) (at - record));
}

/* -- as described ---------------------------------------------------------------------------------- */

static const char *
text_or_empty (const TtRecordCall *call, unsigned param)
{
  const char *text = (const char *) (uintptr_t) tt_pi_shapes_value (call->function->function, &call->function->shapes,
                                                                    call->args, (int) param);

  return text != NULL ? text : "";
}

/* The arguments, with NUL-ended texts in place of the pointers to them; @to NULL: only their size. */
static size_t
put_doc_args (uint8_t *to, const TtRecordCall *call)
{
  const TtPiFunction *function = call->function->function;
  size_t len = 0;

  for (unsigned i = 0; call->args_size > 0 && i < function->n_params; i++)
    {
      const uint8_t *from = call->args + call->function->shapes.offsets[i];
      size_t size = function->params[i].size;
      if (call->function->shapes.params[i].shape == TT_PI_SHAPE_TEXT)
        {
          uint64_t text;
          from = (const uint8_t *) text_or_empty (call, i);
          if (!tt_record_text_size (from, &text))
            from = (const uint8_t *) "", text = 0;
          size = (size_t) text + 1;
        }
      if (to != NULL)
        memcpy (to + len, from, size);
      len += size;
    }
  return len;
}

static void
write_doc (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns, const Outputs *outputs)
{
  size_t args = put_doc_args (NULL, call), room = 64 + args;
  unsigned n = outputs->n_small + (outputs->has_memory ? 1 : 0);

  for (unsigned i = 0; i < outputs->n_small; i++)
    room += 8 + outputs->small[i].size;
  uint8_t *record = reserve_scratch (thread, room), *at = record;
  if (record == NULL)
    return;
  tt_pi_put32 (at, call->function->id);
  at[4] = call->backend >= 0 ? (uint8_t) call->backend : 0;
  tt_pi_put64 (at + 5, call->start_ns / 1000);
  tt_pi_put64 (at + 13, end_ns / 1000);
  tt_pi_put64 (at + 21, 0);
  tt_pi_put64 (at + 29, n);
  tt_pi_put64 (at + 37, args);
  at += 45 + put_doc_args (at + 45, call);
  for (unsigned i = 0; i < outputs->n_small; i++)
    {
      tt_pi_put64 (at, outputs->small[i].size);
      memcpy (at + 8, outputs->small[i].bytes, (size_t) outputs->small[i].size);
      at += 8 + outputs->small[i].size;
    }
  if (outputs->has_memory)
    {
      /* Of any size: written from where it lies. */
      tt_pi_put64 (at, outputs->memory.size);
      write_record (thread, record, (size_t) (at + 8 - record));
      write_record (thread, outputs->memory.bytes, (size_t) outputs->memory.size);
      at = record;
    }
  tt_pi_put32 (at, (uint32_t) result);
  write_record (thread, record, (size_t) (at + 4 - record));
}

void
tt_record_original_end (TtRecordThread *thread, const TtRecordCall *call, int32_t result, uint64_t end_ns)
{
  Outputs outputs = { 0 };

  if (result == 0 && call->args_size > 0)
    collect_outputs (call, &outputs);
  if (tt_recorder.format == TT_RECORD_G3)
    write_g3 (thread, call, result, end_ns, &outputs);
  else
    write_doc (thread, call, result, end_ns, &outputs);
}
