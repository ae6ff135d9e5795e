/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three-way comparison, for the comparators of sorts and heaps: less than 0, 0 or more than 0, without the overflow of
 * a difference. Several keys: `int order = TT_COMPARE (a->x, b->x); return order != 0 ? order : TT_COMPARE (a->y, b->y);`
 */
#pragma once

#define TT_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))
