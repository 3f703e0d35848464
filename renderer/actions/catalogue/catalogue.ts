import type { Action } from '../action.ts';
import { accounts } from './accounts.ts';
import { cleanUps } from './clean-up.ts';
import { credentials } from './credentials.ts';
import { crossSigning } from './cross-signing.ts';
import { resetConnection } from './destinations.ts';
import { entrances } from './entrances.ts';
import { deleteReport } from './filed-reports.ts';
import { identities } from './identities.ts';
import { markReports } from './mark-reports.ts';
import { media } from './media.ts';
import { mediaOfRooms } from './media-of-room.ts';
import { mediaOfUsers } from './media-of-user.ts';
import { memberships } from './memberships.ts';
import { clearProfile, profile } from './profile.ts';
import { history } from './purge-history.ts';
import { rateLimits } from './rate-limits.ts';
import { redactions } from './redaction.ts';
import { registrationTokens } from './registration-tokens.ts';
import { restrictions } from './restrictions.ts';
import { rights } from './rights.ts';
import { roomAddresses } from './room-addresses.ts';
import { rooms } from './rooms.ts';
import { serverNotice } from './server-notice.ts';
import { sessions } from './sessions.ts';
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
