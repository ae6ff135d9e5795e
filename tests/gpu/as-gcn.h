/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.cl for AMD: clang-19 -x cl -cl-std=CL2.0 -Xclang -finclude-default-header -O2 -S -target amdgcn-amd-amdhsa
 * -mcpu=gfx90a -nogpulib -ffp-contract=off -Xclang -cl-fp32-correctly-rounded-divide-sqrt -include as-gcn.h kernels.cl;
 * kernels-gfx90a.s and kernels-gfx942.s are that without comments and what only a linker or debugger reads. */
#pragma once
#define KERNEL kernel
#define GLOBAL global
#define SHARED local
#define SHARED_POINTER local
#define CONSTANT constant
#define DEVICE
#define __nvvm_read_ptx_sreg_tid_x __builtin_amdgcn_workitem_id_x
#define __nvvm_read_ptx_sreg_tid_y __builtin_amdgcn_workitem_id_y
#define __nvvm_read_ptx_sreg_ctaid_x __builtin_amdgcn_workgroup_id_x
#define __nvvm_read_ptx_sreg_ctaid_y __builtin_amdgcn_workgroup_id_y
#define __nvvm_read_ptx_sreg_ntid_x __builtin_amdgcn_workgroup_size_x
#define __nvvm_read_ptx_sreg_nctaid_x() (__builtin_amdgcn_grid_size_x () / __builtin_amdgcn_workgroup_size_x ())
#define __nvvm_bar_sync(n) do { __builtin_amdgcn_fence (__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier (); __builtin_amdgcn_fence (__ATOMIC_ACQUIRE, "workgroup"); } while (0)
#define __nvvm_atom_add_gen_i(at, value) __atomic_fetch_add (at, value, __ATOMIC_RELAXED)
#define __nvvm_mulhi_ull(a, b) ((ulong) (((unsigned __int128) (ulong) (a) * (ulong) (b)) >> 64))
#define __nvvm_shfl_sync_bfly_i32(m, x, n, c) __builtin_amdgcn_ds_bpermute ((int) (__nvvm_read_ptx_sreg_tid_x () ^ (n)) * 4, x)
#define __nvvm_shfl_sync_up_i32(m, x, n, c) __builtin_amdgcn_ds_bpermute (((int) __nvvm_read_ptx_sreg_tid_x () - (n)) * 4, x)
#define __nvvm_shfl_sync_idx_i32(m, x, n, c) __builtin_amdgcn_ds_bpermute ((n) * 4, x)
#define __nvvm_vote_ballot_sync(m, p) __builtin_amdgcn_ballot_w64 (p)
