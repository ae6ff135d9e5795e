/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-run.h"

#include <math.h>
#include <string.h>

void
probe_run_init (ProbeRun *self, const ProbeMachine *machine, guint32 seed)
{
  self->machine = machine;
  for (guint i = 0; i < N_LANES; i++)
    self->saved[i] = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->garbage = g_rand_new_with_seed (seed);
  self->why = NULL;
}

void
probe_run_clear (ProbeRun *self)
{
  for (guint i = 0; i < N_LANES; i++)
    g_clear_pointer (&self->saved[i], g_array_unref);
  g_clear_pointer (&self->garbage, g_rand_free);
  g_clear_pointer (&self->why, g_free);
}

void
probe_run_fail (ProbeRun *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (self->why == NULL)
    self->why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

void
probe_run_save (ProbeRun *self, guint lane, guint width, guint64 value)
{
  if (width == 32)
    value &= G_MAXUINT32;
  g_array_append_val (self->saved[lane], value);
}

guint64
probe_divide (guint64 a, guint64 b, gboolean remainder, guint width)
{
  if (b == 0)
    return remainder ? a : width == 32 ? G_MAXUINT32 : G_MAXUINT64;
  return remainder ? a % b : a / b;
}

guint
probe_item_width (const TtNlToml *toml, const char *map, guint width, guint i)
{
  for (guint t = 0; t < toml->tables->len && map != NULL; t++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, t);

      if (g_strv_length (table->path) != 3 || !g_str_equal (table->path[1], map) || i >= table->entries->len)
        continue;
      const TtNlTomlValue *field = g_ptr_array_index (table->entries, i);
      const TtNlTomlValue *type = g_ptr_array_index (field->items, 0);
      return g_str_equal (type->text, "u32") ? 32 : 64;
    }
  return map == NULL ? width : 0;
}

char *
probe_text (const TtNlToml *toml, gboolean at_kernel, const char *when)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < toml->tables->len; i++)
    {
      const TtNlTomlTable *table = tt_nl_toml_table (toml, i);
      const char *position = tt_nl_toml_text (table, "position");
      const char *code = tt_nl_toml_text (table, when);

      position = position != NULL ? position : tt_nl_toml_text (table, "pos");
      if (position != NULL && code != NULL && g_str_equal (position, "kernel") == at_kernel)
        g_string_append_printf (text, "%s\n", code);
    }
  /* Comments say as what a register is read. */
  for (char *comment; (comment = strstr (text->str, " //")) != NULL;)
    g_string_erase (text, comment - text->str, (gssize) strcspn (comment, "\n"));
  return g_string_free (text, FALSE);
}

int
probe_helper (const char *word)
{
  for (int i = 0; i < TT_NL_N_HELPERS; i++)
    if (g_str_equal (word, tt_nl_helper_words[i]))
      return i;
  return -1;
}

/* -- floats, made of their fields ------------------------------------------------------------------------ */

double
probe_float (guint64 bits, guint width)
{
  guint n_fraction = width == 32 ? 23 : 52, n_exponent = width - 1 - n_fraction;
  guint64 fraction = bits & (((guint64) 1 << n_fraction) - 1);
  int exponent = (int) (bits >> n_fraction & ((1u << n_exponent) - 1)), bias = (1 << (n_exponent - 1)) - 1;
  double sign = bits >> (width - 1) & 1 ? -1 : 1;

  if (exponent == 2 * bias + 1)
    return fraction != 0 ? NAN : sign * INFINITY;
  return sign * ldexp ((double) (fraction | (guint64) (exponent != 0) << n_fraction),
                       MAX (exponent, 1) - bias - (int) n_fraction);
}

guint64
probe_float_cut (double value, guint result, gboolean is_signed)
{
  double end = ldexp (1, (int) result - is_signed);

  if (isnan (value) || (!is_signed && value < 0))
    return 0;
  if (value >= end)
    return (result == 64 ? G_MAXUINT64 : ((guint64) 1 << result) - 1) >> is_signed;
  if (value < -end)
    return (guint64) 1 << (result - 1);
  return value < 0 ? -(guint64) -value : (guint64) value;
}

gboolean
probe_float_compare (guint how, double a, double b)
{
  if (isnan (a) || isnan (b))
    return how == 1;
  return how == 0   ? !(a < b) && !(a > b)
         : how == 1 ? a < b || a > b
         : how == 2 ? a < b
         : how == 3 ? a <= b
         : how == 4 ? a > b
                    : a >= b;
}
