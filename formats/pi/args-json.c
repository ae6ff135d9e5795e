/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/args-json.h"

#include "formats/pi/print/value.h"
#include "src/base/digits.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Room for a key of the tables, a number, a symbol and what is between them. */
#define ROOM_OF_ARG 256u
#define OUTPUT_LIMIT 4096u
/* A key of the tables with quotes, comma and colon. */
#define KEY_BYTES 48u

typedef struct
{
  guint8 len;            /* 0: is not wanted */
  char piece[KEY_BYTES]; /* `,"queue":` */
} Key;

struct _TtPiArgsShape
{
  const TtPiFunction *function; /* which of its signatures */
  guint n_params;
  Key keys[];
};

void
tt_pi_args_json_init (TtPiArgsJson *self, char **keys)
{
  *self = (TtPiArgsJson){ .keys = keys, .scratch = g_string_new (NULL), .shown = g_string_new (NULL) };
  self->shapes = g_new0 (TtPiArgsShape *, tt_pi_n_functions);
}

void
tt_pi_args_json_clear (TtPiArgsJson *self)
{
  for (guint i = 0; i < tt_pi_n_functions; i++)
    g_free (self->shapes[i]);
  g_free (self->shapes);
  g_free (self->text);
  g_string_free (self->scratch, TRUE);
  g_string_free (self->shown, TRUE);
}

static void
reserve_text (TtPiArgsJson *self, gsize more)
{
  if (G_LIKELY (self->capacity - self->len >= more))
    return;
  self->capacity = 2 * self->capacity + more;
  self->text = g_realloc (self->text, self->capacity);
}

/* -- pieces, for which there is room ------------------------------------------------------------------------- */

static inline void
put_piece (TtPiArgsJson *self, const char *piece, gsize len)
{
  memcpy (self->text + self->len, piece, len);
  self->len += len;
}

static inline void
put_char (TtPiArgsJson *self, char character)
{
  self->text[self->len++] = character;
}

static void
put_uint (TtPiArgsJson *self, guint64 value)
{
  self->len = (gsize) (tt_put_decimal (self->text + self->len, value) - self->text);
}

static void
put_int (TtPiArgsJson *self, gint64 value)
{
  if (value < 0)
    put_char (self, '-');
  put_uint (self, value < 0 ? -(guint64) value : (guint64) value);
}

#ifdef __SSE2__

/* The 16 digits of @value, from the highest to the lowest. */
static inline void
write_hex_digits (char *to, guint64 value)
{
  const __m128i bytes = _mm_cvtsi64_si128 ((gint64) GUINT64_SWAP_LE_BE (value)), low = _mm_set1_epi8 (0x0f);
  const __m128i digits = _mm_unpacklo_epi8 (_mm_and_si128 (_mm_srli_epi16 (bytes, 4), low), _mm_and_si128 (bytes, low));
  const __m128i letters = _mm_and_si128 (_mm_cmpgt_epi8 (digits, _mm_set1_epi8 (9)), _mm_set1_epi8 ('a' - '0' - 10));

  _mm_storeu_si128 ((__m128i *) (gpointer) to, _mm_add_epi8 (_mm_add_epi8 (digits, _mm_set1_epi8 ('0')), letters));
}

#else

/* The eight digits of @value, in memory from the highest to the lowest. */
static inline guint64
hex_digits (guint32 value)
{
  guint64 digits = GUINT32_SWAP_LE_BE (value);

  digits = (digits | digits << 16) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  digits = (digits | digits << 8) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  digits = (digits >> 4 | digits << 8) & G_GUINT64_CONSTANT (0x0f0f0f0f0f0f0f0f);
  guint64 letters = (digits + G_GUINT64_CONSTANT (0x0606060606060606)) >> 4 & G_GUINT64_CONSTANT (0x0101010101010101);
  return GUINT64_TO_LE (digits + G_GUINT64_CONSTANT (0x3030303030303030) + letters * ('a' - '0' - 10));
}

static inline void
write_hex_digits (char *to, guint64 value)
{
  const guint64 digits[] = { hex_digits ((guint32) (value >> 32)), hex_digits ((guint32) value) };

  memcpy (to, digits, sizeof digits);
}

#endif

/* Values are written to a place that is known, and return the end: a store of text might be one into the object, whose members would be
 * read again after each. */
static inline char *
write_pointer (char *to, guint64 value)
{
  if (value == 0)
    return (char *) memcpy (to, "null", 4) + 4;

  const guint n_zeros = (guint) __builtin_clzll (value) / 4;

  memcpy (to, "\"0x", 3);
  write_hex_digits (to + 3, value << 4 * n_zeros);
  to += 3 + 16 - n_zeros;
  *to = '"';
  return to + 1;
}

