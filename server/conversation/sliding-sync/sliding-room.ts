/** One room in a reply of sliding sync. Matrix proposal 4186. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { SlidingRoom } from '../../../shared/api/sliding-sync.ts';
import type { UnreadCount } from '../notifications/unread-count-store.ts';
import type { UnreadRoom } from '../notifications/unread-counts.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import type { RequiredState } from '../sync/required-state.ts';
import type { RoomSummary } from '../sync/summary-store.ts';
import { asSyncEvent } from '../sync/sync-reply.ts';
import type { Timeline } from '../sync/timelines.ts';
import type { RoomUpdate } from '../sync/updated-rooms.ts';
import type { OwnRoom } from './sliding-own-rooms.ts';

export type ListedUpdate = RoomUpdate & {
  room: OwnRoom;
  required: RequiredState;
  timelineLimit: number;
  /** Whether more of the timeline is asked for than the client has. */
  isLonger?: boolean;
  /** What is asked for of the state that was not before. */
  addedState: RequiredState;
  /** What happened after this place happens now; undefined on a new connection. */
  liveAfter: number | undefined;
};

export type RoomContents = {
  timeline: readonly ClientEvent[];
  /** Of the timeline's events. */
  places: readonly number[];
  found: Timeline | undefined;
  state: readonly ClientEvent[];
  summary: RoomSummary | undefined;
  /** Their member events. */
  heroes: readonly StoredEvent[];
  unread: UnreadRoom | undefined;
  isDirect: boolean;
};

export function shownRoom(
  { room, full, isLonger, liveAfter }: ListedUpdate,
  { timeline, places, found, state, summary, heroes, unread, isDirect }: RoomContents,
): SlidingRoom {
  return {
    bump_stamp: room.bumpStamp,
    notification_count: unreadIn(unread, 'notifications'),
    highlight_count: unreadIn(unread, 'highlights'),
    membership: room.membership,
    ...(full && { initial: true }),
    ...(isLonger && !full && { unstable_expanded_timeline: true }),
    ...(room.name !== null && { name: room.name }),
    ...(room.avatar !== null && { avatar: room.avatar }),
    ...(heroes.length > 0 && { heroes: heroes.map(asHero) }),
    ...(isDirect && { is_dm: true }),
    ...(summary && { joined_count: summary.joinedMembers, invited_count: summary.invitedMembers }),
    timeline: timeline.map(asSyncEvent),
    limited: found?.limited ?? false,
    ...(timeline.length > 0 && { prev_batch: `s${found?.start ?? 0}` }),
    num_live: liveAfter === undefined ? 0 : places.filter((place) => place > liveAfter).length,
    required_state: state.map(asSyncEvent),
  };
}

/** Threads and all. */
const unreadIn = (unread: UnreadRoom | undefined, kind: keyof UnreadCount): number =>
  unread ? [unread.main, ...unread.threads.values()].reduce((sum, count) => sum + count[kind], 0) : 0;

function asHero({ pdu: { state_key, content } }: StoredEvent): JsonObject {
  const { displayname, avatar_url } = content;
  return {
    user_id: state_key,
    ...(typeof displayname === 'string' && { displayname }),
    ...(typeof avatar_url === 'string' && { avatar_url }),
  };
}
