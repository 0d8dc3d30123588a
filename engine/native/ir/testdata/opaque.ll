; ModuleID = 'sample.c'
source_filename = "sample.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.S = type { i8, float, float }
%struct.P = type { float, float }
%struct.__va_list_tag = type { i32, i32, ptr, ptr }

@.str = private unnamed_addr constant [2 x i8] c"a\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"b\00", align 1
@names = dso_local global [2 x ptr] [ptr getelementptr inbounds ([2 x i8], ptr @.str, i32 0, i32 0), ptr getelementptr inbounds ([2 x i8], ptr @.str.1, i32 0, i32 0)], align 16, !dbg !0
@gs = dso_local global %struct.S { i8 17, float 0.000000e+00, float 0.000000e+00 }, align 4, !dbg !7
@tab = internal global [4 x i32] [i32 1, i32 2, i32 3, i32 0], align 16, !dbg !21
@__const.main.p = private unnamed_addr constant %struct.P { float 1.000000e+00, float 2.000000e+00 }, align 4
@fp = dso_local global ptr null, align 8, !dbg !16

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @sum(i32 noundef %0, ...) #0 !dbg !40 {
  %2 = alloca i32, align 4
  %3 = alloca [1 x %struct.__va_list_tag], align 16
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  call void @llvm.dbg.declare(metadata ptr %2, metadata !44, metadata !DIExpression()), !dbg !45
  call void @llvm.dbg.declare(metadata ptr %3, metadata !46, metadata !DIExpression()), !dbg !62
  %6 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !63
  %7 = bitcast ptr %6 to ptr, !dbg !63
  call void @llvm.va_start(ptr %7), !dbg !63
  call void @llvm.dbg.declare(metadata ptr %4, metadata !64, metadata !DIExpression()), !dbg !65
  store i32 0, ptr %4, align 4, !dbg !65
  call void @llvm.dbg.declare(metadata ptr %5, metadata !66, metadata !DIExpression()), !dbg !68
  store i32 0, ptr %5, align 4, !dbg !68
  br label %8, !dbg !69

8:                                                ; preds = %33, %1
  %9 = load i32, ptr %5, align 4, !dbg !70
  %10 = load i32, ptr %2, align 4, !dbg !72
  %11 = icmp slt i32 %9, %10, !dbg !73
  br i1 %11, label %12, label %36, !dbg !74

12:                                               ; preds = %8
  %13 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !75
  %14 = getelementptr inbounds %struct.__va_list_tag, ptr %13, i32 0, i32 0, !dbg !75
  %15 = load i32, ptr %14, align 16, !dbg !75
  %16 = icmp ule i32 %15, 40, !dbg !75
  br i1 %16, label %17, label %23, !dbg !75

17:                                               ; preds = %12
  %18 = getelementptr inbounds %struct.__va_list_tag, ptr %13, i32 0, i32 3, !dbg !75
  %19 = load ptr, ptr %18, align 16, !dbg !75
  %20 = getelementptr i8, ptr %19, i32 %15, !dbg !75
  %21 = bitcast ptr %20 to ptr, !dbg !75
  %22 = add i32 %15, 8, !dbg !75
  store i32 %22, ptr %14, align 16, !dbg !75
  br label %28, !dbg !75

23:                                               ; preds = %12
  %24 = getelementptr inbounds %struct.__va_list_tag, ptr %13, i32 0, i32 2, !dbg !75
  %25 = load ptr, ptr %24, align 8, !dbg !75
  %26 = bitcast ptr %25 to ptr, !dbg !75
  %27 = getelementptr i8, ptr %25, i32 8, !dbg !75
  store ptr %27, ptr %24, align 8, !dbg !75
  br label %28, !dbg !75

28:                                               ; preds = %23, %17
  %29 = phi ptr [ %21, %17 ], [ %26, %23 ], !dbg !75
  %30 = load i32, ptr %29, align 4, !dbg !75
  %31 = load i32, ptr %4, align 4, !dbg !76
  %32 = add nsw i32 %31, %30, !dbg !76
  store i32 %32, ptr %4, align 4, !dbg !76
  br label %33, !dbg !77

