/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "tests/formats/probe-source.h"

#include <stdio.h>
#include <string.h>

/* random-probe seed|current NUMBER: prints the random program of that number, for assemblers to see its output. */
int
main (int argc, char **argv)
{
  if (argc != 3)
    return 2;
  GRand *rand = g_rand_new_with_seed ((guint32) g_ascii_strtoull (argv[2], NULL, 10));
  g_autoptr (ProbeSource) source = probe_source_new (rand, strcmp (argv[1], "seed") == 0 ? TT_NL_SEED : TT_NL_CURRENT);

  fputs (probe_source_text (source), stdout);
  g_rand_free (rand);
  return 0;
}
