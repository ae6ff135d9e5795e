/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device images, which the runtime offers to piextDeviceSelectBinary: each is written once, when first seen.
 */
#pragma once

#include <stdint.h>

/* Writes images not seen before; puts the numbers of all into @numbers, unless NULL. */
void tt_record_images (void *const *images, uint32_t n, uint32_t *numbers);

void tt_record_images_after_fork (void);
