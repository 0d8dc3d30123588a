/* Check. */
#include <check.h>
