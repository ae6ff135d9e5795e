/* SPDX-License-Identifier: Apache-2.0 */
/* Prints every callback of a TAU trace, a line each, and what the last read returned. */
#include "tests/formats/tau-print.h"

#include <stdlib.h>

int
main (int argc, char **argv)
{
  int chunk = argc > 3 ? (int) strtol (argv[3], NULL, 10) : 1024;
  int n;

  if (argc < 3)
    {
      fprintf (stderr, "usage: tau-callbacks TRACE.trc TRACE.edf [RECORDS-A-READ [HABITS]]\n");
      return 2;
    }
  Ttf_FileHandleT file = Ttf_OpenFileForInput (argv[1], argv[2]);
  if (file == NULL)
    return 1;
  if (argc > 4)
    Ttf_SetHabits (file, (unsigned int) strtoul (argv[4], NULL, 10));

  while ((n = Ttf_ReadNumEvents (file, tau_print_callbacks (stdout), chunk)) > 0)
    ;
  printf ("LAST %d\n", n);
  return Ttf_CloseFile (file) == NULL;
}