33:                                               ; preds = %28
  %34 = load i32, ptr %5, align 4, !dbg !78
  %35 = add nsw i32 %34, 1, !dbg !78
  store i32 %35, ptr %5, align 4, !dbg !78
  br label %8, !dbg !79, !llvm.loop !80

36:                                               ; preds = %8
  %37 = getelementptr inbounds [1 x %struct.__va_list_tag], ptr %3, i64 0, i64 0, !dbg !83
  %38 = bitcast ptr %37 to ptr, !dbg !83
  call void @llvm.va_end(ptr %38), !dbg !83
  %39 = load i32, ptr %4, align 4, !dbg !84
  ret i32 %39, !dbg !85
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.declare(metadata, metadata, metadata) #1

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.va_start(ptr) #2

; Function Attrs: nofree nosync nounwind willreturn
declare void @llvm.va_end(ptr) #2

; Function Attrs: noinline nounwind uwtable
define dso_local <2 x float> @mk(<2 x float> %0) #3 !dbg !86 {
  %2 = alloca %struct.P, align 4
  %3 = alloca %struct.P, align 4
  %4 = bitcast ptr %3 to ptr
  store <2 x float> %0, ptr %4, align 4
  call void @llvm.dbg.declare(metadata ptr %3, metadata !93, metadata !DIExpression()), !dbg !94
  %5 = getelementptr inbounds %struct.P, ptr %3, i32 0, i32 0, !dbg !95
  %6 = load float, ptr %5, align 4, !dbg !96
  %7 = fadd float %6, 1.000000e+00, !dbg !96
  store float %7, ptr %5, align 4, !dbg !96
  %8 = bitcast ptr %2 to ptr, !dbg !97
  %9 = bitcast ptr %3 to ptr, !dbg !97
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 4 %9, i64 8, i1 false), !dbg !97
  %10 = bitcast ptr %2 to ptr, !dbg !98
  %11 = load <2 x float>, ptr %10, align 4, !dbg !98
  ret <2 x float> %11, !dbg !98
}

; Function Attrs: noinline nounwind uwtable
define dso_local x86_fp80 @ld(x86_fp80 noundef %0) #0 !dbg !99 {
  %2 = alloca x86_fp80, align 16
  store x86_fp80 %0, ptr %2, align 16
  call void @llvm.dbg.declare(metadata ptr %2, metadata !103, metadata !DIExpression()), !dbg !104
  %3 = load x86_fp80, ptr %2, align 16, !dbg !105
  %4 = fmul x86_fp80 %3, 0xK4000A000000000000000, !dbg !106
  ret x86_fp80 %4, !dbg !107
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main(i32 noundef %0, ptr noundef %1) #3 !dbg !108 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca %struct.S, align 4
  %7 = alloca %struct.P, align 4
  %8 = alloca %struct.P, align 4
  %9 = alloca i32, align 4
  store i32 0, ptr %3, align 4
  store i32 %0, ptr %4, align 4
  call void @llvm.dbg.declare(metadata ptr %4, metadata !113, metadata !DIExpression()), !dbg !114
  store ptr %1, ptr %5, align 8
  call void @llvm.dbg.declare(metadata ptr %5, metadata !115, metadata !DIExpression()), !dbg !116
  call void @llvm.dbg.declare(metadata ptr %6, metadata !117, metadata !DIExpression()), !dbg !118
  %10 = bitcast ptr %6 to ptr, !dbg !119
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %10, ptr align 4 getelementptr inbounds (%struct.S, ptr @gs, i32 0, i32 0), i64 12, i1 false), !dbg !119
  %11 = load i32, ptr %4, align 4, !dbg !120
  %12 = bitcast ptr %6 to ptr, !dbg !121
  %13 = trunc i32 %11 to i8, !dbg !122
  %14 = load i8, ptr %12, align 4, !dbg !122
  %15 = and i8 %13, 7, !dbg !122
  %16 = and i8 %14, -8, !dbg !122
  %17 = or i8 %16, %15, !dbg !122
  store i8 %17, ptr %12, align 4, !dbg !122
  %18 = shl i8 %15, 5, !dbg !122
  %19 = ashr i8 %18, 5, !dbg !122
  %20 = sext i8 %19 to i32, !dbg !122
  %21 = load i32, ptr %4, align 4, !dbg !123
  switch i32 %21, label %28 [
    i32 1, label %22
    i32 2, label %23
  ], !dbg !124

