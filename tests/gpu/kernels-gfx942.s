	.text
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 5
	.protected	add
	.globl	add
	.p2align	8
	.type	add,@function
add:
	s_load_dword s3, s[0:1], 0x2c
	s_load_dword s4, s[0:1], 0x18
	s_waitcnt lgkmcnt(0)
	s_and_b32 s3, s3, 0xffff
	s_mul_i32 s2, s2, s3
	v_add_u32_e32 v0, s2, v0
	v_cmp_gt_u32_e32 vcc, s4, v0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_2
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[4:5], s[4:5], 0, v[0:1]
	v_lshl_add_u64 v[2:3], s[6:7], 0, v[0:1]
	global_load_dword v6, v[4:5], off
	global_load_dword v7, v[2:3], off
	v_lshl_add_u64 v[0:1], s[2:3], 0, v[0:1]
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, v6, v7
	global_store_dword v[0:1], v2, off
.LBB0_2:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel add
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 288
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	stencil
	.globl	stencil
	.p2align	8
	.type	stencil,@function
stencil:
	s_load_dword s8, s[0:1], 0x24
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x10
	s_waitcnt lgkmcnt(0)
	s_and_b32 s0, s8, 0xffff
	s_mul_i32 s2, s2, s0
	v_add_u32_e32 v0, s2, v0
	s_add_i32 s0, s3, -1
	v_cmp_gt_i32_e32 vcc, 1, v0
	v_cmp_le_i32_e64 s[0:1], s0, v0
	s_or_b64 s[0:1], vcc, s[0:1]
	s_and_saveexec_b64 s[8:9], s[0:1]
	s_xor_b64 s[0:1], exec, s[8:9]
	s_cbranch_execnz .LBB1_3
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	s_cbranch_execnz .LBB1_6
.LBB1_2:
	s_endpgm
.LBB1_3:
	v_cmp_gt_i32_e32 vcc, s3, v0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB1_5
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshlrev_b64 v[0:1], 3, v[0:1]
	v_lshl_add_u64 v[2:3], s[4:5], 0, v[0:1]
	global_load_dwordx2 v[2:3], v[2:3], off
	v_lshl_add_u64 v[0:1], s[6:7], 0, v[0:1]
	s_waitcnt vmcnt(0)
	global_store_dwordx2 v[0:1], v[2:3], off
.LBB1_5:
	s_or_b64 exec, exec, s[2:3]
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	s_cbranch_execz .LBB1_2
.LBB1_6:
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[4:5], 3, v[0:1]
	v_lshl_add_u64 v[6:7], s[4:5], 0, v[4:5]
	global_load_dwordx4 v[0:3], v[6:7], off offset:-8
	global_load_dwordx2 v[8:9], v[6:7], off offset:8
	s_waitcnt vmcnt(1)
	v_ldexp_f64 v[0:1], v[0:1], -2
	v_mul_f64 v[2:3], v[2:3], 0.5
	s_waitcnt vmcnt(0)
	v_ldexp_f64 v[6:7], v[8:9], -2
	v_add_f64 v[0:1], v[0:1], v[2:3]
	v_add_f64 v[0:1], v[0:1], v[6:7]
	v_lshl_add_u64 v[2:3], s[6:7], 0, v[4:5]
	global_store_dwordx2 v[2:3], v[0:1], off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stencil
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 12
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	multiply
	.globl	multiply
	.p2align	8
	.type	multiply,@function
multiply:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_load_dword s10, s[0:1], 0x18
	v_and_b32_e32 v2, 0x3ff, v0
	v_bfe_u32 v0, v0, 10, 10
	v_lshl_add_u32 v1, s3, 4, v0
	s_lshl_b32 s0, s2, 4
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 1
	v_mul_lo_u32 v3, v1, s10
	s_cbranch_scc1 .LBB2_3
	v_lshlrev_b32_e32 v1, 2, v2
	v_lshlrev_b32_e32 v5, 6, v0
	v_add_u32_e32 v7, 0x400, v1
	v_mul_lo_u32 v0, v0, s10
	v_add_u32_e32 v6, v5, v1
	v_add_u32_e32 v8, v7, v5
	v_add3_u32 v0, v2, v0, s0
	s_lshl_b32 s1, s10, 4
	v_add_u32_e32 v9, v2, v3
	s_mov_b32 s2, 0
	v_mov_b32_e32 v4, 0
.LBB2_2:
	v_add_u32_e32 v10, s2, v9
	v_ashrrev_i32_e32 v1, 31, v0
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshl_add_u64 v[12:13], v[0:1], 2, s[6:7]
	v_lshl_add_u64 v[10:11], v[10:11], 2, s[4:5]
	global_load_dword v1, v[12:13], off
	global_load_dword v14, v[10:11], off
	s_add_i32 s2, s2, 16
	v_add_u32_e32 v0, s1, v0
	s_cmp_ge_i32 s2, s10
	s_waitcnt vmcnt(1)
	ds_write_b32 v8, v1
	s_waitcnt vmcnt(0)
	ds_write_b32 v6, v14
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2_b32 v[10:11], v7 offset1:16
	ds_read2_b32 v[12:13], v7 offset0:32 offset1:48
	ds_read2_b32 v[14:15], v7 offset0:64 offset1:80
	ds_read2_b32 v[16:17], v5 offset1:1
	ds_read2_b32 v[18:19], v5 offset0:2 offset1:3
	ds_read2_b32 v[20:21], v5 offset0:4 offset1:5
	ds_read2_b32 v[22:23], v5 offset0:6 offset1:7
	ds_read2_b32 v[24:25], v7 offset0:96 offset1:112
	ds_read2_b32 v[26:27], v7 offset0:128 offset1:144
	ds_read2_b32 v[28:29], v7 offset0:160 offset1:176
	ds_read2_b32 v[30:31], v7 offset0:192 offset1:208
	ds_read2_b32 v[32:33], v5 offset0:8 offset1:9
	ds_read2_b32 v[34:35], v5 offset0:10 offset1:11
	ds_read2_b32 v[36:37], v5 offset0:12 offset1:13
	ds_read2_b32 v[38:39], v5 offset0:14 offset1:15
	ds_read2_b32 v[40:41], v7 offset0:224 offset1:240
	s_waitcnt lgkmcnt(12)
	v_fmac_f32_e32 v4, v16, v10
	v_fmac_f32_e32 v4, v17, v11
	s_waitcnt lgkmcnt(11)
	v_fmac_f32_e32 v4, v18, v12
	v_fmac_f32_e32 v4, v19, v13
	s_waitcnt lgkmcnt(10)
	v_fmac_f32_e32 v4, v20, v14
	v_fmac_f32_e32 v4, v21, v15
	s_waitcnt lgkmcnt(8)
	v_fmac_f32_e32 v4, v22, v24
	v_fmac_f32_e32 v4, v23, v25
	s_waitcnt lgkmcnt(4)
	v_fmac_f32_e32 v4, v32, v26
	v_fmac_f32_e32 v4, v33, v27
	s_waitcnt lgkmcnt(3)
	v_fmac_f32_e32 v4, v34, v28
	v_fmac_f32_e32 v4, v35, v29
	s_waitcnt lgkmcnt(2)
	v_fmac_f32_e32 v4, v36, v30
	v_fmac_f32_e32 v4, v37, v31
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v4, v38, v40
	v_fmac_f32_e32 v4, v39, v41
	s_barrier
	s_cbranch_scc0 .LBB2_2
	s_branch .LBB2_4
.LBB2_3:
	v_mov_b32_e32 v4, 0
.LBB2_4:
	v_add3_u32 v2, s0, v2, v3
	v_mov_b32_e32 v0, s8
	v_mov_b32_e32 v1, s9
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	global_store_dword v[0:1], v4, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel multiply
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 28
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_vgpr_workitem_id 1
		.amdhsa_next_free_vgpr 42
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 44
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	total
	.globl	total
	.p2align	8
	.type	total,@function
total:
	s_load_dword s3, s[0:1], 0x24
	s_load_dword s9, s[0:1], 0x10
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	s_and_b32 s8, s3, 0xffff
	s_mul_i32 s2, s2, s8
	v_add_u32_e32 v2, s2, v0
	v_cmp_gt_u32_e32 vcc, s9, v2
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB3_4
	s_lshl_b32 s10, s8, 1
	s_mov_b64 s[2:3], 0
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v1, 0
.LBB3_2:
	v_lshl_add_u64 v[4:5], v[2:3], 2, s[4:5]
	global_load_dword v4, v[4:5], off
	v_add_u32_e32 v2, s10, v2
	v_cmp_le_u32_e32 vcc, s9, v2
	s_or_b64 s[2:3], vcc, s[2:3]
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v1, v4, v1
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB3_2
	s_or_b64 exec, exec, s[2:3]
