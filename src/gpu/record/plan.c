/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "src/gpu/record/record.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARAMS 65536u
#define MOST_PARAM_BYTES (1u << 20)
#define MOST_RECORD_BYTES 512u
#define HASH_LETTERS 40u
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%"

int
tt_record_number (const char **text, char end, uint64_t most, uint64_t *number)
{
  const char *at = *text;
  uint64_t value = 0;

  if (*at < '0' || *at > '9')
    return 0;
  for (; *at >= '0' && *at <= '9'; at++)
    {
      uint64_t digit = (uint64_t) (*at - '0');

      if (value > most / 10 || digit > most - 10 * value)
        return 0;
      value = 10 * value + digit;
    }
  if (*at != end)
    return 0;
  *text = end == '\0' ? at : at + 1;
  *number = value;
  return 1;
}

/* @word, and a blank. */
static int
read_word (const char **text, const char *word)
{
  size_t n = strlen (word);

  if (strncmp (*text, word, n) != 0 || (*text)[n] != ' ')
    return 0;
  *text += n + 1;
  return 1;
}

/* Letters of @letters up to @end: a copy of them; NULL: there are none, or others. */
static char *
read_letters (const char **text, const char *letters, char end)
{
  size_t n = strspn (*text, letters);
  char *copy = n == 0 || (*text)[n] != end ? NULL : strndup (*text, n);

  if (copy != NULL)
    *text += n + 1;
  return copy;
}

/* A map's records of one thread or warp have a size of 32 bits in the files of results. */
static int
read_map (TtRecordPlan *plan, const char *text)
{
  TtRecordMap *map = &plan->maps[plan->n_maps];
  uint64_t is_warp;

  if (plan->n_maps == TT_RECORD_MOST_MAPS || !tt_record_number (&text, ' ', 1, &is_warp) ||
      !tt_record_number (&text, ' ', MOST_RECORD_BYTES, &map->record_bytes) || map->record_bytes == 0 ||
      !tt_record_number (&text, '\n', UINT32_MAX / map->record_bytes, &map->cap) || *text != '\0')
    return 0;
  map->is_warp = (int) is_warp;
  plan->n_maps++;
  return 1;
}

static int
read_kernel (TtRecordPlan *plan, const char *text)
{
  TtRecordKernel *more = realloc (plan->kernels, (plan->n_kernels + 1) * sizeof *more), *kernel;
  uint64_t n_params;

  if (more == NULL)
    return 0;
  plan->kernels = more;
  kernel = &more[plan->n_kernels++];
  *kernel = (TtRecordKernel){ 0 };
  if (!tt_record_number (&text, ' ', MOST_PARAMS, &n_params) || n_params == 0 ||
      !tt_record_number (&text, ' ', MOST_PARAM_BYTES, &kernel->param_offset) || kernel->param_offset % 8 != 0)
    return 0;
  kernel->n_params = (unsigned) n_params;
  kernel->hash = read_letters (&text, "0123456789abcdef", ' ');
  if (kernel->hash == NULL || strlen (kernel->hash) != HASH_LETTERS || (*text >= '0' && *text <= '9'))
    return 0;
  kernel->name = read_letters (&text, NAME_LETTERS, '\n');
  return kernel->name != NULL && *text == '\0';
}

static int
read_end (const TtRecordPlan *plan, const char *text)
{
  uint64_t n_maps, n_kernels;

  return tt_record_number (&text, ' ', UINT64_MAX, &n_maps) && n_maps == plan->n_maps &&
         tt_record_number (&text, '\n', UINT64_MAX, &n_kernels) && n_kernels == plan->n_kernels && *text == '\0';
}

/* Maps, then kernels, then how many of both there are: what is cut is no plan. */
static int
read_line (TtRecordPlan *plan, const char *text, int *is_whole)
{
  if (*is_whole)
    return 0;
  if (read_word (&text, "end"))
    return *is_whole = read_end (plan, text);
  if (read_word (&text, "map"))
    return plan->n_kernels == 0 && read_map (plan, text);
  return read_word (&text, "kernel") && read_kernel (plan, text);
}

void
tt_record_plan_free (TtRecordPlan *plan)
{
  if (plan == NULL)
    return;
  for (unsigned i = 0; i < plan->n_kernels; i++)
    {
      free (plan->kernels[i].name);
      free (plan->kernels[i].hash);
      free (plan->kernels[i].folder);
    }
  free (plan->kernels);
  free (plan->woven);
  free (plan);
}

TtRecordPlan *
tt_record_plan_read (const char *path, const char *woven, unsigned *line)
{
  TtRecordPlan *plan = calloc (1, sizeof *plan);
  FILE *file = fopen (path, "re");
  char *text = NULL;
  size_t room = 0;
  ssize_t n;
  int is_whole = 0, ok = plan != NULL && file != NULL && (plan->woven = strdup (woven)) != NULL;

  *line = 1;
  while (ok && (n = getline (&text, &room, file)) > 0)
    {
      ok = strlen (text) == (size_t) n && read_line (plan, text, &is_whole);
      *line += ok;
    }
  ok = ok && is_whole && !ferror (file);
  free (text);
  if (file != NULL)
    fclose (file);
  if (ok)
    return plan;
  tt_record_plan_free (plan);
  return NULL;
}