#define POINTER_FORMAT "\"0x%x\""

static inline char *
write_pointer_or_format (const TtPiArgsJson *self, char *to, guint64 value)
{
  if (G_LIKELY (!self->is_format || value == 0))
    return write_pointer (to, value);
  return (char *) memcpy (to, POINTER_FORMAT, strlen (POINTER_FORMAT)) + strlen (POINTER_FORMAT);
}

static void
put_pointer (TtPiArgsJson *self, guint64 value)
{
  self->len = (gsize) (write_pointer_or_format (self, self->text + self->len, value) - self->text);
}

static void
put_symbol (TtPiArgsJson *self, const char *symbol)
{
  put_char (self, '"');
  put_piece (self, symbol, strlen (symbol));
  put_char (self, '"');
}

static void
put_flags (TtPiArgsJson *self, const char *type, guint64 value, guint release)
{
  const char *whole = value == 0 ? NULL : tt_pi_enum_name (type, value, release);
  gboolean is_first = TRUE;

  if (value == 0 || whole != NULL)
    {
      if (whole != NULL)
        put_symbol (self, whole);
      else if (self->is_format)
        put_piece (self, "%d", 2);
      else
        put_char (self, '0');
      return;
    }
  put_char (self, '"');
  for (guint bit = 0; bit < 64; bit++)
    {
      const char *name = (value >> bit & 1) != 0 ? tt_pi_flag_name (type, bit, release) : NULL;
      if (name == NULL)
        continue;
      reserve_text (self, ROOM_OF_ARG);
      if (!is_first)
        put_char (self, '|');
      put_piece (self, name, strlen (name));
      value &= ~((guint64) 1 << bit);
      is_first = FALSE;
    }
  if (value != 0)
    {
      if (!is_first)
        put_char (self, '|');
      put_uint (self, value);
    }
  put_char (self, '"');
}

/* -- texts ------------------------------------------------------------------------------------------------------- */

void
tt_pi_json_append_text (GString *to, const char *bytes, gsize len)
{
  const char *end = bytes + len;

  g_string_append_c (to, '"');
  while (bytes < end)
    {
      gunichar character = g_utf8_get_char_validated (bytes, end - bytes);
      if (character == (gunichar) -1 || character == (gunichar) -2)
        {
          g_string_append (to, "\xef\xbf\xbd");
          bytes++;
          continue;
        }
      if (character == '"' || character == '\\')
        g_string_append_printf (to, "\\%c", (int) character);
      else if (character < 0x20 || (character >= 0x7f && character < 0xa0))
        g_string_append_printf (to, "\\u%04x", character);
      else
        g_string_append_unichar (to, character);
      bytes = g_utf8_next_char (bytes);
    }
  g_string_append_c (to, '"');
}

static void
put_text (TtPiArgsJson *self, const char *bytes, gsize len)
{
  g_string_truncate (self->scratch, 0);
  tt_pi_json_append_text (self->scratch, bytes, len);
  reserve_text (self, self->scratch->len + ROOM_OF_ARG);
  put_piece (self, self->scratch->str, self->scratch->len);
}

/* -- the object
 * ------------------------------------------------------------------------------------------------------ */

static gboolean
is_wanted (const TtPiArgsJson *self, const char *key)
{
  return self->keys == NULL || g_strv_contains ((const char *const *) self->keys, key);
}

gboolean
tt_pi_args_json_wants (const TtPiArgsJson *self, const char *key)
{
  return is_wanted (self, key);
}

static inline void
put_key (TtPiArgsJson *self, const char *key)
{
  reserve_text (self, ROOM_OF_ARG + strlen (key));
  put_piece (self, self->len > 1 ? ",\"" : "\"", self->len > 1 ? 2 : 1);
  put_piece (self, key, strlen (key));
  put_piece (self, "\":", 2);
}

/* JSON has no infinity and nothing that is no number. */
static void
put_float (TtPiArgsJson *self, guint32 bits)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  float number;

  memcpy (&number, &bits, sizeof number);
  if ((bits & 0x7f800000) == 0x7f800000)
    put_piece (self, "null", 4);
  else
    put_piece (self, g_ascii_formatd (text, sizeof text, "%.9g", (double) number), strlen (text));
}