.LBB3_4:
	s_or_b64 exec, exec, s[0:1]
	v_lshlrev_b32_e32 v2, 2, v0
	s_cmp_lt_u32 s8, 2
	ds_write_b32 v2, v1
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc0 .LBB3_10
.LBB3_5:
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB3_8
	s_mov_b64 s[0:1], exec
	v_mbcnt_lo_u32_b32 v0, s0, 0
	v_mbcnt_hi_u32_b32 v0, s1, v0
	v_cmp_eq_u32_e32 vcc, 0, v0
	s_and_b64 s[2:3], exec, vcc
	s_mov_b64 exec, s[2:3]
	s_cbranch_execz .LBB3_8
	v_mov_b32_e32 v0, 0
	ds_read_b32 v1, v0
	s_bcnt1_i32_b64 s0, s[0:1]
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v1, v1, s0
	global_atomic_add v0, v1, s[6:7] sc1
.LBB3_8:
	s_endpgm
.LBB3_9:
	s_or_b64 exec, exec, s[0:1]
	s_cmp_lt_u32 s8, 4
	s_mov_b32 s8, s2
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB3_5
.LBB3_10:
	s_lshr_b32 s2, s8, 1
	v_cmp_gt_u32_e32 vcc, s2, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB3_9
	v_lshl_add_u32 v1, s2, 2, v2
	ds_read_b32 v1, v1
	ds_read_b32 v3, v2
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v1, v3, v1
	ds_write_b32 v2, v1
	s_branch .LBB3_9
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel total
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	histogram
	.globl	histogram
	.p2align	8
	.type	histogram,@function
histogram:
	s_movk_i32 s6, 0x100
	s_add_u32 s12, s2, 24
	v_cmp_gt_u32_e32 vcc, s6, v0
	s_addc_u32 s13, s3, 0
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB4_13
	s_load_dword s5, s[12:13], 0xc
	s_waitcnt lgkmcnt(0)
	s_and_b32 s5, s5, 0xffff
	v_add_u32_e32 v1, s5, v0
	v_cvt_f32_u32_e32 v3, s5
	v_mov_b32_e32 v2, s5
	v_cmp_gt_u32_e64 s[6:7], s6, v1
	v_max_u32_e32 v4, 0x100, v1
	s_cmp_eq_u32 s5, 1
	v_addc_co_u32_e64 v1, s[8:9], v0, v2, s[6:7]
	v_sub_u32_e32 v1, v4, v1
	v_cvt_f32_u32_e32 v1, v1
	v_rcp_iflag_f32_e32 v2, v3
	s_cselect_b64 s[14:15], -1, 0
	v_mul_f32_e32 v2, v1, v2
	v_trunc_f32_e32 v2, v2
	v_cvt_u32_f32_e32 v4, v2
	v_fma_f32 v1, -v2, v3, v1
	v_cmp_ge_f32_e64 s[8:9], |v1|, v3
	v_mov_b32_e32 v2, v0
	s_nop 0
	v_addc_co_u32_e64 v1, s[8:9], 0, v4, s[8:9]
	v_and_b32_e32 v3, 0x3fff, v1
	v_addc_co_u32_e64 v1, s[8:9], 1, v3, s[6:7]
	v_cmp_lt_u32_e64 s[8:9], 1, v1
	s_and_b64 s[16:17], s[8:9], s[14:15]
	s_mov_b64 s[14:15], -1
	s_and_saveexec_b64 s[8:9], s[16:17]
	s_cbranch_execz .LBB4_10
	v_addc_co_u32_e64 v2, s[6:7], 0, v3, s[6:7]
	v_add_u32_e32 v3, -1, v2
	v_lshrrev_b32_e32 v2, 1, v3
	v_add_u32_e32 v2, 1, v2
	v_cmp_lt_u32_e64 s[6:7], 13, v3
	v_mov_b32_e32 v6, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB4_6
	v_and_b32_e32 v3, -8, v2
	v_lshlrev_b32_e32 v4, 2, v0
	s_lshl_b32 s18, s5, 6
	s_lshl_b32 s19, s5, 3
	s_mov_b32 s20, 0
	s_mov_b64 s[16:17], 0
	v_mov_b32_e32 v5, 0
.LBB4_4:
	v_add_u32_e32 v6, s19, v4
	v_add_u32_e32 v7, s19, v6
	ds_write2_b32 v7, v5, v5 offset1:1
	v_add_u32_e32 v7, s19, v7
	ds_write2_b32 v7, v5, v5 offset1:1
	v_add_u32_e32 v7, s19, v7
	v_add_u32_e32 v3, -8, v3
	ds_write2_b32 v7, v5, v5 offset1:1
	v_add_u32_e32 v7, s19, v7
	s_add_i32 s20, s20, 16
	v_cmp_eq_u32_e64 s[6:7], 0, v3
	ds_write2_b32 v7, v5, v5 offset1:1
	v_add_u32_e32 v7, s19, v7
	ds_write2_b32 v4, v5, v5 offset1:1
	v_add_u32_e32 v4, s18, v4
	ds_write2_b32 v6, v5, v5 offset1:1
	v_mov_b32_e32 v6, s20
	s_or_b64 s[16:17], s[6:7], s[16:17]
	ds_write2_b32 v7, v5, v5 offset1:1
	v_add_u32_e32 v7, s19, v7
	ds_write2_b32 v7, v5, v5 offset1:1
	s_andn2_b64 exec, exec, s[16:17]
	s_cbranch_execnz .LBB4_4
	s_or_b64 exec, exec, s[16:17]
.LBB4_6:
	s_or_b64 exec, exec, s[14:15]
	v_and_b32_e32 v2, 7, v2
	v_cmp_ne_u32_e64 s[6:7], 0, v2
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB4_9
	v_mul_lo_u32 v3, v6, s5
	v_add_lshl_u32 v3, v0, v3, 2
	s_lshl_b32 s18, s5, 3
	s_mov_b64 s[16:17], 0
	v_mov_b32_e32 v4, 0
.LBB4_8:
	v_add_u32_e32 v2, -1, v2
	v_cmp_eq_u32_e64 s[6:7], 0, v2
	ds_write2_b32 v3, v4, v4 offset1:1
	s_or_b64 s[16:17], s[6:7], s[16:17]
	v_add_u32_e32 v3, s18, v3
	s_andn2_b64 exec, exec, s[16:17]
	s_cbranch_execnz .LBB4_8
.LBB4_9:
	s_or_b64 exec, exec, s[14:15]
	v_and_b32_e32 v3, 0x7ffe, v1
	v_cmp_ne_u32_e64 s[6:7], v1, v3
	v_mad_u32_u24 v2, v3, s5, v0
	s_orn2_b64 s[14:15], s[6:7], exec
.LBB4_10:
	s_or_b64 exec, exec, s[8:9]
	s_and_b64 exec, exec, s[14:15]
	s_cbranch_execz .LBB4_13
	v_lshlrev_b32_e32 v1, 2, v2
	s_lshl_b32 s14, s5, 2
	s_mov_b64 s[8:9], 0
	v_mov_b32_e32 v3, 0
	s_movk_i32 s15, 0xff
.LBB4_12:
	v_add_u32_e32 v2, s5, v2
	v_cmp_lt_u32_e64 s[6:7], s15, v2
	ds_write_b32 v1, v3
	s_or_b64 s[8:9], s[6:7], s[8:9]
	v_add_u32_e32 v1, s14, v1
	s_andn2_b64 exec, exec, s[8:9]
	s_cbranch_execnz .LBB4_12
