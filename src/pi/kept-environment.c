/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/pi/kept-environment.h"

#include <string.h>

const char *const tt_pi_environment_words[] = { "none", "needed", "masked", "all", NULL };

static const char *const secrets[] = { "TOKEN",      "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE",
                                       "CREDENTIAL", "KEY",    "COOKIE",   NULL };

/* What loaders, runtimes of SYCL and their devices read. */
static const char *const needed[] = { "LD_",     "PATH",   "HOME",   "TMPDIR",        "LANG", "LC_",   "SYCL_",
                                      "ONEAPI_", "UR_",    "PI_",    "ZE_",           "ZES_", "CL_",   "OCL_",
                                      "OPENCL_", "XPTI_",  "DPCPP_", "TBB",           "OMP_", "CUDA_", "HIP_",
                                      "ROCR_",   "INTEL_", "POCL_",  "TRACETOOL_PI_", NULL };

static gboolean
is_secret (const char *name)
{
  g_autofree char *upper = g_ascii_strup (name, -1);

  for (guint i = 0; secrets[i] != NULL; i++)
    if (strstr (upper, secrets[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
is_needed (const char *name)
{
  for (guint i = 0; needed[i] != NULL; i++)
    if (g_str_has_prefix (name, needed[i]))
      return TRUE;
  return FALSE;
}

char **
tt_pi_environment_keep (char *const *environment, const char *word)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; environment[i] != NULL && !g_str_equal (word, "none"); i++)
    {
      const char *equals = strchr (environment[i], '=');
      g_autofree char *name =
          equals == NULL ? g_strdup (environment[i]) : g_strndup (environment[i], (gsize) (equals - environment[i]));
      if (g_str_equal (word, "needed") && !is_needed (name))
        continue;
      g_ptr_array_add (kept, !g_str_equal (word, "all") && is_secret (name) ? g_strconcat (name, "=" TT_PI_MASKED, NULL)
                                                                            : g_strdup (environment[i]));
    }
  g_ptr_array_add (kept, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&kept), FALSE);
}

char **
tt_pi_environment_unmask (char **environment)
{
  gsize n = 0;

  for (gsize i = 0; environment[i] != NULL; i++)
    if (g_str_has_suffix (environment[i], "=" TT_PI_MASKED))
      g_free (environment[i]);
    else
      environment[n++] = environment[i];
  environment[n] = NULL;
  return environment;
}
