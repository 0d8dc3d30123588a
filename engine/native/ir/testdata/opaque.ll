; ModuleID = 'sample.c'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i8, float, float }
%struct.__va_list_tag = type { i32, i32, i8*, i8* }

@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"b\00", align 1
@names = dso_local local_unnamed_addr global [2 x i8*] [i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str, i32 0, i32 0), i8* getelementptr inbounds ([2 x i8], [2 x i8]* @.str.1, i32 0, i32 0)], align 16, !dbg !0
@gs = dso_local local_unnamed_addr global %struct.S { i8 17, float 0.000000e+00, float 0.000000e+00 }, align 4, !dbg !7
@tab = internal unnamed_addr global [4 x i32] [i32 1, i32 2, i32 3, i32 0], align 16, !dbg !21
@fp = dso_local local_unnamed_addr global i32 (i32)* null, align 8, !dbg !16

; Function Attrs: nofree nosync nounwind uwtable
define dso_local i32 @sum(i32 noundef %0, ...) local_unnamed_addr #0 !dbg !39 {
  %2 = alloca [1 x %struct.__va_list_tag], align 16
  call void @llvm.dbg.value(metadata i32 %0, metadata !43, metadata !DIExpression()), !dbg !63
  %3 = bitcast [1 x %struct.__va_list_tag]* %2 to i8*, !dbg !64
  call void @llvm.lifetime.start.p0i8(i64 24, i8* nonnull %3) #8, !dbg !64
  call void @llvm.dbg.declare(metadata [1 x %struct.__va_list_tag]* %2, metadata !44, metadata !DIExpression()), !dbg !65
  call void @llvm.va_start(i8* nonnull %3), !dbg !66
  call void @llvm.dbg.value(metadata i32 0, metadata !60, metadata !DIExpression()), !dbg !63
  call void @llvm.dbg.value(metadata i32 0, metadata !61, metadata !DIExpression()), !dbg !67
  %4 = icmp sgt i32 %0, 0, !dbg !68
  br i1 %4, label %5, label %10, !dbg !70

5:                                                ; preds = %1
  %6 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %2, i64 0, i64 0, i32 0
  %7 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %2, i64 0, i64 0, i32 2
  %8 = getelementptr inbounds [1 x %struct.__va_list_tag], [1 x %struct.__va_list_tag]* %2, i64 0, i64 0, i32 3
  %9 = load i8*, i8** %8, align 16
  br label %12, !dbg !70

10:                                               ; preds = %24, %1
  %11 = phi i32 [ 0, %1 ], [ %28, %24 ], !dbg !63
  call void @llvm.va_end(i8* %3), !dbg !71
  call void @llvm.lifetime.end.p0i8(i64 24, i8* nonnull %3) #8, !dbg !72
  ret i32 %11, !dbg !73

12:                                               ; preds = %5, %24
  %13 = phi i32 [ 0, %5 ], [ %29, %24 ]
  %14 = phi i32 [ 0, %5 ], [ %28, %24 ]
  call void @llvm.dbg.value(metadata i32 %13, metadata !61, metadata !DIExpression()), !dbg !67
  call void @llvm.dbg.value(metadata i32 %14, metadata !60, metadata !DIExpression()), !dbg !63
  %15 = load i32, i32* %6, align 16, !dbg !74
  %16 = icmp ult i32 %15, 41, !dbg !74
  br i1 %16, label %17, label %21, !dbg !74

17:                                               ; preds = %12
  %18 = sext i32 %15 to i64, !dbg !74
  %19 = getelementptr i8, i8* %9, i64 %18, !dbg !74
  %20 = add i32 %15, 8, !dbg !74
  store i32 %20, i32* %6, align 16, !dbg !74
  br label %24, !dbg !74

21:                                               ; preds = %12
  %22 = load i8*, i8** %7, align 8, !dbg !74
  %23 = getelementptr i8, i8* %22, i64 8, !dbg !74
  store i8* %23, i8** %7, align 8, !dbg !74
  br label %24, !dbg !74