.LBB4_13:
	s_or_b64 exec, exec, s[10:11]
	s_load_dword s5, s[12:13], 0xc
	s_load_dwordx4 s[8:11], s[2:3], 0x0
	s_load_dword s7, s[2:3], 0x10
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_b32 s6, s5, 0xffff
	s_mul_i32 s4, s4, s6
	v_add_u32_e32 v1, s4, v0
	v_cmp_gt_u32_e64 s[2:3], s7, v1
	s_and_saveexec_b64 s[4:5], s[2:3]
	s_cbranch_execz .LBB4_16
	v_cvt_f32_u32_e32 v2, s6
	s_load_dword s12, s[0:1], 0xc
	s_sub_i32 s0, 0, s6
	s_mov_b64 s[2:3], 0
	v_rcp_iflag_f32_e32 v2, v2
	s_nop 0
	v_mul_f32_e32 v2, 0x4f7ffffe, v2
	v_cvt_u32_f32_e32 v2, v2
	s_nop 0
	v_readfirstlane_b32 s1, v2
	s_mul_i32 s0, s0, s1
	s_mul_hi_u32 s0, s1, s0
	s_add_i32 s1, s1, s0
	s_waitcnt lgkmcnt(0)
	s_mul_hi_u32 s0, s12, s1
	s_mul_i32 s0, s0, s6
	s_sub_i32 s0, s12, s0
	s_sub_i32 s1, s0, s6
	s_cmp_ge_u32 s0, s6
	s_cselect_b32 s0, s1, s0
	s_sub_i32 s1, s0, s6
	s_cmp_ge_u32 s0, s6
	s_cselect_b32 s13, s1, s0
	v_mov_b32_e32 v2, 1
.LBB4_15:
	global_load_ubyte v3, v1, s[8:9]
	v_subrev_u32_e32 v1, s13, v1
	v_add_u32_e32 v1, s12, v1
	v_cmp_le_u32_e64 s[0:1], s7, v1
	s_or_b64 s[2:3], s[0:1], s[2:3]
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_e32 v3, 2, v3
	ds_add_u32 v3, v2
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB4_15
.LBB4_16:
	s_or_b64 exec, exec, s[4:5]
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB4_19
	v_lshlrev_b32_e32 v2, 2, v0
	v_mov_b32_e32 v3, 0
	s_mov_b32 s1, 0
	v_lshl_add_u64 v[4:5], s[10:11], 0, v[2:3]
	s_lshl_b32 s0, s6, 2
	s_mov_b64 s[2:3], 0
	s_movk_i32 s4, 0xff
.LBB4_18:
	ds_read_b32 v1, v2
	v_add_u32_e32 v0, s6, v0
	v_cmp_lt_u32_e32 vcc, s4, v0
	v_add_u32_e32 v2, s0, v2
	s_or_b64 s[2:3], vcc, s[2:3]
	s_waitcnt lgkmcnt(0)
	global_atomic_add v[4:5], v1, off sc1
	v_lshl_add_u64 v[4:5], v[4:5], 0, s[0:1]
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB4_18
.LBB4_19:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel histogram
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 4
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 21
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	collatz
	.globl	collatz
	.p2align	8
	.type	collatz,@function
collatz:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x1c
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v4, v1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s4
	s_and_b32 s0, s3, 0xffff
	s_mul_i32 s2, s2, s0
	v_mov_b32_e32 v3, s5
	v_add_u32_e32 v0, s2, v0
	v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]
	global_load_dword v2, v[2:3], off
	s_waitcnt vmcnt(0)
	v_cmp_ne_u32_e32 vcc, 1, v2
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB5_8
	v_mov_b32_e32 v3, 0
	s_mov_b32 s8, 0
	s_mov_b64 s[2:3], 0
	s_branch .LBB5_3
.LBB5_2:
	s_or_b64 exec, exec, s[4:5]
	s_add_i32 s9, s8, 1
	s_cmp_gt_u32 s8, 0x1869f
	s_cselect_b64 s[4:5], -1, 0
	v_cmp_eq_u64_e32 vcc, 1, v[2:3]
	s_or_b64 s[4:5], s[4:5], vcc
	s_and_b64 s[4:5], exec, s[4:5]
	s_or_b64 s[2:3], s[4:5], s[2:3]
	v_mov_b32_e32 v4, s9
	s_mov_b32 s8, s9
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execz .LBB5_7
.LBB5_3:
	v_and_b32_e32 v4, 1, v2
	v_cmp_eq_u32_e32 vcc, 1, v4
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[4:5], exec, s[4:5]
	v_mad_u64_u32 v[4:5], s[10:11], v2, 3, 1
	v_mov_b32_e32 v2, v5
	v_mad_u64_u32 v[2:3], s[10:11], v3, 3, v[2:3]
	v_mov_b32_e32 v5, v2
	v_mov_b64_e32 v[2:3], v[4:5]
	s_andn2_saveexec_b64 s[4:5], s[4:5]
	s_cbranch_execz .LBB5_2
	v_lshrrev_b64 v[2:3], 1, v[2:3]
	s_branch .LBB5_2
.LBB5_7:
	s_or_b64 exec, exec, s[2:3]
.LBB5_8:
	s_or_b64 exec, exec, s[0:1]
	v_mov_b32_e32 v2, s6
	v_mov_b32_e32 v3, s7
	v_lshl_add_u64 v[0:1], v[0:1], 2, v[2:3]
	global_store_dword v[0:1], v4, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel collatz
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	calls
	.globl	calls
	.p2align	8
	.type	calls,@function
calls:
	v_mov_b32_e32 v20, v0
	s_mov_b32 s6, s2
	v_cmp_gt_u32_e32 vcc, 8, v20
	s_mov_b32 s32, 0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB7_2
	v_lshlrev_b32_e32 v0, 2, v20
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, primes@rel32@lo+4
	s_addc_u32 s5, s5, primes@rel32@hi+12
	global_load_dword v1, v0, s[4:5]
	s_movk_i32 s4, 0x64
	s_waitcnt vmcnt(0)
	v_mad_u32_u24 v1, v20, s4, v1
	ds_write_b32 v0, v1
.LBB7_2:
	s_or_b64 exec, exec, s[2:3]
	v_mov_b32_e32 v21, 0
	global_load_ushort v4, v21, s[0:1] offset:26
	s_load_dwordx2 s[10:11], s[0:1], 0x0
	s_load_dword s2, s[0:1], 0x8
	s_load_dwordx4 s[12:15], s[0:1], 0x10
	s_load_dword s7, s[0:1], 0x2c
	v_mul_u32_u24_e32 v0, 0x3334, v20
	v_mov_b32_e32 v1, 5
	s_add_u32 s8, s0, 32
	v_mul_lo_u16_sdwa v0, v0, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
	s_addc_u32 s9, s1, 0
	v_sub_u16_e32 v6, v20, v0
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v0, s2, v20
	v_mov_b32_e32 v1, s12
	v_mov_b32_e32 v2, s13
	v_mov_b32_e32 v3, s14
	v_mov_b32_e32 v5, s15
	s_barrier
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, walk@rel32@lo+4
	s_addc_u32 s1, s1, walk@rel32@hi+12
	s_swappc_b64 s[30:31], s[0:1]
	s_and_b32 s0, s7, 0xffff
	s_mul_i32 s6, s6, s0
	v_add_u32_e32 v20, s6, v20
	v_lshl_add_u64 v[2:3], v[20:21], 2, s[10:11]
	global_store_dword v[2:3], v0, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel calls
		.amdhsa_group_segment_fixed_size 32
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 288
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 22
		.amdhsa_next_free_sgpr 33
		.amdhsa_accum_offset 24
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.p2align	2
	.type	walk,@function
walk:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mov_b32_e32 v14, 0
	ds_read_b128 v[8:11], v14
	ds_read_b128 v[16:19], v14 offset:16
	v_mov_b32_e32 v13, v2
	v_bfe_i32 v2, v5, 0, 16
	v_mov_b32_e32 v12, v1
	v_bfe_i32 v1, v4, 0, 16
	s_waitcnt lgkmcnt(1)
	v_lshl_add_u32 v5, v2, 1, v10
	v_bfe_i32 v10, v3, 0, 16
	v_add_u32_e32 v7, v9, v1
	v_mad_i32_i24 v9, v10, 3, v11
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u32 v4, v1, 2, v16
	v_mad_i32_i24 v3, v2, 5, v17
	v_mad_i32_i24 v2, v10, 6, v18
	v_mad_i32_i24 v1, v1, 7, v19
	v_cmp_lt_i32_e32 vcc, 0, v6
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB6_4
	s_mov_b64 s[4:5], 0
	v_mov_b32_e32 v10, v6
