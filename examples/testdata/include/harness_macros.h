/* Empty: witness.h stands in for KLEE's functions and the driver macros. */
