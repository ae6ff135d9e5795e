/* SPDX-License-Identifier: Apache-2.0 */
/* What PInsight recorded of this stands beside it: clang -O1 -fopenmp -no-pie, two regions, work with and without a barrier. */
#include <omp.h>
#include <stdio.h>
static volatile double sink;
static void spin (int n) { double x = 0; for (int i = 0; i < n * 200; i++) x += i; sink = x; }
int main (void)
{
  int n = 100, sum = 0;
  for (int it = 0; it < 5; it++)
    {
#pragma omp parallel num_threads (3)
      {
#pragma omp for
        for (int i = 0; i < n; i++) spin (1);
#pragma omp for nowait
        for (int i = 0; i < n; i++) spin (1);
#pragma omp barrier
#pragma omp master
        spin (3);
#pragma omp single
        spin (4);
      }
#pragma omp parallel for num_threads (2) reduction(+ : sum)
      for (int i = 0; i < n; i++) { spin (1); sum += i; }
    }
  printf ("%d\n", sum);
  return 0;
}
