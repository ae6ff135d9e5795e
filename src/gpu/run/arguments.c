/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/gpu/run/arguments.h"

#include "src/base/error.h"
#include "src/base/input.h"
#include "src/base/output.h"
#include "src/gpu/run/real.h"

#include <errno.h>
#include <string.h>

#define MAX_FILE ((guint64) 1 << 30)

typedef struct
{
  guint8 *data, *first; /* first: what was there before the launch */
  guint64 len;
  char *output; /* NULL: none */
} Memory;

struct _TtGpuArguments
{
  TtGpuReceiver receiver;
  GArray *memories; /* of Memory */
};

typedef struct
{
  TtGpuArguments *self;
  guint index;
  const char *word;
  char **parts;
  guint n_parts;
  GError **error;
} Reader;

static gboolean
fail (const Reader *reader, const char *fault)
{
  g_set_error (reader->error, TT_ERROR, TT_ERROR_USAGE, "--arg %s: %s", reader->word, fault);
  return FALSE;
}

/* -- numbers -------------------------------------------------------------------------------------- */

static gboolean
read_size (const Reader *reader, const char *text, guint64 *size)
{
  if (!g_ascii_string_to_unsigned (text, 10, 0, TT_GPU_MAX_MEMORY, size, NULL))
    return fail (reader, "a size is a number of bytes up to 2 GiB");
  return TRUE;
}

static gboolean
read_whole (const Reader *reader, TtPtxType type, const char *text, guint64 *value)
{
  guint bits = tt_ptx_type_bits (type);
  gboolean is_hexadecimal = g_str_has_prefix (text, "0x"), is_signed = text[0] == '-';
  gint64 number = 0;

  if (is_signed
          ? g_ascii_string_to_signed (text, 10, -(gint64) (G_MAXUINT64 >> (65 - bits)) - 1, G_MAXINT64, &number, NULL)
          : g_ascii_string_to_unsigned (text + (is_hexadecimal ? 2 : 0), is_hexadecimal ? 16 : 10, 0,
                                        tt_ptx_cut (G_MAXUINT64, bits), value, NULL))
    {
      if (is_signed)
        *value = (guint64) number;
      return TRUE;
    }
  return fail (reader, "the number does not fit the type");
}

static gboolean
read_number (const Reader *reader, const char *type_name, const char *text, guint64 *value, guint *bytes)
{
  TtPtxType type = tt_ptx_type_find (type_name);
  char *end;
  double number;

  if (type == TT_PTX_VOID || type == TT_PTX_PRED || type == TT_PTX_B128 || type == TT_PTX_F16X2 ||
      type == TT_PTX_BF16X2)
    return fail (reader, "its type is none of u8 to u64, s8 to s64, f16, bf16, f32, f64");
  *bytes = tt_ptx_type_bits (type) / 8;
  if (!tt_ptx_type_is_float (type))
    return read_whole (reader, type, text, value);
  number = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0')
    return fail (reader, "this is no number");
  *value = tt_gpu_real_put (type, number, TT_GPU_RN);
  return TRUE;
}

/* -- memories --------------------------------------------------------------------------------------- */

static gboolean
add_memory (const Reader *reader, guint64 len, const char *output, Memory *memory)
{
  g_autofree char *name = g_strdup_printf ("argument %u", reader->index);
  guint64 address;

  *memory = (Memory){ .len = len };
  memory->data = reader->self->receiver.allocate (reader->self->receiver.launch, name, len, &address, reader->error);
  if (memory->data == NULL)
    return FALSE;
  address = GUINT64_TO_LE (address);
  memory->output = g_strdup (output);
  g_array_append_val (reader->self->memories, *memory);
  return reader->self->receiver.set_param (reader->self->receiver.launch, reader->index, &address, sizeof address,
                                           reader->error);
}

static gboolean
add_file (const Reader *reader, const char *path, const char *output)
{
  g_autoptr (TtInput) input = tt_input_open (path, reader->error);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 block[65536];
  gssize n = input == NULL ? -1 : 1;
  Memory memory;

  while (n > 0 && bytes->len <= MAX_FILE)
    {
      n = tt_input_read (input, block, sizeof block, reader->error);
      if (n > 0)
        g_byte_array_append (bytes, block, (guint) n);
    }
  if (n < 0)
    return FALSE;
  if (bytes->len > MAX_FILE)
    return fail (reader, "the file has more than 1 GiB");
  if (!add_memory (reader, bytes->len, output, &memory))
    return FALSE;
  if (bytes->len > 0)
    memcpy (memory.data, bytes->data, bytes->len);
  return TRUE;
}

static gboolean
add_fill (const Reader *reader)
{
  guint64 size, value = 0;
  guint bytes = 0;
  Memory memory;

  if (!read_size (reader, reader->parts[1], &size) ||
      !read_number (reader, reader->parts[2], reader->parts[3], &value, &bytes))
    return FALSE;
  if (size % bytes != 0)
    return fail (reader, "the size is no multiple of the type's");
  if (!add_memory (reader, size, NULL, &memory))
    return FALSE;
  value = GUINT64_TO_LE (value);
  for (guint64 at = 0; at < size; at += bytes)
    memcpy (memory.data + at, &value, bytes);
  return TRUE;
}