22:                                               ; preds = %2
  store i32 3, ptr %3, align 4, !dbg !125
  br label %69, !dbg !125

23:                                               ; preds = %2
  %24 = bitcast ptr %6 to ptr, !dbg !127
  %25 = load i8, ptr %24, align 4, !dbg !128
  %26 = and i8 %25, 7, !dbg !128
  %27 = or i8 %26, 8, !dbg !128
  store i8 %27, ptr %24, align 4, !dbg !128
  br label %33, !dbg !129

28:                                               ; preds = %2
  %29 = load i32, ptr %4, align 4, !dbg !130
  %30 = and i32 %29, 3, !dbg !131
  %31 = sext i32 %30 to i64, !dbg !132
  %32 = getelementptr inbounds [4 x i32], ptr @tab, i64 0, i64 %31, !dbg !132
  store i32 5, ptr %32, align 4, !dbg !133
  br label %33, !dbg !134

33:                                               ; preds = %28, %23
  call void @llvm.dbg.declare(metadata ptr %7, metadata !135, metadata !DIExpression()), !dbg !136
  %34 = bitcast ptr %7 to ptr, !dbg !136
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %34, ptr align 4 @__const.main.p, i64 8, i1 false), !dbg !136
  %35 = bitcast ptr %7 to ptr, !dbg !137
  %36 = load <2 x float>, ptr %35, align 4, !dbg !137
  %37 = call <2 x float> @mk(<2 x float> %36), !dbg !137
  %38 = bitcast ptr %8 to ptr, !dbg !137
  store <2 x float> %37, ptr %38, align 4, !dbg !137
  %39 = bitcast ptr %7 to ptr, !dbg !137
  %40 = bitcast ptr %8 to ptr, !dbg !137
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %39, ptr align 4 %40, i64 8, i1 false), !dbg !137
  call void @llvm.dbg.declare(metadata ptr %9, metadata !138, metadata !DIExpression()), !dbg !139
  %41 = load i32, ptr %4, align 4, !dbg !140
  %42 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %41, i32 5), !dbg !142
  %43 = extractvalue { i32, i1 } %42, 1, !dbg !142
  %44 = extractvalue { i32, i1 } %42, 0, !dbg !142
  store i32 %44, ptr %9, align 4, !dbg !142
  br i1 %43, label %45, label %46, !dbg !143

45:                                               ; preds = %33
  store i32 1, ptr %3, align 4, !dbg !144
  br label %69, !dbg !144

