/* The live view: what is known of each label, while an engine runs. klabel
 * writes it, the library covered.c reads it for the program under test.
 */
#ifndef KLABEL_VIEW_H
#define KLABEL_VIEW_H

#ifdef __cplusplus
extern "C" {
#endif

/* 1 when nothing more need be done for the label, else 0. */
int covered(int id);
/* Says that a test for the label is on its way. Not for one whose test a replay
 * refused: other paths shall not wait for the next. */
void pending(int id);
/* Copies the statuses of labels from .. from+n-1, 0 where there are none and
 * for refused ones. */
void klabel_view_copy(unsigned char *to, int from, int n);
/* Does nothing, where the compiler cannot see it. */
void nop(void);

#ifdef __cplusplus
}
#endif

#endif
