/** The report queues, in order of the tabs. */
export const reportQueues = [
  { queue: undefined, name: /*i18n*/ 'All reports' },
  { queue: 'unreviewed', name: /*i18n*/ 'Open reports' },
  { queue: 'escalated', name: /*i18n*/ 'Escalated reports' },
  { queue: 'resolved', name: /*i18n*/ 'Resolved reports' },
] as const;
