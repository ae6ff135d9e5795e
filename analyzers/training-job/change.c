/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/training-job/change.h"

#include "analyzers/training-job/factor.h"
#include "src/base/error.h"

#include <string.h>

#define MAX_COUNT 64 /* of NICs, channels and GPUs a host */
#define MAX_GPUS (1 << 16)

const char *const tt_job_change_algo_words[] = { "ring", "tree", "nvls", NULL };

typedef gboolean (*AddWhatIf) (TtWhatIf *self, const char *text, GError **error);

typedef struct
{
  const char *word;
  AddWhatIf add; /* NULL: something of the network */
  gboolean is_single;
} Word;

static const Word words[] = {
  { "compute", tt_what_if_add_compute, TRUE },
  { "scale", tt_what_if_add_scale },
  { "delay", tt_what_if_add_delay },
  { "remove", tt_what_if_add_remove },
  { "op", tt_what_if_add_op },
  { "straggler", tt_what_if_add_straggler },
};

static const Word *
find_word (const char *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (words[i].word, text) == 0)
      return &words[i];
  return NULL;
}

gboolean
tt_job_change_is_single (const char *word)
{
  const Word *found = find_word (word);

  return found == NULL || found->is_single;
}

/* -- the network ------------------------------------------------------------------------------------------------- */

/* A factor above 0. */
static gboolean
read_factor (const char *text, double *factor, GError **error)
{
  gint64 value;

  if (!tt_factor_parse (text, 1, &value, error))
    return FALSE;
  *factor = (double) value / (double) TT_FACTOR_ONE;
  return TRUE;
}

static gboolean
read_count (const TtJobSetting *setting, guint max, guint *count, GError **error)
{
  guint64 n;

  if (g_ascii_string_to_unsigned (setting->value, 10, 1, max, &n, NULL))
    {
      *count = (guint) n;
      return TRUE;
    }
  if (max == MAX_GPUS)
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--gpus %s' is not a number of GPUs", setting->value);
  else
    g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--%s %s' is not a number from 1 to %u", setting->word,
                 setting->value, max);
  return FALSE;
}

static gboolean
read_algo (const char *text, TtNetworkChange *network, GError **error)
{
  static const TtCollectiveAlgo algos[] = { TT_COLLECTIVE_RING, TT_COLLECTIVE_TREE, TT_COLLECTIVE_NVLS };

  for (guint i = 0; tt_job_change_algo_words[i] != NULL; i++)
    if (strcmp (tt_job_change_algo_words[i], text) == 0)
      {
        network->is_algo = TRUE;
        network->algo = algos[i];
        return TRUE;
      }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown algorithm '%s'; there are ring, tree, nvls", text);
  return FALSE;
}

/* "64M": bytes, or with K, M or G so many KiB, MiB or GiB. */
static gboolean
read_bytes (const char *text, double *bytes, GError **error)
{
  static const char suffixes[] = "KMG";
  char *end;
  guint64 n = g_ascii_isdigit (*text) ? g_ascii_strtoull (text, &end, 10) : 0;

  if (g_ascii_isdigit (*text) && n < (guint64) 1 << 40)
    {
      const char *suffix = *end == '\0' ? NULL : strchr (suffixes, g_ascii_toupper (*end));
      guint shift = suffix == NULL ? 0 : 10 * (guint) (suffix - suffixes + 1);
      if (*end == '\0' || (suffix != NULL && (end[1] == '\0' || g_ascii_strcasecmp (end + 1, "iB") == 0)))
        {
          *bytes = (double) n * (double) ((guint64) 1 << shift);
          return TRUE;
        }
    }
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "'--fusion %s' is no number of bytes; 64M is 64 MiB, 0 is no fusion",
               text);
  return FALSE;
}

static gboolean
is_fusion_word (const char *word)
{
  static const char *const fusion_words[] = { "fusion", "overlap", "no-overlap", NULL };

  return g_strv_contains (fusion_words, word);
}

static gboolean
set_fusion (TtJobChange *self, const TtJobSetting *setting, GError **error)
{
  self->is_regrouped = TRUE;
  self->fusion.is_fusion |= strcmp (setting->word, "fusion") == 0;
  if (strcmp (setting->word, "fusion") == 0)
    return read_bytes (setting->value, &self->fusion.threshold_bytes, error);
  self->fusion.overlap = strcmp (setting->word, "overlap") == 0 ? TT_OVERLAP_ALL : TT_OVERLAP_NONE;
  return TRUE;
}

static gboolean
set_network (TtJobChange *self, const TtJobSetting *setting, GError **error)
{
  TtNetworkChange *network = &self->network;
  const struct
  {
    const char *word;
    double *factor;
  } factors[] = { { "bandwidth", &network->bandwidth },
                  { "nic-bandwidth", &network->nic_bandwidth },
                  { "latency", &network->latency },
                  { "compression", &network->compression } };
  const struct
  {
    const char *word;
    guint *count, max;
  } counts[] = { { "nics", &network->n_nics, MAX_COUNT },
                 { "channels", &network->n_channels, MAX_COUNT },
                 { "gpus-per-host", &network->gpus_per_host, MAX_COUNT },
                 { "gpus", &network->n_gpus, MAX_GPUS } };

  self->is_network = TRUE;
  if (is_fusion_word (setting->word))
    return set_fusion (self, setting, error);
  if (strcmp (setting->word, "bandwidth") == 0)
    self->bandwidth = setting->value;
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (strcmp (setting->word, factors[i].word) == 0)
      return read_factor (setting->value, factors[i].factor, error);
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    if (strcmp (setting->word, counts[i].word) == 0)
      return read_count (setting, counts[i].max, counts[i].count, error);
  if (strcmp (setting->word, "algo") == 0)
    return read_algo (setting->value, network, error);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "unknown change '%s'", setting->word);
  return FALSE;
}

/* -- all ------------------------------------------------------------------------------------------------------------ */

TtJobChange *
tt_job_change_new (const GArray *settings, GError **error)
{
  const TtNetworkChange none = TT_NETWORK_CHANGE_NONE;
  g_autoptr (TtJobChange) self = g_new0 (TtJobChange, 1);

  self->network = none;
  self->what_if = tt_what_if_new ();
  for (guint i = 0; i < settings->len; i++)
    {
      const TtJobSetting *setting = &g_array_index (settings, TtJobSetting, i);
      const Word *word = find_word (setting->word);
      if (word != NULL ? !word->add (self->what_if, setting->value, error) : !set_network (self, setting, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
tt_job_change_free (TtJobChange *self)
{
  if (self == NULL)
    return;
  tt_what_if_free (self->what_if);
  g_free (self);
}

gboolean
tt_job_change_is_empty (const TtJobChange *self)
{
  return !self->is_network && tt_what_if_is_empty (self->what_if);
}