.LBB6_2:
	v_and_b32_e32 v11, 7, v10
	v_cmp_gt_i32_e32 vcc, 2, v10
	v_cmp_eq_u32_e64 s[0:1], 1, v11
	v_add_u32_e32 v14, -1, v10
	s_or_b64 s[4:5], vcc, s[4:5]
	v_cndmask_b32_e64 v15, v8, v7, s[0:1]
	v_cmp_eq_u32_e32 vcc, 2, v11
	v_mov_b32_e32 v10, v14
	s_nop 0
	v_cndmask_b32_e32 v14, v15, v5, vcc
	v_cmp_eq_u32_e32 vcc, 3, v11
	s_nop 1
	v_cndmask_b32_e32 v14, v14, v9, vcc
	v_cmp_eq_u32_e32 vcc, 4, v11
	s_nop 1
	v_cndmask_b32_e32 v14, v14, v4, vcc
	v_cmp_eq_u32_e32 vcc, 5, v11
	s_nop 1
	v_cndmask_b32_e32 v14, v14, v3, vcc
	v_cmp_eq_u32_e32 vcc, 6, v11
	s_nop 1
	v_cndmask_b32_e32 v14, v14, v2, vcc
	v_cmp_eq_u32_e32 vcc, 7, v11
	s_nop 1
	v_cndmask_b32_e32 v11, v14, v1, vcc
	v_add_u32_e32 v0, v11, v0
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB6_2
	s_or_b64 exec, exec, s[4:5]
	v_mov_b32_e32 v14, v6
.LBB6_4:
	s_or_b64 exec, exec, s[2:3]
	v_and_b32_e32 v10, 7, v0
	v_cmp_eq_u32_e32 vcc, 1, v10
	v_cvt_i32_f64_e32 v6, v[12:13]
	s_nop 0
	v_cndmask_b32_e32 v7, v8, v7, vcc
	v_cmp_eq_u32_e32 vcc, 2, v10
	s_nop 1
	v_cndmask_b32_e32 v5, v7, v5, vcc
	v_cmp_eq_u32_e32 vcc, 3, v10
	s_nop 1
	v_cndmask_b32_e32 v5, v5, v9, vcc
	v_cmp_eq_u32_e32 vcc, 4, v10
	s_nop 1
	v_cndmask_b32_e32 v4, v5, v4, vcc
	v_cmp_eq_u32_e32 vcc, 5, v10
	s_nop 1
	v_cndmask_b32_e32 v3, v4, v3, vcc
	v_cmp_eq_u32_e32 vcc, 6, v10
	s_nop 1
	v_cndmask_b32_e32 v2, v3, v2, vcc
	v_cmp_eq_u32_e32 vcc, 7, v10
	s_nop 1
	v_cndmask_b32_e32 v1, v2, v1, vcc
	v_add_u32_e32 v2, v14, v6
	v_add3_u32 v0, v2, v0, v1
	s_setpc_b64 s[30:31]
	.text
	.protected	whole
	.globl	whole
	.p2align	8
	.type	whole,@function
whole:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x1c
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v1, v10
	v_mov_b64_e32 v[12:13], 1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s4
	s_and_b32 s0, s3, 0xffff
	s_mul_i32 s2, s2, s0
	v_add_u32_e32 v14, s2, v0
	v_mov_b32_e32 v3, s5
	v_lshlrev_b32_e32 v0, 1, v14
	v_lshl_add_u64 v[0:1], v[0:1], 3, v[2:3]
	global_load_dwordx4 v[4:7], v[0:1], off
	v_mov_b64_e32 v[8:9], 0
	s_waitcnt vmcnt(0)
	v_mov_b64_e32 v[0:1], v[4:5]
	v_cmp_ne_u64_e32 vcc, 0, v[6:7]
	v_or_b32_e32 v2, 1, v6
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB8_6
	v_or_b32_e32 v11, v5, v7
	v_mov_b32_e32 v3, v7
	v_cmp_ne_u64_e32 vcc, 0, v[10:11]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[4:5], exec, s[0:1]
	s_cbranch_execz .LBB8_3
	v_ashrrev_i32_e32 v8, 31, v3
	v_mov_b32_e32 v9, v8
	v_lshl_add_u64 v[10:11], v[2:3], 0, v[8:9]
	v_xor_b32_e32 v9, v11, v8
	v_xor_b32_e32 v15, v10, v8
	v_cvt_f32_u32_e32 v10, v15
	v_cvt_f32_u32_e32 v11, v9
	v_sub_co_u32_e32 v21, vcc, 0, v15
	v_mov_b32_e32 v17, 0
	v_fmamk_f32 v10, v11, 0x4f800000, v10
	v_rcp_f32_e32 v10, v10
	v_subb_co_u32_e32 v22, vcc, 0, v9, vcc
	v_mul_f32_e32 v10, 0x5f7ffffc, v10
	v_mul_f32_e32 v11, 0x2f800000, v10
	v_trunc_f32_e32 v11, v11
	v_fmamk_f32 v10, v11, 0xcf800000, v10
	v_cvt_u32_f32_e32 v20, v10
	v_cvt_u32_f32_e32 v23, v11
	v_mul_lo_u32 v12, v22, v20
	v_mad_u64_u32 v[10:11], s[0:1], v21, v20, 0
	v_mul_lo_u32 v13, v21, v23
	v_add3_u32 v11, v11, v13, v12
	v_mad_u64_u32 v[12:13], s[0:1], v20, v11, 0
	v_mul_hi_u32 v16, v20, v10
	v_lshl_add_u64 v[12:13], v[16:17], 0, v[12:13]
	v_mad_u64_u32 v[18:19], s[0:1], v23, v11, 0
	v_mad_u64_u32 v[10:11], s[0:1], v23, v10, 0
	v_add_co_u32_e32 v10, vcc, v12, v10
	s_nop 1
	v_addc_co_u32_e32 v16, vcc, v13, v11, vcc
	s_nop 1
	v_addc_co_u32_e32 v19, vcc, 0, v19, vcc
	v_lshl_add_u64 v[10:11], v[16:17], 0, v[18:19]
	v_add_co_u32_e32 v24, vcc, v20, v10
	v_mul_lo_u32 v13, v22, v24
	s_nop 0
	v_addc_co_u32_e32 v23, vcc, v23, v11, vcc
	v_mul_lo_u32 v12, v21, v23
	v_mad_u64_u32 v[10:11], s[0:1], v21, v24, 0
	v_add3_u32 v11, v11, v12, v13
	v_mad_u64_u32 v[20:21], s[0:1], v24, v11, 0
	v_mul_hi_u32 v16, v24, v10
	v_mad_u64_u32 v[12:13], s[0:1], v23, v11, 0
	v_mad_u64_u32 v[18:19], s[0:1], v23, v10, 0
	v_lshl_add_u64 v[10:11], v[16:17], 0, v[20:21]
	v_add_co_u32_e32 v10, vcc, v10, v18
	s_nop 1
	v_addc_co_u32_e32 v16, vcc, v11, v19, vcc
	s_nop 1
	v_addc_co_u32_e32 v13, vcc, 0, v13, vcc
	v_lshl_add_u64 v[10:11], v[16:17], 0, v[12:13]
	v_add_co_u32_e32 v20, vcc, v24, v10
	v_ashrrev_i32_e32 v10, 31, v5
	s_nop 0
	v_addc_co_u32_e32 v18, vcc, v23, v11, vcc
	v_mov_b32_e32 v11, v10
	v_lshl_add_u64 v[12:13], v[4:5], 0, v[10:11]
	v_xor_b32_e32 v22, v12, v10
	v_xor_b32_e32 v11, v13, v10
	v_mad_u64_u32 v[12:13], s[0:1], v22, v18, 0
	v_mul_hi_u32 v16, v22, v20
	v_lshl_add_u64 v[12:13], v[16:17], 0, v[12:13]
	v_mad_u64_u32 v[20:21], s[0:1], v11, v20, 0
	v_add_co_u32_e32 v12, vcc, v12, v20
	v_mad_u64_u32 v[18:19], s[0:1], v11, v18, 0
	s_nop 0
	v_addc_co_u32_e32 v16, vcc, v13, v21, vcc
	v_xor_b32_e32 v10, v10, v8
	s_nop 0
	v_addc_co_u32_e32 v19, vcc, 0, v19, vcc
	v_lshl_add_u64 v[12:13], v[16:17], 0, v[18:19]
	v_mul_lo_u32 v18, v9, v12
	v_mul_lo_u32 v19, v15, v13
	v_mad_u64_u32 v[16:17], s[0:1], v15, v12, 0
	v_add3_u32 v20, v17, v19, v18
	v_sub_u32_e32 v17, v11, v20
	v_sub_co_u32_e32 v21, vcc, v22, v16
	s_nop 1
	v_subb_co_u32_e64 v16, s[0:1], v17, v9, vcc
	v_sub_co_u32_e64 v17, s[0:1], v21, v15
	v_subb_co_u32_e32 v11, vcc, v11, v20, vcc
	s_nop 0
	v_subbrev_co_u32_e64 v16, s[0:1], 0, v16, s[0:1]
	v_cmp_ge_u32_e64 s[0:1], v16, v9
	v_cmp_ge_u32_e32 vcc, v11, v9
	s_nop 0
	v_cndmask_b32_e64 v18, 0, -1, s[0:1]
	v_cmp_ge_u32_e64 s[0:1], v17, v15
	s_nop 1
	v_cndmask_b32_e64 v17, 0, -1, s[0:1]
	v_cmp_eq_u32_e64 s[0:1], v16, v9
	s_nop 1
	v_cndmask_b32_e64 v22, v18, v17, s[0:1]
	v_lshl_add_u64 v[16:17], v[12:13], 0, 2
	v_lshl_add_u64 v[18:19], v[12:13], 0, 1
	v_cmp_ne_u32_e64 s[0:1], 0, v22
	s_nop 1
	v_cndmask_b32_e64 v17, v19, v17, s[0:1]
	v_cndmask_b32_e64 v19, 0, -1, vcc
	v_cmp_ge_u32_e32 vcc, v21, v15
	s_nop 1
	v_cndmask_b32_e64 v15, 0, -1, vcc
	v_cmp_eq_u32_e32 vcc, v11, v9
	v_cndmask_b32_e64 v11, v18, v16, s[0:1]
	s_nop 0
	v_cndmask_b32_e32 v9, v19, v15, vcc
	v_cmp_ne_u32_e32 vcc, 0, v9
	s_nop 1
	v_cndmask_b32_e32 v11, v12, v11, vcc
	v_cndmask_b32_e32 v9, v13, v17, vcc
	v_xor_b32_e32 v8, v11, v10
	v_xor_b32_e32 v9, v9, v10
	v_sub_co_u32_e32 v8, vcc, v8, v10
	s_nop 1
	v_subb_co_u32_e32 v9, vcc, v9, v10, vcc
