/**
 * What suspended and shadow-banned users may not do. Suspended users are told; what shadow-banned users
 * send seems to be sent, and goes nowhere. Both as at the reference homeserver.
 */

import { createHash } from 'node:crypto';
import type { JsonObject } from '../../shared/api/common.ts';
import type { Clock } from '../core/clock.ts';
import { MatrixError } from '../core/matrix-error.ts';
import type { Requester } from '../core/requester.ts';

/** What it takes to hold suspended and shadow-banned users to what they may do. */
export type RestrictionContext = {
  clock: Clock;
  /** Who sent an event; undefined where there is no such event. */
  findSender(eventId: string): Promise<string | undefined>;
  /** What only this server can make of a text, and makes each time. */
  sign(text: string): string;
};

/** One request as far as it matters here: its route with `:` for each parameter, such as `POST /join/:`. */
export type RestrictedRequest = {
  route: string;
  params: Record<string, string | undefined>;
  body: unknown;
};

/** What each route is to a suspended user. */
const suspendedFrom: Readonly<Record<string, string>> = {
  'POST /createRoom': 'Sending messages',
  'PUT /rooms/:/send/:/:': 'Sending messages',
  'PUT /rooms/:/state/:': 'Sending messages',
  'PUT /rooms/:/state/:/': 'Sending messages',
  'PUT /rooms/:/state/:/:': 'Sending messages',
  'POST /join/:': 'Joining rooms',
  'POST /rooms/:/join': 'Joining rooms',
  'POST /knock/:': 'Knocking on rooms',
  'POST /rooms/:/invite': 'Sending invites',
  'POST /rooms/:/kick': 'Changing membership',
  'POST /rooms/:/ban': 'Changing membership',
  'POST /rooms/:/unban': 'Changing membership',
  'PUT /profile/:/:': 'Updating profile',
  'PUT /profile/:/displayname': 'Updating profile',
  'PUT /profile/:/avatar_url': 'Updating profile',
};

/** @throws MatrixError 403 `M_USER_SUSPENDED` */
export async function refuseSuspended(
  { findSender }: RestrictionContext,
  requester: Requester,
  { route, params, body }: RestrictedRequest,
): Promise<void> {
  const redacted = redactedEvent(route, params, body);
  if (redacted !== undefined) {
    if ((await findSender(redacted)) === requester.userId) return;
    throw suspended('You can only redact your own events while account is suspended.');
  }
  if (membershipIn(params, body) === 'leave' && params.stateKey === requester.userId) return;
  const activity = suspendedFrom[route];
  if (activity !== undefined) throw suspended(`${activity} while account is suspended is not allowed.`);
}

const suspended = (sentence: string) => new MatrixError(403, 'M_USER_SUSPENDED', sentence);

/** The event that a request redacts, by either of the two ways to do so. */
function redactedEvent(
  route: string,
  params: RestrictedRequest['params'],
  body: unknown,
): string | undefined {
  if (route === 'PUT /rooms/:/redact/:/:') return params.eventId;
  if (route !== 'PUT /rooms/:/send/:/:' || params.eventType !== 'm.room.redaction') return undefined;
  return String((body as JsonObject | null)?.redacts);
}

/** What membership a request sets, where it sets one as a piece of state. */
function membershipIn({ eventType }: RestrictedRequest['params'], body: unknown): unknown {
  return eventType === 'm.room.member' ? (body as JsonObject | null)?.membership : undefined;
}

/** What a shadow-banned user's request seems to have done; undefined for one that is carried out. */
export function pretend(
  { sign, clock }: RestrictionContext,
  requester: Requester,
  { route, params, body }: RestrictedRequest,
): JsonObject | undefined {
  // A request that is sent again has to give the event that it gave before; only this server can name it.
  const eventId = (name: string) => {
    const text = JSON.stringify(['shadow', requester.userId, requester.deviceId, params.roomId, name]);
    return { event_id: `$${createHash('sha256').update(sign(text)).digest('base64url')}` };
  };
  switch (route) {
    case 'PUT /rooms/:/send/:/:':
    case 'PUT /rooms/:/redact/:/:':
      return eventId(params.txnId ?? '');
    case 'PUT /rooms/:/state/:':
    case 'PUT /rooms/:/state/:/':
    case 'PUT /rooms/:/state/:/:':
      // Of memberships only an invitation is heard by someone new.
      if (params.eventType === 'm.room.member' && membershipIn(params, body) !== 'invite') return undefined;
      return eventId(`${params.eventType} ${params.stateKey} ${clock.now()}`);
    case 'POST /rooms/:/invite':
      return {};
    default:
      return undefined;
  }
}