24:                                               ; preds = %21, %17
  %25 = phi i8* [ %19, %17 ], [ %22, %21 ]
  %26 = bitcast i8* %25 to i32*, !dbg !74
  %27 = load i32, i32* %26, align 4, !dbg !74
  %28 = add nsw i32 %27, %14, !dbg !75
  call void @llvm.dbg.value(metadata i32 %28, metadata !60, metadata !DIExpression()), !dbg !63
  %29 = add nuw nsw i32 %13, 1, !dbg !76
  call void @llvm.dbg.value(metadata i32 %29, metadata !61, metadata !DIExpression()), !dbg !67
  %30 = icmp eq i32 %29, %0, !dbg !68
  br i1 %30, label %10, label %12, !dbg !70, !llvm.loop !77
}

; Function Attrs: mustprogress nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.start.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: mustprogress nofree nosync nounwind willreturn
declare void @llvm.va_start(i8*) #3

; Function Attrs: argmemonly mustprogress nofree nosync nounwind willreturn
declare void @llvm.lifetime.end.p0i8(i64 immarg, i8* nocapture) #2

; Function Attrs: mustprogress nofree nosync nounwind willreturn
declare void @llvm.va_end(i8*) #3

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local <2 x float> @mk(<2 x float> %0) local_unnamed_addr #4 !dbg !81 {
  call void @llvm.dbg.value(metadata <2 x float> %0, metadata !89, metadata !DIExpression()), !dbg !90
  %2 = extractelement <2 x float> %0, i64 0, !dbg !91
  %3 = fadd float %2, 1.000000e+00, !dbg !91
  %4 = insertelement <2 x float> %0, float %3, i64 0, !dbg !91
  call void @llvm.dbg.value(metadata <2 x float> %4, metadata !89, metadata !DIExpression()), !dbg !90
  ret <2 x float> %4, !dbg !92
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn
define dso_local x86_fp80 @ld(x86_fp80 noundef %0) local_unnamed_addr #5 !dbg !93 {
  call void @llvm.dbg.value(metadata x86_fp80 %0, metadata !98, metadata !DIExpression()), !dbg !99
  %2 = fmul x86_fp80 %0, 0xK4000A000000000000000, !dbg !100
  ret x86_fp80 %2, !dbg !101
}

