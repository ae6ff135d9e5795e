/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of which one writes for each event, while the other reads or writes something that happens to lie on the same cache line, take
 * that line from each other each time. So many bytes between what belongs to each are enough, wherever malloc() puts the whole.
 */
#pragma once

#define TT_APART_BYTES 64u