static gboolean
add_bytes (const Reader *reader)
{
  const char *digits = reader->parts[1];
  gsize len = strlen (digits) / 2;
  g_autofree guint8 *bytes = g_malloc0 (len + 1);

  for (gsize i = 0; i < len; i++)
    {
      int high = g_ascii_xdigit_value (digits[2 * i]), low = g_ascii_xdigit_value (digits[2 * i + 1]);
      if (high < 0 || low < 0)
        return fail (reader, "bytes are hexadecimal digits");
      bytes[i] = (guint8) (high << 4 | low);
    }
  if (strlen (digits) % 2 != 0)
    return fail (reader, "bytes have two digits each");
  return reader->self->receiver.set_param (reader->self->receiver.launch, reader->index, bytes, len, reader->error);
}

static gboolean
add_number (const Reader *reader)
{
  guint64 value = 0;
  guint bytes;

  if (!read_number (reader, reader->parts[0], reader->parts[1], &value, &bytes))
    return FALSE;
  value = GUINT64_TO_LE (value);
  return reader->self->receiver.set_param (reader->self->receiver.launch, reader->index, &value, bytes, reader->error);
}

static gboolean
add_argument (const Reader *reader)
{
  const char *kind = reader->parts[0];
  guint64 size;
  Memory memory;

  if (g_str_equal (kind, "zero") && reader->n_parts == 2)
    return read_size (reader, reader->parts[1], &size) && add_memory (reader, size, NULL, &memory);
  if (g_str_equal (kind, "fill") && reader->n_parts == 4)
    return add_fill (reader);
  if (g_str_equal (kind, "in") && reader->n_parts == 2)
    return add_file (reader, reader->parts[1], NULL);
  if (g_str_equal (kind, "out") && reader->n_parts == 3)
    return read_size (reader, reader->parts[2], &size) && add_memory (reader, size, reader->parts[1], &memory);
  if (g_str_equal (kind, "inout") && reader->n_parts == 3)
    return add_file (reader, reader->parts[1], reader->parts[2]);
  if (g_str_equal (kind, "bytes") && reader->n_parts == 2)
    return add_bytes (reader);
  if (reader->n_parts == 2)
    return add_number (reader);
  return fail (reader, "it is none of TYPE:NUMBER, bytes:DIGITS, zero:SIZE, fill:SIZE:TYPE:NUMBER, in:FILE, "
                       "out:FILE:SIZE, inout:FILE:OUTPUT");
}

/* -- all --------------------------------------------------------------------------------------------- */

static void
memory_clear (gpointer data)
{
  Memory *self = data;

  g_free (self->first);
  g_free (self->output);
}

static gboolean
keep_first (TtGpuArguments *self, GError **error)
{
  for (guint i = 0; i < self->memories->len; i++)
    {
      Memory *memory = &g_array_index (self->memories, Memory, i);

      memory->first = g_try_malloc (MAX (memory->len, 1));
      if (memory->first == NULL)
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "no memory for the arguments");
          return FALSE;
        }
      memcpy (memory->first, memory->data, memory->len);
    }
  return TRUE;
}

TtGpuArguments *
tt_gpu_arguments_new (const TtGpuReceiver *receiver, char **words, GError **error)
{
  g_autoptr (TtGpuArguments) self = g_new0 (TtGpuArguments, 1);

  self->receiver = *receiver;
  self->memories = g_array_new (FALSE, TRUE, sizeof (Memory));
  g_array_set_clear_func (self->memories, memory_clear);
  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i], ":", 4);
      Reader reader = { self, i, words[i], parts, g_strv_length (parts), error };

      if (reader.n_parts == 0 ? fail (&reader, "it is empty"), TRUE : !add_argument (&reader))
        return NULL;
    }
  return keep_first (self, error) ? g_steal_pointer (&self) : NULL;
}

void
tt_gpu_arguments_reset (TtGpuArguments *self)
{
  for (guint i = 0; i < self->memories->len; i++)
    {
      const Memory *memory = &g_array_index (self->memories, Memory, i);
      memcpy (memory->data, memory->first, memory->len);
    }
}

gboolean
tt_gpu_arguments_write (const TtGpuArguments *self, GError **error)
{
  for (guint i = 0; i < self->memories->len; i++)
    {
      const Memory *memory = &g_array_index (self->memories, Memory, i);

      if (memory->output == NULL)
        continue;
      g_autoptr (TtOutput) output = tt_output_open (memory->output, error);
      if (output == NULL)
        return FALSE;
      for (guint64 at = 0; at < memory->len; at += 65536)
        tt_output_bytes (output, (const char *) memory->data + at, (gsize) MIN (memory->len - at, 65536));
      if (!tt_output_close (output, error))
        return FALSE;
    }
  return TRUE;
}

void
tt_gpu_arguments_free (TtGpuArguments *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->memories);
  g_free (self);
}
