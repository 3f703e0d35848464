import type { Action } from '../action.ts';
import { deviceName, setFeature, userType } from './account-settings.ts';
import { accounts, credentials, crossSigning, rights, sessions } from './accounts.ts';
import { mediaOfRooms, mediaOfUsers } from './all-media.ts';
import { listFile } from './file-lists.ts';
import { identities } from './identities.ts';
import { media } from './media.ts';
import { memberships } from './memberships.ts';
import { messageReporter } from './message-reporter.ts';
import { mutes } from './mute.ts';
import {
  addRoomToList,
  addRule,
  addServerToList,
  addUserToList,
  denyServers,
  policyRules,
  publishRules,
} from './policy-rules.ts';
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
import { warnUser } from './warn.ts';

const [redactEvent, redactUser] = redactions;

/** All actions, in menu order. */
export const catalogue: readonly Action[] = [
  deleteReport,
  resetConnection,
  addServerToList,
  ...policyRules,
  ...registrationTokens,
  redactEvent,
  ...media,
  listFile,
  ...restrictions,
  ...mutes,
  ...memberships,
  takeDown,
  redactUser,
  ...mediaOfUsers,
  warnUser,
  serverNotice,
  addUserToList,
  profile,
  userType,
  ...identities,
  ...sessions,
  deviceName,
  crossSigning,
  ...rights,
  ...credentials,
  ...rateLimits,
  ...accounts,
  ...entrances,
  ...roomAddresses,
  history,
  ...rooms,
  addRoomToList,
  ...mediaOfRooms,
  ...cleanUps,
].filter((action) => action !== undefined);

const byId = new Map(
  [
    ...catalogue,
    clearProfile,
    markReports,
    messageReporter,
    setFeature,
    addRule,
    publishRules,
    denyServers,
  ].map((action) => [action.id, action]),
);

export const actionById = (id: string): Action | undefined => byId.get(id);
