/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/program.h"

int
main (int argc, char **argv)
{
  return tt_program (argc, argv);
}
