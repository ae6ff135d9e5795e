/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.cl for nvcc: nvcc -ptx -fmad=false -include as-cuda.h -x cu kernels.cl */
#pragma once
#define KERNEL extern "C" __global__
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER
#define CONSTANT __constant__
#define DEVICE __device__
#define uchar unsigned char
#define uint unsigned
#define ulong unsigned long
#define __nvvm_bar_sync(id) __syncthreads ()
#define __nvvm_atom_add_gen_i(at, value) atomicAdd (at, value)
#define __nvvm_mulhi_ull(a, b) __umul64hi (a, b)
#define __builtin_bitreverse64(a) __brevll (a)
#define __builtin_rotateleft32(a, n) __funnelshift_l (a, a, n)
#define __builtin_popcountl(a) __popcll (a)
#define __builtin_clz(a) __clz (a)
#define __builtin_fmaf fmaf
#define __builtin_fma fma
#define __builtin_sqrtf sqrtf
#define __builtin_sqrt sqrt
#define __builtin_fabsf fabsf
#define __builtin_floorf floorf
#define __builtin_ceilf ceilf
#define __builtin_truncf truncf
#define __nvvm_shfl_sync_bfly_i32(mask, x, n, c) __shfl_xor_sync (mask, x, n)
#define __nvvm_shfl_sync_up_i32(mask, x, n, c) __shfl_up_sync (mask, x, n)
#define __nvvm_shfl_sync_idx_i32(mask, x, n, c) __shfl_sync (mask, x, n)
#define __nvvm_vote_ballot_sync(mask, p) __ballot_sync (mask, p)
#define __nvvm_read_ptx_sreg_tid_x() threadIdx.x
#define __nvvm_read_ptx_sreg_tid_y() threadIdx.y
#define __nvvm_read_ptx_sreg_ctaid_x() blockIdx.x
#define __nvvm_read_ptx_sreg_ctaid_y() blockIdx.y
#define __nvvm_read_ptx_sreg_ntid_x() blockDim.x
#define __nvvm_read_ptx_sreg_nctaid_x() gridDim.x
