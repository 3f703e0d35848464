import type { Action } from '../action.ts';
import { accounts } from './accounts.ts';
import { resetConnection } from './destinations.ts';
import { deleteReport } from './filed-reports.ts';
import { media } from './media.ts';
import { memberships } from './memberships.ts';
import { redactions } from './redaction.ts';
import { restrictions } from './restrictions.ts';
import { rooms } from './rooms.ts';
import { serverNotice } from './server-notice.ts';

const [redactEvent, redactUser] = redactions;

/** Everything that can be done, in the order in which it is offered: a new action is a file and a place here. */
export const catalogue: readonly Action[] = [
  deleteReport,
  resetConnection,
  redactEvent,
  ...media.filter(({ kind }) => kind === 'media'),
  ...restrictions,
  ...memberships,
  redactUser,
  ...media.filter(({ kind }) => kind === 'user'),
  serverNotice,
  ...accounts,
  ...rooms,
  ...media.filter(({ kind }) => kind === 'room'),
].filter((action) => action !== undefined);

export const actionById = (id: string): Action | undefined => catalogue.find((action) => action.id === id);