.LBB8_3:
	s_andn2_saveexec_b64 s[0:1], s[4:5]
	s_cbranch_execz .LBB8_5
	v_cvt_f32_u32_e32 v8, v2
	v_sub_u32_e32 v9, 0, v2
	v_rcp_iflag_f32_e32 v8, v8
	s_nop 0
	v_mul_f32_e32 v8, 0x4f7ffffe, v8
	v_cvt_u32_f32_e32 v8, v8
	v_mul_lo_u32 v9, v9, v8
	v_mul_hi_u32 v9, v8, v9
	v_add_u32_e32 v8, v8, v9
	v_mul_hi_u32 v8, v4, v8
	v_mul_lo_u32 v9, v8, v2
	v_sub_u32_e32 v9, v4, v9
	v_add_u32_e32 v10, 1, v8
	v_sub_u32_e32 v11, v9, v2
	v_cmp_ge_u32_e32 vcc, v9, v2
	s_nop 1
	v_cndmask_b32_e32 v9, v9, v11, vcc
	v_cndmask_b32_e32 v8, v8, v10, vcc
	v_add_u32_e32 v10, 1, v8
	v_cmp_ge_u32_e32 vcc, v9, v2
	v_mov_b32_e32 v9, 0
	s_nop 0
	v_cndmask_b32_e32 v8, v8, v10, vcc
.LBB8_5:
	s_or_b64 exec, exec, s[0:1]
	v_mov_b64_e32 v[12:13], v[2:3]
.LBB8_6:
	s_or_b64 exec, exec, s[2:3]
	s_mov_b32 s0, 0x24924925
	v_mul_hi_u32 v3, v4, s0
	v_sub_u32_e32 v10, v4, v3
	v_lshrrev_b32_e32 v10, 1, v10
	v_add_u32_e32 v3, v10, v3
	v_lshrrev_b32_e32 v3, 2, v3
	v_mul_lo_u32 v3, v3, 7
	v_sub_u32_e32 v3, v4, v3
	v_cmp_lt_i32_e32 vcc, 1, v3
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB8_20
	v_cmp_lt_i32_e32 vcc, 2, v3
	s_and_saveexec_b64 s[2:3], vcc
	s_xor_b64 s[2:3], exec, s[2:3]
	s_cbranch_execz .LBB8_17
	v_cmp_lt_i32_e32 vcc, 3, v3
	s_and_saveexec_b64 s[4:5], vcc
	s_xor_b64 s[4:5], exec, s[4:5]
	s_cbranch_execz .LBB8_14
	v_cmp_ne_u32_e32 vcc, 4, v3
	s_and_saveexec_b64 s[8:9], vcc
	s_xor_b64 s[8:9], exec, s[8:9]
	s_mov_b64 s[10:11], 0x4d
	s_or_saveexec_b64 s[8:9], s[8:9]
	v_mov_b64_e32 v[0:1], s[10:11]
	s_xor_b64 exec, exec, s[8:9]
	s_cbranch_execz .LBB8_13
	v_and_b32_e32 v0, 7, v6
	v_lshlrev_b32_e32 v0, 2, v0
	s_getpc_b64 s[10:11]
	s_add_u32 s10, s10, primes@rel32@lo+4
	s_addc_u32 s11, s11, primes@rel32@hi+12
	global_load_dword v0, v0, s[10:11]
	s_waitcnt vmcnt(0)
	v_ashrrev_i32_e32 v1, 31, v0
.LBB8_13:
	s_or_b64 exec, exec, s[8:9]
.LBB8_14:
	s_andn2_saveexec_b64 s[4:5], s[4:5]
	v_not_b32_e32 v1, v5
	v_not_b32_e32 v0, v4
	s_or_b64 exec, exec, s[4:5]
.LBB8_17:
	s_andn2_saveexec_b64 s[2:3], s[2:3]
	v_xor_b32_e32 v1, v7, v5
	v_xor_b32_e32 v0, v6, v4
	s_or_b64 exec, exec, s[2:3]
.LBB8_20:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	s_cbranch_execz .LBB8_24
	v_cmp_lt_i32_e32 vcc, 0, v3
	s_and_saveexec_b64 s[2:3], vcc
	v_mad_u64_u32 v[0:1], s[4:5], v6, 3, 0
	v_mov_b32_e32 v10, v1
	v_mad_u64_u32 v[10:11], s[4:5], v7, 3, v[10:11]
	v_mov_b32_e32 v1, v10
	s_or_b64 exec, exec, s[2:3]
