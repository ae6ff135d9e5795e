/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of the operations on integers: what an instruction of which one expression says all is written as.
 */
#pragma once

#include "src/gpu/gcn/machine.h"

#define A (v->in[0])
#define B (v->in[1])
#define C (v->in[2])
#define SIGNED(x) ((gint64) (gint32) (guint32) (x))
#define OPERATION(name, value)         \
  static guint64 name (TtGcnValues *v) \
  {                                    \
    return (guint64) (value);          \
  }
