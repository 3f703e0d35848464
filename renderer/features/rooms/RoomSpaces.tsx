import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../shared/api/common.ts';
import { type Room, roomQuery, roomStateQuery } from '../../api/room.ts';
import { Disclosure } from '../../components/Disclosure.tsx';
import { object, text, texts } from '../../components/event/read-json.ts';
import { useServer } from '../../console-context.ts';
import { RoomChip } from '../../subjects/chips.tsx';
import { Loaded } from '../../subjects/Loaded.tsx';
import subject from '../../subjects/subjects.module.css';
import { NotFound } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';
import classes from './Rooms.module.css';
import { hasSmallState, RoomStateOnRequest } from './room-state.tsx';

const maxListed = 200;

/** Shows the room's parent spaces, and a space's children as a tree that loads as it's opened. */
export function RoomSpaces({ room }: { room: Room }) {
  return (
    <RoomStateOnRequest room={room}>
      {(state) => {
        const parents = linksIn(state, 'm.space.parent');
        const children = childrenIn(state);
        return (
          <div className={classes.spaces}>
            <h2 className={subject.heading}>{i18n.t('Parent spaces')}</h2>
            {parents.length === 0 ? (
              <p className={subject.none}>
                {i18n.t('This room names no parent spaces. Spaces can still list it.')}
              </p>
            ) : (
              <ul className={subject.entries} aria-label={i18n.t('Parent spaces')}>
                {parents.map((id) => (
                  <li key={id}>
                    <Parent roomId={id} childId={room.room_id} />
                  </li>
                ))}
              </ul>
            )}
            <h2 className={subject.heading}>{i18n.t('Child rooms')}</h2>
            {children.length === 0 ? (
              <p className={subject.none}>
                {room.room_type === 'm.space' ? i18n.t('Empty space') : i18n.t("This room isn't a space.")}
              </p>
            ) : (
              <Children ids={children} ancestors={[room.room_id]} />
            )}
          </div>
        );
      }}
    </RoomStateOnRequest>
  );
}

/** Returns the linked room IDs. A link without `via` was removed (Matrix specification, "Spaces"). */
function linksIn(state: readonly JsonObject[], type: string): string[] {
  return state
    .filter((event) => event.type === type && texts(object(event.content)?.via).length > 0)
    .map(({ state_key }) => text(state_key))
    .filter((id) => id !== undefined && id !== '') as string[];
}

/** Returns a space's children as clients order them: by `order`, then by age (Matrix specification, "Ordering of children within a space"). */
function childrenIn(state: readonly JsonObject[]): string[] {
  const rank = ({ content, origin_server_ts: sentAt }: JsonObject) => {
    const order = text(object(content)?.order);
    const isOrder = order !== undefined && /^[\x20-\x7e]{1,50}$/.test(order);
    // A space sorts before `~`; padding makes timestamps sort as text.
    return `${isOrder ? ` ${order}` : '~'} ${String(sentAt).padStart(16, '0')}`;
  };
  const ranked = state.map((event) => ({ event, rank: rank(event) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return linksIn(
    ranked.map(({ event }) => event),
    'm.space.child',
  );
}

function Children({ ids, ancestors }: { ids: readonly string[]; ancestors: readonly string[] }) {
  return (
    <ul className={classes.children} aria-label={i18n.t('Child rooms')}>
      {ids.slice(0, maxListed).map((id) => (
        <li key={id}>
          <Child roomId={id} ancestors={ancestors} />
        </li>
      ))}
      {ids.length > maxListed && (
        <li className={subject.dim}>
          {i18n.t('{count, plural, other {… and # more}}', {
            count: ids.length - maxListed,
          })}
        </li>
      )}
    </ul>
  );
}

function Child({ roomId, ancestors }: { roomId: string; ancestors: readonly string[] }) {
  const query = useQuery(roomQuery(useServer(), roomId));
  const room = query.data;
  const isCircular = ancestors.includes(roomId);
  return (
    <>
      <RoomLine roomId={roomId} room={room} error={query.error} />
      {isCircular && <span className={subject.dim}> {i18n.t('contains this room (circular)')}</span>}
      {room?.room_type === 'm.space' && !isCircular && (
        <Disclosure label={i18n.t('Contents')}>
          <RoomStateOnRequest room={room}>
            {(state) => {
              const ids = childrenIn(state);
              return ids.length === 0 ? (
                <span className={subject.dim}>{i18n.t('Empty space')}</span>
              ) : (
                <Children ids={ids} ancestors={[...ancestors, roomId]} />
              );
            }}
          </RoomStateOnRequest>
        </Disclosure>
      )}
    </>
  );
}

/** Shows whether the space confirms the link: anyone with enough power in the room can claim a parent. */
function Parent({ roomId, childId }: { roomId: string; childId: string }) {
  const server = useServer();
  const query = useQuery(roomQuery(server, roomId));
  const state = useQuery({
    ...roomStateQuery(server, roomId),
    enabled: query.data !== undefined && hasSmallState(query.data),
  });
  return (
    <>
      <RoomLine roomId={roomId} room={query.data} error={query.error} />
      {query.data && state.isEnabled && (
        <Loaded query={state} loading={i18n.t('Loading…')} notFound={i18n.t('Unknown')}>
          {(events) => (
            <span className={subject.dim}>
              {linksIn(events, 'm.space.child').includes(childId)
                ? i18n.t('confirmed by the space')
                : i18n.t('not confirmed by the space')}
            </span>
          )}
        </Loaded>
      )}
    </>
  );
}

type RoomLineProps = { roomId: string; room: Room | undefined; error: Error | null };

function RoomLine({ roomId, room, error }: RoomLineProps) {
  return (
    <span className={subject.othersLine}>
      <RoomChip
        kind={room?.room_type === 'm.space' ? i18n.t('Space') : i18n.t('Room')}
        id={ellipsize(roomId, 255)}
        name={room?.name ?? room?.canonical_alias}
      />
      {typeof room?.joined_members === 'number' && (
        <span className={subject.dim}>
          {i18n.t('{count, plural, one {# member} other {# members}}', { count: room.joined_members })}
        </span>
      )}
      {error && !room && (
        <span className={subject.dim}>
          {error instanceof NotFound ? i18n.t('not joined by this server') : i18n.t('Unknown')}
        </span>
      )}
    </span>
  );
}
