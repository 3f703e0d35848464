/** How often people may be invited. */
import type { CreateRoomRequest } from '../../shared/api/room-creation.ts';
import type { Call, Limit } from '../http/policy.ts';

/** Invitations count for who sends them, for the room, and for who is invited. @param invited whom a call invites */
export const invitationLimits = (invited: (call: Call) => string[]): Limit[] => [
  { of: 'invitesPerIssuer', by: (call) => invited(call).map(() => ({ name: call.requester.userId })) },
  { of: 'invitesPerRoom', by: (call) => invited(call).map(() => ({ name: call.params.roomId ?? '' })) },
  { of: 'invitesPerUser', by: (call) => invited(call).map((name) => ({ name })) },
];

/** How many people are invited together with making a room. */
export const invitedWith = ({ invite = [], initial_state: state = [] }: CreateRoomRequest): number =>
  invite.length + state.filter(({ type }) => type === 'm.room.member').length;

/** The membership that a call sets as a piece of state, if it sets one. */
export function stateMembership({ params, body }: Pick<Call, 'params' | 'body'>): string | undefined {
  if (params.eventType !== 'm.room.member') return undefined;
  const membership = (body as { membership?: unknown } | null)?.membership;
  return typeof membership === 'string' ? membership : undefined;
}