.LBB8_24:
	s_or_b64 exec, exec, s[0:1]
	v_or_b32_e32 v11, v5, v13
	v_mov_b32_e32 v10, 0
	v_cmp_ne_u64_e32 vcc, 0, v[10:11]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[4:5], exec, s[0:1]
	s_cbranch_execz .LBB8_26
	v_cvt_f32_u32_e32 v3, v12
	v_cvt_f32_u32_e32 v11, v13
	v_sub_co_u32_e32 v15, vcc, 0, v12
	v_mov_b32_e32 v21, v10
	v_fmamk_f32 v3, v11, 0x4f800000, v3
	v_rcp_f32_e32 v3, v3
	v_subb_co_u32_e32 v22, vcc, 0, v13, vcc
	v_mul_f32_e32 v3, 0x5f7ffffc, v3
	v_mul_f32_e32 v11, 0x2f800000, v3
	v_trunc_f32_e32 v11, v11
	v_fmamk_f32 v3, v11, 0xcf800000, v3
	v_cvt_u32_f32_e32 v11, v11
	v_cvt_u32_f32_e32 v3, v3
	v_mul_lo_u32 v18, v15, v11
	v_mul_lo_u32 v19, v22, v3
	v_mad_u64_u32 v[16:17], s[0:1], v15, v3, 0
	v_add3_u32 v17, v17, v18, v19
	v_mad_u64_u32 v[18:19], s[0:1], v3, v17, 0
	v_mul_hi_u32 v20, v3, v16
	v_lshl_add_u64 v[18:19], v[20:21], 0, v[18:19]
	v_mad_u64_u32 v[20:21], s[0:1], v11, v17, 0
	v_mad_u64_u32 v[16:17], s[0:1], v11, v16, 0
	v_add_co_u32_e32 v16, vcc, v18, v16
	s_nop 1
	v_addc_co_u32_e32 v16, vcc, v19, v17, vcc
	v_mov_b32_e32 v17, v10
	s_nop 0
	v_addc_co_u32_e32 v21, vcc, 0, v21, vcc
	v_lshl_add_u64 v[16:17], v[16:17], 0, v[20:21]
	v_add_co_u32_e32 v3, vcc, v3, v16
	v_mul_lo_u32 v19, v22, v3
	s_nop 0
	v_addc_co_u32_e32 v11, vcc, v11, v17, vcc
	v_mul_lo_u32 v18, v15, v11
	v_mad_u64_u32 v[16:17], s[0:1], v15, v3, 0
	v_add3_u32 v15, v17, v18, v19
	v_mad_u64_u32 v[20:21], s[0:1], v11, v16, 0
	v_mad_u64_u32 v[22:23], s[0:1], v3, v15, 0
	v_mul_hi_u32 v16, v3, v16
	v_mov_b32_e32 v17, v10
	v_lshl_add_u64 v[16:17], v[16:17], 0, v[22:23]
	v_mad_u64_u32 v[18:19], s[0:1], v11, v15, 0
	v_add_co_u32_e32 v15, vcc, v16, v20
	s_nop 1
	v_addc_co_u32_e32 v16, vcc, v17, v21, vcc
	v_mov_b32_e32 v17, v10
	s_nop 0
	v_addc_co_u32_e32 v19, vcc, 0, v19, vcc
	v_lshl_add_u64 v[16:17], v[16:17], 0, v[18:19]
	v_add_co_u32_e32 v3, vcc, v3, v16
	v_mul_hi_u32 v18, v4, v3
	s_nop 0
	v_addc_co_u32_e32 v11, vcc, v11, v17, vcc
	v_mad_u64_u32 v[16:17], s[0:1], v4, v11, 0
	v_mov_b32_e32 v19, v10
	v_lshl_add_u64 v[16:17], v[18:19], 0, v[16:17]
	v_mad_u64_u32 v[20:21], s[0:1], v5, v3, 0
	v_add_co_u32_e32 v3, vcc, v16, v20
	v_mad_u64_u32 v[18:19], s[0:1], v5, v11, 0
	s_nop 0
	v_addc_co_u32_e32 v16, vcc, v17, v21, vcc
	v_mov_b32_e32 v17, v10
	s_nop 0
	v_addc_co_u32_e32 v19, vcc, 0, v19, vcc
	v_lshl_add_u64 v[10:11], v[16:17], 0, v[18:19]
	v_mul_lo_u32 v3, v13, v10
	v_mul_lo_u32 v15, v12, v11
	v_mad_u64_u32 v[10:11], s[0:1], v12, v10, 0
	v_add3_u32 v3, v11, v15, v3
	v_sub_u32_e32 v11, v5, v3
	v_sub_co_u32_e32 v10, vcc, v4, v10
	s_nop 1
	v_subb_co_u32_e64 v11, s[0:1], v11, v13, vcc
	v_sub_co_u32_e64 v15, s[0:1], v10, v12
	v_subb_co_u32_e32 v3, vcc, v5, v3, vcc
	s_nop 0
	v_subbrev_co_u32_e64 v16, s[2:3], 0, v11, s[0:1]
	v_cmp_ge_u32_e64 s[2:3], v16, v13
	v_subb_co_u32_e64 v11, s[0:1], v11, v13, s[0:1]
	s_nop 0
	v_cndmask_b32_e64 v17, 0, -1, s[2:3]
	v_cmp_ge_u32_e64 s[2:3], v15, v12
	v_cmp_ge_u32_e32 vcc, v3, v13
	s_nop 0
	v_cndmask_b32_e64 v18, 0, -1, s[2:3]
	v_cmp_eq_u32_e64 s[2:3], v16, v13
	s_nop 1
	v_cndmask_b32_e64 v17, v17, v18, s[2:3]
	v_sub_co_u32_e64 v18, s[0:1], v15, v12
	s_nop 1
	v_subbrev_co_u32_e64 v11, s[0:1], 0, v11, s[0:1]
	v_cmp_ne_u32_e64 s[0:1], 0, v17
	s_nop 1
	v_cndmask_b32_e64 v11, v16, v11, s[0:1]
	v_cndmask_b32_e64 v16, 0, -1, vcc
	v_cmp_ge_u32_e32 vcc, v10, v12
	s_nop 1
	v_cndmask_b32_e64 v12, 0, -1, vcc
	v_cmp_eq_u32_e32 vcc, v3, v13
	s_nop 1
	v_cndmask_b32_e32 v12, v16, v12, vcc
	v_cmp_ne_u32_e32 vcc, 0, v12
	s_nop 1
	v_cndmask_b32_e32 v11, v3, v11, vcc
	v_cndmask_b32_e64 v3, v15, v18, s[0:1]
	v_cndmask_b32_e32 v10, v10, v3, vcc
.LBB8_26:
	s_andn2_saveexec_b64 s[0:1], s[4:5]
	s_cbranch_execz .LBB8_28
	v_cvt_f32_u32_e32 v3, v12
	v_sub_u32_e32 v10, 0, v12
	v_mov_b32_e32 v11, 0
	v_rcp_iflag_f32_e32 v3, v3
	s_nop 0
	v_mul_f32_e32 v3, 0x4f7ffffe, v3
	v_cvt_u32_f32_e32 v3, v3
	v_mul_lo_u32 v10, v10, v3
	v_mul_hi_u32 v10, v3, v10
	v_add_u32_e32 v3, v3, v10
	v_mul_hi_u32 v3, v4, v3
	v_mul_lo_u32 v3, v3, v12
	v_sub_u32_e32 v3, v4, v3
	v_sub_u32_e32 v10, v3, v12
	v_cmp_ge_u32_e32 vcc, v3, v12
	s_nop 1
	v_cndmask_b32_e32 v3, v3, v10, vcc
	v_sub_u32_e32 v10, v3, v12
	v_cmp_ge_u32_e32 vcc, v3, v12
	s_nop 1
	v_cndmask_b32_e32 v10, v3, v10, vcc