static void
put_value (TtPiArgsJson *self, const TtPiParam *param, const TtPiArg *arg, guint release)
{
  const char *symbol;

  switch ((TtPiKind) param->kind)
    {
    case TT_PI_KIND_UINT:
      put_uint (self, param->size == 4 ? (guint32) arg->value : arg->value);
      break;
    case TT_PI_KIND_INT:
      put_int (self, (gint64) arg->value);
      break;
    case TT_PI_KIND_FLOAT:
      put_float (self, (guint32) arg->value);
      break;
    case TT_PI_KIND_BOOL:
      put_piece (self, arg->value != 0 ? "true" : "false", arg->value != 0 ? 4 : 5);
      break;
    case TT_PI_KIND_ENUM:
      symbol = tt_pi_enum_name (param->type, arg->value, release);
      if (symbol != NULL)
        put_symbol (self, symbol);
      else
        put_int (self, (gint64) arg->value);
      break;
    case TT_PI_KIND_FLAGS:
      put_flags (self, param->type, arg->value, release);
      break;
    default:
      put_pointer (self, arg->value);
    }
}

static void
put_unknown (TtPiArgsJson *self, guint index, const TtPiArg *arg)
{
  char key[16];

  g_snprintf (key, sizeof key, "%u", index);
  if (!is_wanted (self, key))
    return;
  put_key (self, key);
  if (arg->text != NULL)
    put_text (self, arg->text, arg->text_len);
  else if (arg->tag == TT_PI_TAG_POINTER)
    put_pointer (self, arg->value);
  else
    put_int (self, (gint64) arg->value);
}

static Key
make_key (const TtPiArgsJson *self, const char *name)
{
  gsize len = strlen (name);
  Key key = { .len = 0 };

  if (len + 4 > KEY_BYTES || !is_wanted (self, name))
    return key;
  key.piece[0] = ',';
  key.piece[1] = '"';
  memcpy (key.piece + 2, name, len);
  key.piece[len + 2] = '"';
  key.piece[len + 3] = ':';
  key.len = (guint8) (len + 4);
  return key;
}

static const TtPiArgsShape *
shape_of (TtPiArgsJson *self, const TtPiFunction *function)
{
  TtPiArgsShape **shape = &self->shapes[function->index];

  if (G_LIKELY (*shape != NULL && (*shape)->function == function))
    return *shape;
  g_free (*shape);
  *shape = g_malloc (sizeof **shape + function->n_params * sizeof (Key));
  (*shape)->function = function;
  (*shape)->n_params = function->n_params;
  for (guint i = 0; i < function->n_params; i++)
    (*shape)->keys[i] = make_key (self, function->params[i].name);
  return *shape;
}

/* What its text is not recorded of. */
static void
put_argument (TtPiArgsJson *self, const Key *key, const TtPiParam *param, const TtPiArg *arg, guint release)
{
  const guint is_first = self->len == 1;

  reserve_text (self, ROOM_OF_ARG + KEY_BYTES);
  char *to = self->text + self->len;
  memcpy (to, key->piece + is_first, KEY_BYTES - 1);
  to += key->len - is_first;
  switch ((TtPiKind) param->kind)
    {
    case TT_PI_KIND_UINT:
      to = self->is_format ? (char *) memcpy (to, "%d", 2) + 2
                           : tt_put_decimal (to, param->size == 4 ? (guint32) arg->value : arg->value);
      break;
    case TT_PI_KIND_POINTER:
    case TT_PI_KIND_HANDLE:
      to = write_pointer_or_format (self, to, arg->value);
      break;
    default:
      self->len = (gsize) (to - self->text);
      put_value (self, param, arg, release);
      return;
    }
  self->len = (gsize) (to - self->text);
}

static void
put_text_argument (TtPiArgsJson *self, const Key *key, const TtPiArg *arg)
{
  const guint is_first = self->len == 1;

  reserve_text (self, ROOM_OF_ARG + KEY_BYTES);
  put_piece (self, key->piece + is_first, key->len - is_first);
  put_text (self, arg->text, arg->text_len);
}

static void
put_args (TtPiArgsJson *self, const TtPiCall *call)
{
  const TtPiFunction *function = call->function;
  const TtPiArgsShape *shape = function == NULL || function->params == NULL ? NULL : shape_of (self, function);
  const guint n_params = shape == NULL ? 0 : shape->n_params, n_args = call->n_args;

  for (guint i = 0; i < n_args; i++)
    {
      const TtPiArg *arg = &call->args[i];
      if (G_UNLIKELY (i >= n_params))
        put_unknown (self, i, arg);
      else if (G_UNLIKELY (shape->keys[i].len == 0))
        continue;
      else if (G_UNLIKELY (arg->text != NULL))
        put_text_argument (self, &shape->keys[i], arg);
      else
        put_argument (self, &shape->keys[i], &function->params[i], arg, call->release);
    }
}

/* -- outputs -------------------------------------------------------------------------------------- */

