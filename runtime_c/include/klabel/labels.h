/* Labels as no-ops: lets a labelled file compile without klabel. A file that
 * defines the macros itself may include this too, before or after.
 */
#ifndef KLABEL_LABELS_H
#define KLABEL_LABELS_H

#ifndef cov_label
#define cov_label(...) ((void)0)
#endif
#ifndef pc_label
#define pc_label(...) ((void)0)
#endif
#ifndef pc_label_bindings
#define pc_label_bindings(...) ((void)0)
#endif
#ifndef cov_label_bind
#define cov_label_bind(...) ((void)0)
#endif
#ifndef cov_label_bind_values
#define cov_label_bind_values(...) ((void)0)
#endif
#ifndef pc_label_sequence
#define pc_label_sequence(...) ((void)0)
#endif
#ifndef cov_sequence
#define cov_sequence(...) ((void)0)
#endif
#ifndef pc_label_sequence_condition
#define pc_label_sequence_condition(...) ((void)0)
#endif
#ifndef cov_sequence_condition
#define cov_sequence_condition(...) ((void)0)
#endif

#endif