.LBB8_28:
	s_or_b64 exec, exec, s[0:1]
	v_ashrrev_i32_e32 v3, 31, v6
	v_add_u32_e32 v12, v2, v3
	v_xor_b32_e32 v3, v12, v3
	v_cvt_f32_u32_e32 v15, v3
	v_sub_u32_e32 v19, 0, v3
	v_sub_u32_e32 v17, 0, v4
	v_cvt_f32_u32_e32 v18, v2
	v_rcp_iflag_f32_e32 v15, v15
	v_max_i32_e32 v17, v4, v17
	v_ashrrev_i32_e32 v16, 31, v4
	v_rcp_iflag_f32_e32 v18, v18
	v_mul_f32_e32 v15, 0x4f7ffffe, v15
	v_cvt_u32_f32_e32 v15, v15
	v_lshlrev_b64 v[28:29], v6, v[4:5]
	v_lshrrev_b64 v[30:31], v4, v[4:5]
	v_bfe_i32 v32, v4, 0, 8
	v_mul_lo_u32 v19, v19, v15
	v_mul_hi_u32 v19, v15, v19
	v_add_u32_e32 v15, v15, v19
	v_mul_hi_u32 v15, v17, v15
	v_mul_lo_u32 v15, v15, v3
	v_sub_u32_e32 v15, v17, v15
	v_sub_u32_e32 v17, v15, v3
	v_cmp_ge_u32_e32 vcc, v15, v3
	v_ashrrev_i32_e32 v33, 31, v32
	v_bfe_i32 v34, v6, 0, 16
	v_cndmask_b32_e32 v15, v15, v17, vcc
	v_sub_u32_e32 v17, v15, v3
	v_cmp_ge_u32_e32 vcc, v15, v3
	v_ashrrev_i32_e32 v35, 31, v34
	v_mov_b32_e32 v12, s6
	v_cndmask_b32_e32 v3, v15, v17, vcc
	v_mul_f32_e32 v15, 0x4f7ffffe, v18
	v_cvt_u32_f32_e32 v15, v15
	v_xor_b32_e32 v3, v3, v16
	v_sub_u32_e32 v16, v3, v16
	v_sub_u32_e32 v3, 0, v2
	v_mul_lo_u32 v3, v3, v15
	v_mul_hi_u32 v3, v15, v3
	v_add_u32_e32 v3, v15, v3
	v_mul_hi_u32 v3, v4, v3
	v_mul_lo_u32 v15, v3, v2
	v_sub_u32_e32 v15, v4, v15
	v_add_u32_e32 v18, 1, v3
	v_cmp_ge_u32_e32 vcc, v15, v2
	v_mov_b32_e32 v13, s7
	v_ashrrev_i32_e32 v17, 31, v16
	v_cndmask_b32_e32 v3, v3, v18, vcc
	v_sub_u32_e32 v18, v15, v2
	v_cndmask_b32_e32 v15, v15, v18, vcc
	v_add_u32_e32 v18, 1, v3
	v_cmp_ge_u32_e32 vcc, v15, v2
	v_mul_hi_u32 v2, v6, v4
	v_bcnt_u32_b32 v15, v4, 0
	v_cndmask_b32_e32 v18, v3, v18, vcc
	v_mov_b32_e32 v3, 0
	v_mad_u64_u32 v[20:21], s[0:1], v7, v4, v[2:3]
	v_mov_b32_e32 v2, v21
	v_mov_b32_e32 v21, v3
	v_mad_u64_u32 v[20:21], s[0:1], v6, v5, v[20:21]
	v_mov_b32_e32 v20, v21
	v_mov_b32_e32 v21, v3
	v_lshl_add_u64 v[20:21], v[2:3], 0, v[20:21]
	v_ffbh_u32_e32 v2, v4
	v_min_u32_e32 v2, 32, v2
	v_bcnt_u32_b32 v15, v5, v15
	v_lshl_add_u32 v24, v2, 6, v15
	v_xor_b32_e32 v2, v29, v31
	v_xor_b32_e32 v15, v28, v30
	v_ashrrev_i64 v[28:29], v6, v[4:5]
	v_cmp_lt_i64_e32 vcc, v[4:5], v[6:7]
	v_xor_b32_e32 v29, v2, v29
	v_max_u32_e32 v2, v4, v6
	v_cndmask_b32_e32 v31, v7, v5, vcc
	v_cndmask_b32_e32 v30, v6, v4, vcc
	v_lshl_add_u64 v[30:31], v[30:31], 0, v[2:3]
	v_and_b32_e32 v2, 0xff, v6
	v_lshl_add_u64 v[32:33], v[32:33], 0, v[2:3]
	v_sub_u32_e32 v2, 0, v6
	v_lshl_add_u64 v[32:33], v[32:33], 0, v[34:35]
	v_alignbit_b32 v34, v4, v4, v2
	v_lshlrev_b32_e32 v2, 4, v14
	v_mad_u64_u32 v[20:21], s[0:1], v7, v5, v[20:21]
	v_mad_i64_i32 v[22:23], s[0:1], v6, v4, 0
	v_bfrev_b32_e32 v27, v4
	v_bfrev_b32_e32 v26, v5
	v_lshl_add_u64 v[4:5], v[2:3], 3, v[12:13]
	v_mov_b32_e32 v19, v3
	v_mov_b32_e32 v25, v3
	v_mov_b32_e32 v2, v3
	v_xor_b32_e32 v28, v15, v28
	global_store_dwordx4 v[4:5], v[8:11], off
	global_store_dwordx4 v[4:5], v[16:19], off offset:16
	global_store_dwordx4 v[4:5], v[20:23], off offset:32
	global_store_dwordx4 v[4:5], v[24:27], off offset:48
	global_store_dwordx4 v[4:5], v[28:31], off offset:64
	v_mov_b32_e32 v35, v3
	global_store_dwordx4 v[4:5], v[0:3], off offset:96
	global_store_dwordx4 v[4:5], v[32:35], off offset:80
	s_nop 0
	v_mov_b32_e32 v0, v3
	v_mov_b32_e32 v1, v3
	global_store_dwordx4 v[4:5], v[0:3], off offset:112
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel whole
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 36
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 36
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	real
	.globl	real
	.p2align	8
	.type	real,@function
real:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x24
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v28, 0x260
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s4
	s_and_b32 s0, s3, 0xffff
	s_mul_i32 s2, s2, s0
	v_add_u32_e32 v8, s2, v0
	v_mov_b32_e32 v3, s5
	v_lshlrev_b32_e32 v0, 1, v8
	v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]
	global_load_dwordx2 v[2:3], v[2:3], off
	v_mov_b32_e32 v4, s6
	v_mov_b32_e32 v5, s7
	v_lshlrev_b32_e32 v0, 3, v8
	s_mov_b32 s2, 0xf800000
	s_mov_b32 s3, 0x4f800000
	v_mov_b32_e32 v6, s8
	v_mov_b32_e32 v7, s9
	v_lshl_add_u64 v[10:11], v[0:1], 2, v[4:5]
	v_lshlrev_b32_e32 v0, 2, v8
	v_lshl_add_u64 v[12:13], v[0:1], 3, v[6:7]
	s_mov_b32 s4, 0
	s_brev_b32 s5, 8
	s_waitcnt vmcnt(0)
	v_div_scale_f32 v29, s[0:1], v3, v3, v2
	v_cmp_lt_f32_e64 s[0:1], v2, v3
	v_cvt_f64_f32_e32 v[14:15], v2
	v_cvt_f64_f32_e32 v[0:1], v3
	v_mul_f32_e64 v6, |v2|, s3
	v_cndmask_b32_e64 v5, -v3, v2, s[0:1]
	v_cmp_lt_f32_e64 s[0:1], |v2|, s2
	v_floor_f32_e32 v8, v2
	v_ceil_f32_e32 v16, v3
	v_cndmask_b32_e64 v33, |v2|, v6, s[0:1]
	v_mul_f64 v[20:21], v[14:15], v[14:15]
	v_mul_f64 v[22:23], v[0:1], v[0:1]
	v_cvt_i32_f32_e32 v9, v2
	v_cvt_u32_f32_e64 v26, |v3|
	v_rcp_f32_e32 v32, v29
	v_add_f32_e32 v8, v8, v16
	v_div_scale_f64 v[16:17], s[2:3], v[0:1], v[0:1], v[14:15]
	v_sqrt_f32_e32 v34, v33
	v_add_f64 v[20:21], v[20:21], v[22:23]
	v_rcp_f64_e32 v[24:25], v[16:17]
	v_cmp_gt_f64_e64 s[4:5], s[4:5], v[20:21]
	v_mul_f64 v[6:7], v[14:15], v[0:1]
	v_add_f64 v[6:7], v[6:7], 1.0
	v_cndmask_b32_e64 v22, 0, 1, s[4:5]
	v_lshlrev_b32_e32 v22, 8, v22
	v_cvt_f32_f64_e32 v7, v[6:7]
	v_cvt_f32_i32_e32 v6, v9
	v_cvt_f32_u32_e32 v9, v26
	v_fma_f32 v23, -v29, v32, 1.0
	v_ldexp_f64 v[20:21], v[20:21], v22
	v_add_u32_e32 v35, -1, v34
	v_div_scale_f32 v30, vcc, v2, v3, v2
	v_fmac_f32_e32 v32, v23, v32
	v_add_u32_e32 v36, 1, v34
	v_fma_f64 v[22:23], -v[16:17], v[24:25], 1.0
	v_rsq_f64_e32 v[26:27], v[20:21]
	v_fma_f32 v38, -v35, v34, v33
	v_mul_f32_e32 v37, v30, v32
	v_fma_f32 v39, -v36, v34, v33
	v_fmac_f64_e32 v[24:25], v[24:25], v[22:23]
	v_cmp_ge_f32_e64 s[6:7], 0, v38
	v_trunc_f32_e32 v31, v2
	v_fma_f32 v40, -v29, v37, v30
	v_cndmask_b32_e64 v34, v34, v35, s[6:7]
	v_fma_f64 v[22:23], -v[16:17], v[24:25], 1.0
	v_cmp_lt_f32_e64 s[6:7], 0, v39
	v_div_scale_f64 v[18:19], s[2:3], v[14:15], v[0:1], v[14:15]
	v_sub_f32_e32 v9, v9, v31
	v_fmac_f32_e32 v37, v40, v32
	v_cndmask_b32_e64 v31, v34, v36, s[6:7]
	v_fmac_f64_e32 v[24:25], v[24:25], v[22:23]
	global_store_dwordx4 v[10:11], v[6:9], off offset:16
	v_fma_f32 v29, -v29, v37, v30
	v_mul_f32_e32 v30, 0x37800000, v31
	v_mul_f64 v[6:7], v[18:19], v[24:25]
	v_mul_f64 v[8:9], v[20:21], v[26:27]
	v_mul_f64 v[22:23], v[26:27], 0.5
	v_div_fmas_f32 v26, v29, v32, v37
	v_cndmask_b32_e64 v27, v31, v30, s[0:1]
	v_fma_f64 v[16:17], -v[16:17], v[6:7], v[18:19]
	v_fma_f64 v[18:19], -v[22:23], v[8:9], 0.5
	v_cmp_class_f32_e32 vcc, v33, v28
	v_fma_f32 v4, v2, v3, v2
	v_div_fixup_f32 v2, v26, v3, v2
	v_cndmask_b32_e32 v3, v27, v33, vcc
	v_fmac_f64_e32 v[8:9], v[8:9], v[18:19]
	v_fmac_f64_e32 v[22:23], v[22:23], v[18:19]
	global_store_dwordx4 v[10:11], v[2:5], off
	s_mov_b64 vcc, s[2:3]
	v_div_fmas_f64 v[6:7], v[16:17], v[24:25], v[6:7]
	v_fma_f64 v[4:5], -v[8:9], v[8:9], v[20:21]
	v_fmac_f64_e32 v[8:9], v[4:5], v[22:23]
	v_fma_f64 v[4:5], -v[8:9], v[8:9], v[20:21]
	v_fmac_f64_e32 v[8:9], v[4:5], v[22:23]
	v_mov_b32_e32 v4, 0xffffff80
	v_cndmask_b32_e64 v4, 0, v4, s[4:5]
	v_ldexp_f64 v[4:5], v[8:9], v4
	v_cmp_class_f64_e32 vcc, v[20:21], v28
	s_mov_b32 s0, 0
	v_div_fixup_f64 v[2:3], v[6:7], v[0:1], v[14:15]
	v_cndmask_b32_e32 v5, v5, v21, vcc
	v_cndmask_b32_e32 v4, v4, v20, vcc
	s_mov_b32 s1, 0x408f4000
	global_store_dwordx4 v[12:13], v[2:5], off
	v_fmac_f64_e32 v[0:1], v[14:15], v[0:1]
	s_nop 0
	v_mul_f64 v[2:3], v[14:15], s[0:1]
	v_trunc_f64_e32 v[2:3], v[2:3]
	s_movk_i32 s0, 0xffe0
	v_ldexp_f64 v[4:5], v[2:3], s0
	v_floor_f64_e32 v[4:5], v[4:5]
	v_fmac_f64_e32 v[2:3], 0xc1f00000, v[4:5]
	v_cvt_i32_f64_e32 v4, v[4:5]
	v_cvt_u32_f64_e32 v2, v[2:3]
	v_cvt_f64_i32_e32 v[4:5], v4
	v_cvt_f64_u32_e32 v[2:3], v2
	v_ldexp_f64 v[4:5], v[4:5], 32
	v_add_f64 v[2:3], v[4:5], v[2:3]
	v_add_f64 v[2:3], v[2:3], -v[14:15]
	global_store_dwordx4 v[12:13], v[0:3], off offset:16
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel real
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 41
		.amdhsa_next_free_sgpr 10
		.amdhsa_accum_offset 44
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	warps
	.globl	warps
	.p2align	8
	.type	warps,@function
