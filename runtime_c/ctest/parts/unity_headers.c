/* Unity. */
#include "unity.h"
