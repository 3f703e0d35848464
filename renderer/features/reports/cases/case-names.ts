import type { CaseOrder, CaseQueue } from './case-search.ts';

export const queueNames: Record<CaseQueue, string> = {
  open: /*i18n*/ 'Open',
  mine: /*i18n*/ 'Mine',
  unassigned: /*i18n*/ 'Unassigned',
  escalated: /*i18n*/ 'Escalated',
  waiting: /*i18n*/ 'Waiting',
  resolved: /*i18n*/ 'Resolved',
  appeals: /*i18n*/ 'Appeals',
};

export const orderNames: Record<CaseOrder, string> = {
  urgent: /*i18n*/ 'Urgent first',
  newest: /*i18n*/ 'Newest first',
  oldest: /*i18n*/ 'Oldest first',
};
