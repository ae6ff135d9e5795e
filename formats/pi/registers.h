/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How C passes arguments: in registers as long as there are any, and then in words of the stack. A structure of more
 * than 16 bytes, of UR the rectangles, is in the stack as a whole or, on aarch64, somewhere with its address passed.
 */
#pragma once

#if defined(__aarch64__)
#define TT_PI_N_REGISTERS 8
#define TT_PI_BY_ADDRESS 1
#else
#define TT_PI_N_REGISTERS 6
#define TT_PI_BY_ADDRESS 0
#endif
#define TT_PI_N_STACK 32
