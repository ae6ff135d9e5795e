/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/args-forms.h"

#include "src/base/digits.h"

#include <string.h>

/* Arguments by symbol of a function that has forms, forms of a function. Calls of further ones have texts. */
#define MAX_SYMBOLS 4u
#define MAX_FORMS 16u

typedef enum
{
  PART_NONE, /* is not wanted */
  PART_UINT_32,
  PART_UINT_64,
  PART_POINTER,
  PART_BOOL,   /* stands in the form as it is */
  PART_SYMBOL, /* likewise */
  PART_FLAGS,  /* likewise, or the number 0 */
  PART_OTHER,  /* there is no form with it */
} Part;

/* What calls of one form have in common. */
typedef struct
{
  guint32 n_args;
  guint32 release;
  guint64 pointers; /* bits: which of the arguments are no null pointers */
  guint64 symbols[MAX_SYMBOLS];
} Likeness;

typedef struct
{
  Likeness likeness;
  TtPiArgsForm form; /* without a format: these calls have texts */
} Variant;

/* Of a function. */
typedef struct
{
  const TtPiFunction *function; /* which of its signatures */
  Variant variants[MAX_FORMS];
  guint n_variants;
  guint n_params;
  guint8 parts[]; /* Part */
} Shape;

struct _TtPiArgsForms
{
  TtPiArgsJson *json;
  gboolean wants_result, wants_backend;
  guint n_forms;
  Shape **shapes; /* by the function's index; NULL: none came yet */
};

TtPiArgsForms *
tt_pi_args_forms_new (TtPiArgsJson *json)
{
  TtPiArgsForms *self = g_new0 (TtPiArgsForms, 1);

  self->json = json;
  self->wants_result = tt_pi_args_json_wants (json, "result");
  self->wants_backend = tt_pi_args_json_wants (json, "backend");
  self->shapes = g_new0 (Shape *, tt_pi_n_functions);
  return self;
}

static void
free_shape (Shape *shape)
{
  for (guint i = 0; shape != NULL && i < shape->n_variants; i++)
    g_free (shape->variants[i].form.format);
  g_free (shape);
}

void
tt_pi_args_forms_free (TtPiArgsForms *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < tt_pi_n_functions; i++)
    free_shape (self->shapes[i]);
  g_free (self->shapes);
  g_free (self);
}

static Part
part_of (const TtPiArgsForms *self, const TtPiParam *param)
{
  if (!tt_pi_args_json_wants (self->json, param->name))
    return PART_NONE;
  switch ((TtPiKind) param->kind)
    {
    case TT_PI_KIND_UINT:
      return param->size == 4 ? PART_UINT_32 : PART_UINT_64;
    case TT_PI_KIND_INT:
    case TT_PI_KIND_FLOAT:
      return PART_OTHER;
    case TT_PI_KIND_BOOL:
      return PART_BOOL;
    case TT_PI_KIND_ENUM:
      return PART_SYMBOL;
    case TT_PI_KIND_FLAGS:
      return PART_FLAGS;
    default:
      return PART_POINTER;
    }
}

static Shape *
shape_of (TtPiArgsForms *self, const TtPiFunction *function)
{
  Shape **shape = &self->shapes[function->index];
  guint n_symbols = 0;

  /* Forms that were given stay: who asked for them has them yet. */
  if (G_LIKELY (*shape != NULL))
    return (*shape)->function == function ? *shape : NULL;
  *shape = g_malloc0 (sizeof **shape + function->n_params);
  (*shape)->function = function;
  (*shape)->n_params = function->n_params;
  for (guint i = 0; i < function->n_params; i++)
    {
      const Part part = part_of (self, &function->params[i]);
      n_symbols += part >= PART_BOOL && part <= PART_FLAGS;
      (*shape)->parts[i] = n_symbols > MAX_SYMBOLS ? PART_OTHER : (guint8) part;
    }
  return *shape;
}

