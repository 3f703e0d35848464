import type { Action } from '../action.ts';
import { accounts, credentials, crossSigning, rights, sessions } from './accounts.ts';
import { mediaOfRooms, mediaOfUsers } from './all-media.ts';
import { identities } from './identities.ts';
import { media } from './media.ts';
import { memberships } from './memberships.ts';
import { clearProfile, profile } from './profile.ts';
import { history } from './purge-history.ts';
import { rateLimits } from './rate-limits.ts';
import { redactions } from './redaction.ts';
import { deleteReport, markReports } from './reports.ts';
import { restrictions } from './restrictions.ts';
import { roomAddresses } from './room-addresses.ts';
import { entrances, rooms } from './rooms.ts';
import { cleanUps, registrationTokens, resetConnection, serverNotice } from './server.ts';
import { takeDown } from './take-down.ts';

const [redactEvent, redactUser] = redactions;

/** Everything that can be done, in the order in which it is offered: a new action is a file and a place here. */
export const catalogue: readonly Action[] = [
  deleteReport,
  resetConnection,
  ...registrationTokens,
  redactEvent,
  ...media,
  ...restrictions,
  ...memberships,
  takeDown,
  redactUser,
  ...mediaOfUsers,
  serverNotice,
  profile,
  ...identities,
  ...sessions,
  crossSigning,
  ...rights,
  ...credentials,
  ...rateLimits,
  ...accounts,
  ...entrances,
  ...roomAddresses,
  history,
  ...rooms,
  ...mediaOfRooms,
  ...cleanUps,
].filter((action) => action !== undefined);

const byId = new Map([...catalogue, clearProfile, markReports].map((action) => [action.id, action]));

export const actionById = (id: string): Action | undefined => byId.get(id);
