/* The name under which labelled files include the label macros. A labels.h of
 * the program's own is found first. */
#include "klabel/labels.h"