/* The numbers, and how many digits they have. FALSE: there is no form. */
static inline gboolean
take_numbers (const TtPiArgsForms *self,
              const Shape *shape,
              const TtPiCall *call,
              Likeness *likeness,
              gint64 *numbers,
              guint *n_numbers,
              gsize *n_digits)
{
  const guint n_args = call->n_args;
  guint n = 0, n_symbols = 0;
  guint64 pointers = 0;
  gsize digits = 0;

  for (guint i = 0; i < n_args; i++)
    {
      const TtPiArg *arg = &call->args[i];
      const guint64 value = arg->value;

      if (!call->is_plain && (arg->text != NULL || arg->before.bytes != NULL || arg->after.bytes != NULL))
        return FALSE;
      switch ((Part) shape->parts[i])
        {
        case PART_NONE:
          continue;
        case PART_UINT_32:
          numbers[n++] = (guint32) value;
          digits += tt_count_decimals ((guint32) value);
          continue;
        case PART_UINT_64:
          if (G_UNLIKELY (value >= (guint64) TT_ARGS_FORM_DECIMAL_END))
            return FALSE;
          numbers[n++] = (gint64) value;
          digits += tt_count_decimals (value);
          continue;
        case PART_POINTER:
          if (value == 0)
            continue;
          pointers |= (guint64) 1 << i;
          numbers[n++] = (gint64) value;
          digits += tt_count_hex (value);
          continue;
        case PART_BOOL:
          likeness->symbols[n_symbols++] = value != 0;
          continue;
        case PART_FLAGS:
          if (value == 0)
            {
              numbers[n++] = 0;
              digits++;
            }
          likeness->symbols[n_symbols++] = value;
          continue;
        case PART_SYMBOL:
          likeness->symbols[n_symbols++] = value;
          continue;
        default:
          return FALSE;
        }
    }
  if (self->wants_result)
    {
      numbers[n++] = 0;
      digits++;
    }
  likeness->pointers = pointers;
  *n_numbers = n;
  *n_digits = digits;
  return TRUE;
}

static inline gboolean
is_in_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Numbers within symbols, of bits without a name, would be those of a form, too. */
static gboolean
has_other_numbers (const char *format, gsize len)
{
  for (gsize i = 1; i < len; i++)
    if (g_ascii_isdigit (format[i]) && !is_in_word (format[i - 1]) && strncmp (format + i, "0x%x", 4) != 0)
      return TRUE;
  return FALSE;
}

static void
make_form (TtPiArgsForms *self, const TtPiCall *call, guint n_numbers, gsize n_digits, TtPiArgsForm *form)
{
  TtPiArgsJson *json = self->json;

  *form = (TtPiArgsForm){ .n_numbers = n_numbers };
  if (!tt_pi_args_json_make (json, call) || memchr (json->text, '%', json->len) != NULL)
    return;
  form->n_fixed = json->len - n_digits;
  json->is_format = TRUE;
  tt_pi_args_json_make (json, call);
  json->is_format = FALSE;
  form->format = g_strndup (json->text, json->len);
  if (has_other_numbers (form->format, json->len))
    g_clear_pointer (&form->format, g_free);
  else
    form->number = self->n_forms++;
}

static inline gboolean
is_simple (const TtPiArgsForms *self, const TtPiCall *call)
{
  return call->function != NULL && call->function->params != NULL && call->n_outputs == 0 && call->result == 0 &&
         (call->flags & TT_PI_CALL_IN_PROGRESS) == 0 && call->memory_file == NULL &&
         (call->backend < 0 || !self->wants_backend);
}

const TtPiArgsForm *
tt_pi_args_forms_find (TtPiArgsForms *self, const TtPiCall *call, gint64 numbers[TT_ARGS_FORM_MOST_NUMBERS], gsize *len)
{
  Shape *shape = G_LIKELY (is_simple (self, call)) ? shape_of (self, call->function) : NULL;
  Likeness likeness = { .n_args = call->n_args, .release = call->release };
  guint n_numbers;
  gsize n_digits;

  if (G_UNLIKELY (shape == NULL || call->n_args > shape->n_params || call->n_args >= TT_ARGS_FORM_MOST_NUMBERS) ||
      !take_numbers (self, shape, call, &likeness, numbers, &n_numbers, &n_digits))
    return NULL;
  for (guint i = 0; i < shape->n_variants; i++)
    {
      const Variant *variant = &shape->variants[i];
      if (memcmp (&variant->likeness, &likeness, sizeof likeness) != 0)
        continue;
      *len = variant->form.n_fixed + n_digits;
      return variant->form.format == NULL ? NULL : &variant->form;
    }
  if (shape->n_variants == MAX_FORMS || self->n_forms == TT_ARGS_FORMS_OF_SOURCE)
    return NULL;
  Variant *variant = &shape->variants[shape->n_variants++];
  variant->likeness = likeness;
  make_form (self, call, n_numbers, n_digits, &variant->form);
  *len = variant->form.n_fixed + n_digits;
  return variant->form.format == NULL ? NULL : &variant->form;
}
