/* SPDX-License-Identifier: Apache-2.0 */
/* PInsight recorded this whole, and with what 'config suggest' made of that: clang -O1 -fopenmp -no-pie. The second region runs
 * five times as often as the first. */
#include <omp.h>
#include <time.h>

static void
rest (long us)
{
  struct timespec t = { 0, us * 1000 };
  nanosleep (&t, NULL);
}

int
main (void)
{
  for (int it = 0; it < 12; it++)
    {
#pragma omp parallel num_threads(3)
      rest (300 + 200 * omp_get_thread_num ());
      for (int k = 0; k < 5; k++)
#pragma omp parallel num_threads(2)
        rest (it < 2 ? 2000 : 300 + 300 * omp_get_thread_num ());
    }
  return 0;
}
