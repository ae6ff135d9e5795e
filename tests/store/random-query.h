/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random statements about events, of which about a half can be split, and some are wrong.
 */
#pragma once

#include <glib.h>

char *random_query (GRand *random);