static gboolean
is_number (const char *text)
{
  const char *digits = *text == '-' ? text + 1 : text;
  gsize len = strlen (digits);

  return len > 0 && len < 19 && strspn (digits, "0123456789") == len && (*digits != '0' || len == 1);
}

/* The value at the end of scratch, made by value.h, as JSON. */
static void
put_shown (TtPiArgsJson *self, GString *shown)
{
  if (is_number (shown->str))
    {
      reserve_text (self, shown->len + ROOM_OF_ARG);
      put_piece (self, shown->str, shown->len);
    }
  else
    put_text (self, shown->str, shown->len);
}

static void
put_pointed (TtPiArgsJson *self, const TtPiCall *call, const char *key, gboolean is_output)
{
  GString *shown = self->shown;
  gboolean is_first = TRUE;

  for (guint i = 0; i < call->n_args && call->function != NULL && i < call->function->n_params; i++)
    {
      TtPiBytes bytes;
      gboolean is_text = is_output && tt_pi_output_find (call, i, &bytes) && tt_pi_output_is_text (call, i, &bytes);
      g_string_truncate (shown, 0);
      if (is_output ? !tt_pi_output_append (shown, call, i, NULL, OUTPUT_LIMIT)
                    : !tt_pi_input_append (shown, call, i, NULL, OUTPUT_LIMIT))
        continue;
      if (is_first)
        {
          put_key (self, key);
          put_char (self, '{');
        }
      reserve_text (self, ROOM_OF_ARG);
      put_piece (self, is_first ? "\"" : ",\"", is_first ? 1 : 2);
      put_piece (self, call->function->params[i].name, strlen (call->function->params[i].name));
      put_piece (self, "\":", 2);
      is_first = FALSE;
      if (is_text)
        put_text (self, (const char *) bytes.bytes, strnlen ((const char *) bytes.bytes, bytes.len));
      else
        put_shown (self, shown);
    }
  if (!is_first)
    put_char (self, '}');
}

/* Whether anything was recorded of what pointers point to. */
static gboolean
has_pointed (const TtPiCall *call)
{
  gboolean has = call->n_outputs > 0;

  for (guint i = 0; i < call->n_args && !has && !call->is_plain; i++)
    has = call->args[i].before.bytes != NULL || call->args[i].after.bytes != NULL;
  return has;
}

static void
put_backend (TtPiArgsJson *self, int backend)
{
  const char *name = tt_pi_backend_name (backend);

  put_key (self, "backend");
  if (name != NULL)
    put_symbol (self, name);
  else
    put_int (self, backend);
}

static void
put_result (TtPiArgsJson *self, const TtPiCall *call)
{
  TtPiApi api = call->function != NULL ? (TtPiApi) call->function->api : TT_PI_API_PI;
  const char *name = call->result == 0 ? NULL : tt_pi_result_name (api, call->result, call->release);

  /* As nearly all are. */
  if (G_LIKELY (call->result == 0 && self->len > 1 && !self->is_format))
    {
      reserve_text (self, ROOM_OF_ARG);
      put_piece (self, ",\"result\":0", strlen (",\"result\":0"));
      return;
    }
  put_key (self, "result");
  if (self->is_format)
    put_piece (self, "%d", 2);
  else
    put_int (self, call->result);
  if (name == NULL || !is_wanted (self, "result_name"))
    return;
  put_key (self, "result_name");
  put_char (self, '"');
  put_piece (self, api == TT_PI_API_UR ? "UR_RESULT_" : "PI_", api == TT_PI_API_UR ? 10 : 3);
  put_piece (self, name, strlen (name));
  put_char (self, '"');
}

gboolean
tt_pi_args_json_make (TtPiArgsJson *self, const TtPiCall *call)
{
  self->len = 0;
  reserve_text (self, ROOM_OF_ARG);
  put_char (self, '{');
  put_args (self, call);
  if (call->backend >= 0 && is_wanted (self, "backend"))
    put_backend (self, call->backend);
  if ((call->flags & TT_PI_CALL_IN_PROGRESS) == 0 && is_wanted (self, "result"))
    put_result (self, call);
  if (G_UNLIKELY (has_pointed (call)))
    {
      if (is_wanted (self, "inputs"))
        put_pointed (self, call, "inputs", FALSE);
      if (is_wanted (self, "outputs"))
        put_pointed (self, call, "outputs", TRUE);
    }
  if (call->memory_file != NULL && is_wanted (self, "memory"))
    {
      put_key (self, "memory");
      put_text (self, call->memory_file, strlen (call->memory_file));
    }
  reserve_text (self, 1);
  put_char (self, '}');
  return self->len > 2;
}