46:                                               ; preds = %33
  %47 = call i32 (i32, ...) @sum(i32 noundef 2, i32 noundef 1, i32 noundef 2), !dbg !145
  %48 = load i32, ptr getelementptr inbounds ([4 x i32], ptr @tab, i64 0, i64 1), align 4, !dbg !146
  %49 = add nsw i32 %47, %48, !dbg !147
  %50 = load ptr, ptr getelementptr inbounds ([2 x ptr], ptr @names, i64 0, i64 0), align 16, !dbg !148
  %51 = getelementptr inbounds i8, ptr %50, i64 0, !dbg !148
  %52 = load i8, ptr %51, align 1, !dbg !148
  %53 = sext i8 %52 to i32, !dbg !148
  %54 = load ptr, ptr getelementptr inbounds ([2 x ptr], ptr @names, i64 0, i64 1), align 8, !dbg !149
  %55 = load i8, ptr %54, align 1, !dbg !150
  %56 = sext i8 %55 to i32, !dbg !150
  %57 = icmp eq i32 %53, %56, !dbg !151
  %58 = zext i1 %57 to i32, !dbg !151
  %59 = add nsw i32 %49, %58, !dbg !152
  %60 = bitcast ptr %6 to ptr, !dbg !153
  %61 = load i8, ptr %60, align 4, !dbg !153
  %62 = shl i8 %61, 5, !dbg !153
  %63 = ashr i8 %62, 5, !dbg !153
  %64 = sext i8 %63 to i32, !dbg !153
  %65 = add nsw i32 %59, %64, !dbg !154
  %66 = call x86_fp80 @ld(x86_fp80 noundef 0xK4000C000000000000000), !dbg !155
  %67 = fptosi x86_fp80 %66 to i32, !dbg !156
  %68 = add nsw i32 %65, %67, !dbg !157
  store i32 %68, ptr %3, align 4, !dbg !158
  br label %69, !dbg !158

69:                                               ; preds = %46, %45, %22
  %70 = load i32, ptr %3, align 4, !dbg !159
  ret i32 %70, !dbg !159
}

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #1

