/** The queues in which a team works through reports, in order; all of them are in the first. */
export const reportQueues = [
  { queue: undefined, name: /*i18n*/ 'All reports' },
  { queue: 'unreviewed', name: /*i18n*/ 'Open reports' },
  { queue: 'escalated', name: /*i18n*/ 'Escalated reports' },
  { queue: 'resolved', name: /*i18n*/ 'Resolved reports' },
] as const;
