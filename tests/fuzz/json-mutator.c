/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutations that keep JSON, and GML, what it is: values take the place of others, appear twice, go, or change places. A
 * fuzzer that changes bytes rarely leaves anything that is read to its end. Half of the mutations are of bytes all the
 * same.
 *
 * For targets that name this file under "Links:"; what stands before and between texts in their inputs is left alone.
 */
#include "config.h"

#include <glib.h>

#include <string.h>

#define MAX_VALUES 2048u
#define MAX_DEPTH 64u

size_t LLVMFuzzerMutate (guint8 *bytes, size_t len, size_t max);
size_t LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed);

typedef struct
{
  size_t start, end;
} Value;

typedef struct
{
  Value value[MAX_VALUES];
  guint n;
} Values;

static void
add_value (Values *values, size_t start, size_t end)
{
  if (values->n < MAX_VALUES)
    values->value[values->n++] = (Value){ start, end };
}

static size_t
end_of_string (const guint8 *bytes, size_t len, size_t at)
{
  for (at++; at < len && bytes[at] != '"'; at++)
    at += bytes[at] == '\\';
  return MIN (at + 1, len);
}

static size_t
end_of_word (const guint8 *bytes, size_t len, size_t at)
{
  while (at < len && (g_ascii_isalnum (bytes[at]) || strchr ("+-._", bytes[at]) != NULL) && bytes[at] != '\0')
    at++;
  return at;
}

static void
find_values (Values *values, const guint8 *bytes, size_t len)
{
  size_t open[MAX_DEPTH];
  guint depth = 0;

  values->n = 0;
  for (size_t at = 0, end; at < len; at = end)
    {
      end = at + 1;
      if (bytes[at] == '"')
        add_value (values, at, end = end_of_string (bytes, len, at));
      else if (bytes[at] == '{' || bytes[at] == '[')
        {
          open[MIN (depth, MAX_DEPTH - 1)] = at;
          depth++;
        }
      else if ((bytes[at] == '}' || bytes[at] == ']') && depth > 0)
        {
          depth--;
          add_value (values, open[MIN (depth, MAX_DEPTH - 1)], end);
        }
      else if (g_ascii_isalnum (bytes[at]) || bytes[at] == '-')
        add_value (values, at, end = end_of_word (bytes, len, at));
    }
}

/* The new length: @what in the place of @old. Nothing happens if there is no room. */
static size_t
replace (guint8 *bytes, size_t len, size_t max, Value old, const guint8 *what, size_t n)
{
  if (len - (old.end - old.start) + n > max)
    return len;
  memmove (bytes + old.start + n, bytes + old.end, len - old.end);
  memcpy (bytes + old.start, what, n);
  return len - (old.end - old.start) + n;
}

/* A copy of a value and its comma before the value itself. */
static size_t
repeat_value (guint8 *bytes, size_t len, size_t max, Value value)
{
  size_t n = value.end - value.start;
  g_autofree guint8 *copy = g_malloc (n + 1);

  memcpy (copy, bytes + value.start, n);
  copy[n] = ',';
  return replace (bytes, len, max, (Value){ value.start, value.start }, copy, n + 1);
}

static size_t
remove_value (guint8 *bytes, size_t len, Value value)
{
  if (value.end < len && bytes[value.end] == ',')
    value.end++;
  else if (value.start > 0 && bytes[value.start - 1] == ',')
    value.start--;
  return replace (bytes, len, len, value, (const guint8 *) "", 0);
}

/* @first begins before @second. What lies one in the other stays as it is. */
static void
swap_values (guint8 *bytes, Value first, Value second)
{
  if (first.end > second.start)
    return;

  size_t n_first = first.end - first.start, n_second = second.end - second.start;
  size_t n_between = second.start - first.end;
  g_autofree guint8 *copy = g_memdup2 (bytes + first.start, second.end - first.start);
  guint8 *at = bytes + first.start;

  memcpy (at, copy + n_first + n_between, n_second);
  memcpy (at + n_second, copy + n_first, n_between);
  memcpy (at + n_second + n_between, copy, n_first);
}

/* Words that readers compare with or count in. */
static size_t
put_word (guint8 *bytes, size_t len, size_t max, Value value, GRand *random)
{
  static const char *const words[] = { "0", "1", "-1", "0.5", "1e3", "9223372036854775807", "9223372036854775808",
                                       "-9223372036854775808", "18446744073709551616", "1e308", "0.0000000001",
                                       "4294967296", "null", "true", "{}", "[]", "\"\"", "\"0\"", "\"\\u0000\"" };
  const char *word = words[g_rand_int_range (random, 0, G_N_ELEMENTS (words))];

  return replace (bytes, len, max, value, (const guint8 *) word, strlen (word));
}

size_t
LLVMFuzzerCustomMutator (guint8 *bytes, size_t len, size_t max, unsigned seed)
{
  static Values values;
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  if (g_rand_boolean (random))
    return LLVMFuzzerMutate (bytes, len, max);
  find_values (&values, bytes, len);
  if (values.n < 2)
    return LLVMFuzzerMutate (bytes, len, max);

  Value one = values.value[g_rand_int_range (random, 0, (gint32) values.n)];
  Value other = values.value[g_rand_int_range (random, 0, (gint32) values.n)];
  switch (g_rand_int_range (random, 0, 6))
    {
    case 0:
      return repeat_value (bytes, len, max, one);
    case 1:
      return remove_value (bytes, len, one);
    case 2:
      swap_values (bytes, one.start < other.start ? one : other, one.start < other.start ? other : one);
      return len;
    case 3:
      return put_word (bytes, len, max, one, random);
    default:
      {
        g_autofree guint8 *copy = g_memdup2 (bytes + other.start, other.end - other.start);
        return replace (bytes, len, max, one, copy, other.end - other.start);
      }
    }
}
