/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much room a buffer or a cache has: @usual, and @fuzzing in the builds of `make fuzz`. The inputs of a fuzzer are
 * small: they never run over the end of a usual buffer, and making one takes longer than reading them.
 */
#pragma once

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define TT_ROOM(usual, fuzzing) (fuzzing)
#else
#define TT_ROOM(usual, fuzzing) (usual)
#endif