; Function Attrs: nofree nosync nounwind uwtable
define dso_local i32 @main(i32 noundef %0, i8** nocapture noundef readnone %1) local_unnamed_addr #6 !dbg !102 {
  call void @llvm.dbg.value(metadata i32 %0, metadata !108, metadata !DIExpression()), !dbg !113
  call void @llvm.dbg.value(metadata i8** %1, metadata !109, metadata !DIExpression()), !dbg !113
  call void @llvm.dbg.value(metadata i8 undef, metadata !110, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  %3 = trunc i32 %0 to i8, !dbg !114
  %4 = and i8 %3, 7, !dbg !114
  call void @llvm.dbg.value(metadata !DIArgList(i8 undef, i8 %4), metadata !110, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_constu, 18446744073709551608, DW_OP_and, DW_OP_LLVM_arg, 1, DW_OP_or, DW_OP_stack_value, DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  switch i32 %0, label %7 [
    i32 1, label %30
    i32 2, label %5
  ], !dbg !115

5:                                                ; preds = %2
  %6 = or i8 %4, 8, !dbg !116
  call void @llvm.dbg.value(metadata i8 %6, metadata !110, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  br label %11, !dbg !118

7:                                                ; preds = %2
  call void @llvm.dbg.value(metadata !DIArgList(i8 undef, i8 %4), metadata !110, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_constu, 18446744073709551608, DW_OP_and, DW_OP_LLVM_arg, 1, DW_OP_or, DW_OP_stack_value, DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  call void @llvm.dbg.value(metadata !DIArgList(i8 0, i8 %4), metadata !110, metadata !DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_or, DW_OP_stack_value, DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  call void @llvm.dbg.value(metadata i8 %4, metadata !110, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  %8 = and i32 %0, 3, !dbg !119
  %9 = zext i32 %8 to i64
  %10 = getelementptr inbounds [4 x i32], [4 x i32]* @tab, i64 0, i64 %9, !dbg !120
  store i32 5, i32* %10, align 4, !dbg !121, !tbaa !122
  br label %11, !dbg !126

11:                                               ; preds = %7, %5
  %12 = phi i8 [ %4, %7 ], [ %6, %5 ], !dbg !113
  call void @llvm.dbg.value(metadata i8 %12, metadata !110, metadata !DIExpression(DW_OP_LLVM_fragment, 0, 8)), !dbg !113
  call void @llvm.dbg.value(metadata <2 x float> <float 1.000000e+00, float 2.000000e+00>, metadata !111, metadata !DIExpression()), !dbg !113
  call void @llvm.dbg.value(metadata <2 x float> undef, metadata !111, metadata !DIExpression()), !dbg !113
  %13 = icmp sgt i32 %0, 2147483642, !dbg !127
  call void @llvm.dbg.value(metadata i32 undef, metadata !112, metadata !DIExpression()), !dbg !113
  br i1 %13, label %30, label %14, !dbg !129

14:                                               ; preds = %11
  %15 = call i32 (i32, ...) @sum(i32 noundef 2, i32 noundef 1, i32 noundef 2), !dbg !130
  %16 = load i32, i32* getelementptr inbounds ([4 x i32], [4 x i32]* @tab, i64 0, i64 1), align 4, !dbg !131, !tbaa !122
  %17 = load i8*, i8** getelementptr inbounds ([2 x i8*], [2 x i8*]* @names, i64 0, i64 0), align 16, !dbg !132, !tbaa !133
  %18 = load i8, i8* %17, align 1, !dbg !132, !tbaa !135
  %19 = load i8*, i8** getelementptr inbounds ([2 x i8*], [2 x i8*]* @names, i64 0, i64 1), align 8, !dbg !136, !tbaa !133
  %20 = load i8, i8* %19, align 1, !dbg !137, !tbaa !135
  %21 = icmp eq i8 %18, %20, !dbg !138
  %22 = zext i1 %21 to i32, !dbg !138
  %23 = shl i8 %12, 5, !dbg !139
  %24 = ashr exact i8 %23, 5, !dbg !139
  %25 = add nsw i8 %24, 7, !dbg !140
  %26 = zext i8 %25 to i32
  %27 = add i32 %15, %26, !dbg !141
  %28 = add i32 %27, %16, !dbg !142
  %29 = add i32 %28, %22, !dbg !143
  br label %30, !dbg !144

30:                                               ; preds = %14, %11, %2
  %31 = phi i32 [ 3, %2 ], [ %29, %14 ], [ 1, %11 ], !dbg !113
  ret i32 %31, !dbg !145
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #7

attributes #0 = { nofree nosync nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { argmemonly mustprogress nofree nosync nounwind willreturn }
attributes #3 = { mustprogress nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree norecurse nosync nounwind readnone uwtable willreturn "frame-pointer"="none" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nofree nosync nounwind uwtable "frame-pointer"="none" "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #8 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!32, !33, !34, !35, !36, !37}
!llvm.ident = !{!38}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 3, type: !26, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "sample.c", directory: "/src", checksumkind: CSK_MD5, checksum: "590a82e9ab332715aa507dd10d069da5")
!4 = !{!5}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{!0, !7, !16, !21}
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(name: "gs", scope: !2, file: !3, line: 3, type: !9, isLocal: false, isDefinition: true)
!9 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "S", file: !3, line: 2, size: 96, elements: !10)
!10 = !{!11, !12, !13, !15}
!11 = !DIDerivedType(tag: DW_TAG_member, name: "a", scope: !9, file: !3, line: 2, baseType: !5, size: 3, flags: DIFlagBitField, extraData: i64 0)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !9, file: !3, line: 2, baseType: !5, size: 5, offset: 3, flags: DIFlagBitField, extraData: i64 0)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "f", scope: !9, file: !3, line: 2, baseType: !14, size: 32, offset: 32)
!14 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "g", scope: !9, file: !3, line: 2, baseType: !14, size: 32, offset: 64)
!16 = !DIGlobalVariableExpression(var: !17, expr: !DIExpression())
!17 = distinct !DIGlobalVariable(name: "fp", scope: !2, file: !3, line: 3, type: !18, isLocal: false, isDefinition: true)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!19 = !DISubroutineType(types: !20)
!20 = !{!5, !5}
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "tab", scope: !2, file: !3, line: 3, type: !23, isLocal: true, isDefinition: true)
!23 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 128, elements: !24)
!24 = !{!25}
!25 = !DISubrange(count: 4)
!26 = !DICompositeType(tag: DW_TAG_array_type, baseType: !27, size: 128, elements: !30)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !29)
!29 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!30 = !{!31}
!31 = !DISubrange(count: 2)
!32 = !{i32 7, !"Dwarf Version", i32 5}
!33 = !{i32 2, !"Debug Info Version", i32 3}
!34 = !{i32 1, !"wchar_size", i32 4}
!35 = !{i32 7, !"PIC Level", i32 2}
!36 = !{i32 7, !"PIE Level", i32 2}
!37 = !{i32 7, !"uwtable", i32 1}
!38 = !{!"Debian clang version 14.0.6"}
!39 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 4, type: !40, scopeLine: 4, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !42)
!40 = !DISubroutineType(types: !41)
!41 = !{!5, !5, null}
!42 = !{!43, !44, !60, !61}
!43 = !DILocalVariable(name: "n", arg: 1, scope: !39, file: !3, line: 4, type: !5)
!44 = !DILocalVariable(name: "ap", scope: !39, file: !3, line: 4, type: !45)
!45 = !DIDerivedType(tag: DW_TAG_typedef, name: "va_list", file: !46, line: 14, baseType: !47)
!46 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdarg.h", directory: "", checksumkind: CSK_MD5, checksum: "4de3cbd931b589d291e5c39387aecf82")
!47 = !DIDerivedType(tag: DW_TAG_typedef, name: "__builtin_va_list", file: !48, baseType: !49)
!48 = !DIFile(filename: "sample.c", directory: "/src")
!49 = !DICompositeType(tag: DW_TAG_array_type, baseType: !50, size: 192, elements: !58)
!50 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__va_list_tag", size: 192, elements: !51)
!51 = !{!52, !54, !55, !57}
!52 = !DIDerivedType(tag: DW_TAG_member, name: "gp_offset", scope: !50, file: !48, line: 4, baseType: !53, size: 32)
!53 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!54 = !DIDerivedType(tag: DW_TAG_member, name: "fp_offset", scope: !50, file: !48, line: 4, baseType: !53, size: 32, offset: 32)
!55 = !DIDerivedType(tag: DW_TAG_member, name: "overflow_arg_area", scope: !50, file: !48, line: 4, baseType: !56, size: 64, offset: 64)
!56 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!57 = !DIDerivedType(tag: DW_TAG_member, name: "reg_save_area", scope: !50, file: !48, line: 4, baseType: !56, size: 64, offset: 128)
!58 = !{!59}
!59 = !DISubrange(count: 1)
!60 = !DILocalVariable(name: "s", scope: !39, file: !3, line: 4, type: !5)
!61 = !DILocalVariable(name: "i", scope: !62, file: !3, line: 4, type: !5)
!62 = distinct !DILexicalBlock(scope: !39, file: !3, line: 4, column: 54)
!63 = !DILocation(line: 0, scope: !39)
!64 = !DILocation(line: 4, column: 20, scope: !39)
!65 = !DILocation(line: 4, column: 28, scope: !39)
!66 = !DILocation(line: 4, column: 31, scope: !39)
!67 = !DILocation(line: 0, scope: !62)
!68 = !DILocation(line: 4, column: 67, scope: !69)
!69 = distinct !DILexicalBlock(scope: !62, file: !3, line: 4, column: 54)
!70 = !DILocation(line: 4, column: 54, scope: !62)
!71 = !DILocation(line: 4, column: 92, scope: !39)
!72 = !DILocation(line: 4, column: 112, scope: !39)
!73 = !DILocation(line: 4, column: 103, scope: !39)
!74 = !DILocation(line: 4, column: 77, scope: !69)
!75 = !DILocation(line: 4, column: 75, scope: !69)
!76 = !DILocation(line: 4, column: 71, scope: !69)
!77 = distinct !{!77, !70, !78, !79, !80}
!78 = !DILocation(line: 4, column: 77, scope: !62)
!79 = !{!"llvm.loop.mustprogress"}
!80 = !{!"llvm.loop.unroll.disable"}
!81 = distinct !DISubprogram(name: "mk", scope: !3, file: !3, line: 5, type: !82, scopeLine: 5, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !88)
!82 = !DISubroutineType(types: !83)
!83 = !{!84, !84}
!84 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !3, line: 5, size: 64, elements: !85)
!85 = !{!86, !87}
!86 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !84, file: !3, line: 5, baseType: !14, size: 32)
!87 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !84, file: !3, line: 5, baseType: !14, size: 32, offset: 32)
!88 = !{!89}
!89 = !DILocalVariable(name: "p", arg: 1, scope: !81, file: !3, line: 5, type: !84)
!90 = !DILocation(line: 0, scope: !81)
!91 = !DILocation(line: 5, column: 50, scope: !81)
!92 = !DILocation(line: 5, column: 54, scope: !81)
!93 = distinct !DISubprogram(name: "ld", scope: !3, file: !3, line: 6, type: !94, scopeLine: 6, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !97)
!94 = !DISubroutineType(types: !95)
!95 = !{!96, !96}
!96 = !DIBasicType(name: "long double", size: 128, encoding: DW_ATE_float)
!97 = !{!98}
!98 = !DILocalVariable(name: "x", arg: 1, scope: !93, file: !3, line: 6, type: !96)
!99 = !DILocation(line: 0, scope: !93)
!100 = !DILocation(line: 6, column: 39, scope: !93)
!101 = !DILocation(line: 6, column: 31, scope: !93)
!102 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 7, type: !103, scopeLine: 7, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !107)
!103 = !DISubroutineType(types: !104)
!104 = !{!5, !5, !105}
!105 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !106, size: 64)
!106 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !29, size: 64)
!107 = !{!108, !109, !110, !111, !112}
!108 = !DILocalVariable(name: "argc", arg: 1, scope: !102, file: !3, line: 7, type: !5)
!109 = !DILocalVariable(name: "argv", arg: 2, scope: !102, file: !3, line: 7, type: !105)
!110 = !DILocalVariable(name: "s", scope: !102, file: !3, line: 7, type: !9)
!111 = !DILocalVariable(name: "p", scope: !102, file: !3, line: 7, type: !84)
!112 = !DILocalVariable(name: "x", scope: !102, file: !3, line: 7, type: !5)
!113 = !DILocation(line: 0, scope: !102)
!114 = !DILocation(line: 7, column: 50, scope: !102)
!115 = !DILocation(line: 7, column: 57, scope: !102)
!116 = !DILocation(line: 7, column: 99, scope: !117)
!117 = distinct !DILexicalBlock(scope: !102, file: !3, line: 7, column: 69)
!118 = !DILocation(line: 7, column: 102, scope: !117)
!119 = !DILocation(line: 7, column: 126, scope: !117)
!120 = !DILocation(line: 7, column: 118, scope: !117)
!121 = !DILocation(line: 7, column: 129, scope: !117)
!122 = !{!123, !123, i64 0}
!123 = !{!"int", !124, i64 0}
!124 = !{!"omnipotent char", !125, i64 0}
!125 = !{!"Simple C/C++ TBAA"}
!126 = !DILocation(line: 7, column: 132, scope: !117)
!127 = !DILocation(line: 7, column: 171, scope: !128)
!128 = distinct !DILexicalBlock(scope: !102, file: !3, line: 7, column: 171)
!129 = !DILocation(line: 7, column: 171, scope: !102)
!130 = !DILocation(line: 7, column: 223, scope: !102)
!131 = !DILocation(line: 7, column: 234, scope: !102)
!132 = !DILocation(line: 7, column: 242, scope: !102)
!133 = !{!134, !134, i64 0}
!134 = !{!"any pointer", !124, i64 0}
!135 = !{!124, !124, i64 0}
!136 = !DILocation(line: 7, column: 256, scope: !102)
!137 = !DILocation(line: 7, column: 255, scope: !102)
!138 = !DILocation(line: 7, column: 253, scope: !102)
!139 = !DILocation(line: 7, column: 270, scope: !102)
!140 = !DILocation(line: 7, column: 233, scope: !102)
!141 = !DILocation(line: 7, column: 240, scope: !102)
!142 = !DILocation(line: 7, column: 266, scope: !102)
!143 = !DILocation(line: 7, column: 272, scope: !102)
!144 = !DILocation(line: 7, column: 216, scope: !102)
!145 = !DILocation(line: 7, column: 289, scope: !102)
