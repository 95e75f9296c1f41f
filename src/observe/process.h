/* What the system says of this process. */
#ifndef DRAWBRIDGE_OBSERVE_PROCESS_H
#define DRAWBRIDGE_OBSERVE_PROCESS_H

/* Bytes, seconds and numbers; -1 where the system does not say. */
struct process_figures {
    double cpu_seconds, resident_bytes, virtual_bytes, open_files, max_files;
    double started; /* seconds since 1970 */
};

void process_read(struct process_figures *figures);

/* File descriptors that are open; -1: the system does not say. */
int process_open_files(void);

#endif