warps:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x1c
	v_mov_b32_e32 v5, 0
	v_lshlrev_b32_e32 v1, 2, v0
	v_xor_b32_e32 v6, 32, v1
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s4
	s_and_b32 s0, s3, 0xffff
	s_mul_i32 s2, s2, s0
	v_mov_b32_e32 v3, s5
	v_add_u32_e32 v4, s2, v0
	v_lshl_add_u64 v[2:3], v[4:5], 2, v[2:3]
	global_load_dword v2, v[2:3], off
	v_xor_b32_e32 v3, 64, v1
	v_xor_b32_e32 v7, 16, v1
	v_mul_u32_u24_e32 v0, 28, v0
	v_xor_b32_e32 v8, 4, v1
	v_and_b32_e32 v0, 0x7c, v0
	v_lshlrev_b32_e32 v4, 2, v4
	s_waitcnt vmcnt(0)
	ds_bpermute_b32 v3, v3, v2
	v_cmp_lt_i32_e64 s[0:1], 0, v2
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v3, v3, v2
	ds_bpermute_b32 v6, v6, v3
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v3, v6, v3
	ds_bpermute_b32 v6, v7, v3
	v_xor_b32_e32 v7, 8, v1
	v_add_u32_e32 v1, -12, v1
	ds_bpermute_b32 v1, v1, v2
	s_waitcnt lgkmcnt(1)
	v_add_u32_e32 v3, v6, v3
	ds_bpermute_b32 v9, v7, v3
	v_mov_b32_e32 v6, s6
	v_mov_b32_e32 v7, s7
	v_lshl_add_u64 v[4:5], v[4:5], 2, v[6:7]
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v9, v9, v3
	ds_bpermute_b32 v8, v8, v9
	ds_bpermute_b32 v3, v0, v2
	v_mov_b32_e32 v2, s0
	s_waitcnt lgkmcnt(1)
	v_add_u32_e32 v0, v8, v9
	s_waitcnt lgkmcnt(0)
	global_store_dwordx4 v[4:5], v[0:3], off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel warps
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 272
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 10
		.amdhsa_next_free_sgpr 8
		.amdhsa_accum_offset 12
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.protected	nothing
	.globl	nothing
	.p2align	8
	.type	nothing,@function
nothing:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel nothing
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 1
		.amdhsa_next_free_sgpr 0
		.amdhsa_accum_offset 4
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
	.end_amdhsa_kernel
	.text
	.text
	.p2alignl 6, 3212836864
	.type	primes,@object
	.section	.rodata,"a",@progbits
	.globl	primes
	.p2align	2, 0x0
primes:
	.long	2
	.long	3
	.long	5
	.long	7
	.long	11
	.long	13
	.long	17
	.long	19
	.size	primes, 32
	.type	__oclc_ABI_version,@object
	.p2align	2, 0x0
__oclc_ABI_version:
	.long	500
	.size	__oclc_ABI_version, 4
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         36
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         40
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         44
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         46
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         48
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         50
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         52
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         54
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         96
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           add
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .symbol:         add.kd
    .vgpr_count:     8
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           stencil
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .symbol:         stencil.kd
    .vgpr_count:     10
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           multiply
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .symbol:         multiply.kd
    .vgpr_count:     42
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           total
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .symbol:         total.kd
    .vgpr_count:     6
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           histogram
    .private_segment_fixed_size: 0
    .sgpr_count:     27
    .symbol:         histogram.kd
    .vgpr_count:     8
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           collatz
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .symbol:         collatz.kd
    .vgpr_count:     6
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           24
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         36
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         40
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         44
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         46
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         48
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         50
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         52
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         54
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         88
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         96
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 32
    .kernarg_segment_align: 8
    .kernarg_segment_size: 288
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           calls
    .private_segment_fixed_size: 0
    .sgpr_count:     39
    .symbol:         calls.kd
    .vgpr_count:     22
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           whole
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .symbol:         whole.kd
    .vgpr_count:     36
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         28
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         32
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         36
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         38
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         40
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         42
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         44
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         46
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         80
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         88
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           real
    .private_segment_fixed_size: 0
    .sgpr_count:     16
    .symbol:         real.kd
    .vgpr_count:     41
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         20
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         24
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         28
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         30
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         32
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         34
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         36
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         38
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         56
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         64
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         72
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         80
        .size:           2
        .value_kind:     hidden_grid_dims
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 272
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           warps
    .private_segment_fixed_size: 0
    .sgpr_count:     14
    .symbol:         warps.kd
    .vgpr_count:     10
    .wavefront_size: 64
  - .agpr_count:     0
    .args:           []
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 4
    .kernarg_segment_size: 0
    .language:       OpenCL C
    .language_version:
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name:           nothing
    .private_segment_fixed_size: 0
    .sgpr_count:     6
    .symbol:         nothing.kd
    .vgpr_count:     0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...
	.end_amdgpu_metadata