; Function Attrs: argmemonly nofree nounwind willreturn
declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #4

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { nofree nosync nounwind willreturn }
attributes #3 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { argmemonly nofree nounwind willreturn }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!32, !33, !34, !35, !36, !37, !38}
!llvm.ident = !{!39}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "names", scope: !2, file: !3, line: 3, type: !26, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, producer: "Debian clang version 14.0.6", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !6, splitDebugInlining: false, nameTableKind: None)
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
!38 = !{i32 7, !"frame-pointer", i32 2}
!39 = !{!"Debian clang version 14.0.6"}
!40 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 4, type: !41, scopeLine: 4, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!41 = !DISubroutineType(types: !42)
!42 = !{!5, !5, null}
!43 = !{}
!44 = !DILocalVariable(name: "n", arg: 1, scope: !40, file: !3, line: 4, type: !5)
!45 = !DILocation(line: 4, column: 13, scope: !40)
!46 = !DILocalVariable(name: "ap", scope: !40, file: !3, line: 4, type: !47)
!47 = !DIDerivedType(tag: DW_TAG_typedef, name: "va_list", file: !48, line: 14, baseType: !49)
!48 = !DIFile(filename: "/usr/lib/llvm-14/lib/clang/14.0.6/include/stdarg.h", directory: "", checksumkind: CSK_MD5, checksum: "4de3cbd931b589d291e5c39387aecf82")
!49 = !DIDerivedType(tag: DW_TAG_typedef, name: "__builtin_va_list", file: !50, baseType: !51)
!50 = !DIFile(filename: "sample.c", directory: "/src")
!51 = !DICompositeType(tag: DW_TAG_array_type, baseType: !52, size: 192, elements: !60)
!52 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "__va_list_tag", size: 192, elements: !53)
!53 = !{!54, !56, !57, !59}
!54 = !DIDerivedType(tag: DW_TAG_member, name: "gp_offset", scope: !52, file: !50, line: 4, baseType: !55, size: 32)
!55 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!56 = !DIDerivedType(tag: DW_TAG_member, name: "fp_offset", scope: !52, file: !50, line: 4, baseType: !55, size: 32, offset: 32)
!57 = !DIDerivedType(tag: DW_TAG_member, name: "overflow_arg_area", scope: !52, file: !50, line: 4, baseType: !58, size: 64, offset: 64)
!58 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!59 = !DIDerivedType(tag: DW_TAG_member, name: "reg_save_area", scope: !52, file: !50, line: 4, baseType: !58, size: 64, offset: 128)
!60 = !{!61}
!61 = !DISubrange(count: 1)
!62 = !DILocation(line: 4, column: 28, scope: !40)
!63 = !DILocation(line: 4, column: 31, scope: !40)
!64 = !DILocalVariable(name: "s", scope: !40, file: !3, line: 4, type: !5)
!65 = !DILocation(line: 4, column: 50, scope: !40)
!66 = !DILocalVariable(name: "i", scope: !67, file: !3, line: 4, type: !5)
!67 = distinct !DILexicalBlock(scope: !40, file: !3, line: 4, column: 54)
!68 = !DILocation(line: 4, column: 62, scope: !67)
!69 = !DILocation(line: 4, column: 58, scope: !67)
!70 = !DILocation(line: 4, column: 66, scope: !71)
!71 = distinct !DILexicalBlock(scope: !67, file: !3, line: 4, column: 54)
!72 = !DILocation(line: 4, column: 68, scope: !71)
!73 = !DILocation(line: 4, column: 67, scope: !71)
!74 = !DILocation(line: 4, column: 54, scope: !67)
!75 = !DILocation(line: 4, column: 77, scope: !71)
!76 = !DILocation(line: 4, column: 75, scope: !71)
!77 = !DILocation(line: 4, column: 74, scope: !71)
!78 = !DILocation(line: 4, column: 71, scope: !71)
!79 = !DILocation(line: 4, column: 54, scope: !71)
!80 = distinct !{!80, !74, !81, !82}
!81 = !DILocation(line: 4, column: 77, scope: !67)
!82 = !{!"llvm.loop.mustprogress"}
!83 = !DILocation(line: 4, column: 92, scope: !40)
!84 = !DILocation(line: 4, column: 110, scope: !40)
!85 = !DILocation(line: 4, column: 103, scope: !40)
!86 = distinct !DISubprogram(name: "mk", scope: !3, file: !3, line: 5, type: !87, scopeLine: 5, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!87 = !DISubroutineType(types: !88)
!88 = !{!89, !89}
!89 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "P", file: !3, line: 5, size: 64, elements: !90)
!90 = !{!91, !92}
!91 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !89, file: !3, line: 5, baseType: !14, size: 32)
!92 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !89, file: !3, line: 5, baseType: !14, size: 32, offset: 32)
!93 = !DILocalVariable(name: "p", arg: 1, scope: !86, file: !3, line: 5, type: !89)
!94 = !DILocation(line: 5, column: 44, scope: !86)
!95 = !DILocation(line: 5, column: 49, scope: !86)
!96 = !DILocation(line: 5, column: 50, scope: !86)
!97 = !DILocation(line: 5, column: 61, scope: !86)
!98 = !DILocation(line: 5, column: 54, scope: !86)
!99 = distinct !DISubprogram(name: "ld", scope: !3, file: !3, line: 6, type: !100, scopeLine: 6, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!100 = !DISubroutineType(types: !101)
!101 = !{!102, !102}
!102 = !DIBasicType(name: "long double", size: 128, encoding: DW_ATE_float)
!103 = !DILocalVariable(name: "x", arg: 1, scope: !99, file: !3, line: 6, type: !102)
!104 = !DILocation(line: 6, column: 28, scope: !99)
!105 = !DILocation(line: 6, column: 38, scope: !99)
!106 = !DILocation(line: 6, column: 39, scope: !99)
!107 = !DILocation(line: 6, column: 31, scope: !99)
!108 = distinct !DISubprogram(name: "main", scope: !3, file: !3, line: 7, type: !109, scopeLine: 7, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!109 = !DISubroutineType(types: !110)
!110 = !{!5, !5, !111}
!111 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !112, size: 64)
!112 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !29, size: 64)
!113 = !DILocalVariable(name: "argc", arg: 1, scope: !108, file: !3, line: 7, type: !5)
!114 = !DILocation(line: 7, column: 14, scope: !108)
!115 = !DILocalVariable(name: "argv", arg: 2, scope: !108, file: !3, line: 7, type: !111)
!116 = !DILocation(line: 7, column: 25, scope: !108)
!117 = !DILocalVariable(name: "s", scope: !108, file: !3, line: 7, type: !9)
!118 = !DILocation(line: 7, column: 41, scope: !108)
!119 = !DILocation(line: 7, column: 43, scope: !108)
!120 = !DILocation(line: 7, column: 51, scope: !108)
!121 = !DILocation(line: 7, column: 49, scope: !108)
!122 = !DILocation(line: 7, column: 50, scope: !108)
!123 = !DILocation(line: 7, column: 64, scope: !108)
!124 = !DILocation(line: 7, column: 57, scope: !108)
!125 = !DILocation(line: 7, column: 78, scope: !126)
!126 = distinct !DILexicalBlock(scope: !108, file: !3, line: 7, column: 69)
!127 = !DILocation(line: 7, column: 98, scope: !126)
!128 = !DILocation(line: 7, column: 99, scope: !126)
!129 = !DILocation(line: 7, column: 102, scope: !126)
!130 = !DILocation(line: 7, column: 122, scope: !126)
!131 = !DILocation(line: 7, column: 126, scope: !126)
!132 = !DILocation(line: 7, column: 118, scope: !126)
!133 = !DILocation(line: 7, column: 129, scope: !126)
!134 = !DILocation(line: 7, column: 132, scope: !126)
!135 = !DILocalVariable(name: "p", scope: !108, file: !3, line: 7, type: !89)
!136 = !DILocation(line: 7, column: 143, scope: !108)
!137 = !DILocation(line: 7, column: 154, scope: !108)
!138 = !DILocalVariable(name: "x", scope: !108, file: !3, line: 7, type: !5)
!139 = !DILocation(line: 7, column: 165, scope: !108)
!140 = !DILocation(line: 7, column: 194, scope: !141)
!141 = distinct !DILexicalBlock(scope: !108, file: !3, line: 7, column: 171)
!142 = !DILocation(line: 7, column: 171, scope: !141)
!143 = !DILocation(line: 7, column: 171, scope: !108)
!144 = !DILocation(line: 7, column: 206, scope: !141)
!145 = !DILocation(line: 7, column: 223, scope: !108)
!146 = !DILocation(line: 7, column: 234, scope: !108)
!147 = !DILocation(line: 7, column: 233, scope: !108)
!148 = !DILocation(line: 7, column: 242, scope: !108)
!149 = !DILocation(line: 7, column: 256, scope: !108)
!150 = !DILocation(line: 7, column: 255, scope: !108)
!151 = !DILocation(line: 7, column: 253, scope: !108)
!152 = !DILocation(line: 7, column: 240, scope: !108)
!153 = !DILocation(line: 7, column: 270, scope: !108)
!154 = !DILocation(line: 7, column: 266, scope: !108)
!155 = !DILocation(line: 7, column: 279, scope: !108)
!156 = !DILocation(line: 7, column: 274, scope: !108)
!157 = !DILocation(line: 7, column: 272, scope: !108)
!158 = !DILocation(line: 7, column: 216, scope: !108)
!159 = !DILocation(line: 7, column: 289, scope: !108)

define i32 @newer(ptr noundef captures(none) %p, i32 range(i32 0, 10) %n) {
entry:
    #dbg_declare(ptr %p, !45, !DIExpression(), !46)
  %q = getelementptr inbounds nuw i8, ptr %p, i64 4
  %v = load i32, ptr %q, align 4
  %w = zext nneg i32 %n to i64
  %t = trunc nuw nsw i64 %w to i32
  %o = or disjoint i32 %v, %t
  %c = icmp samesign ult i32 %o, %n
  %m = call noundef i32 @llvm.umin.i32(i32 noundef %o, i32 %n)
  %s = select i1 %c, i32 %m, i32 poison
  ret i32 %s
}

declare i32 @llvm.umin.i32(i32, i32)
