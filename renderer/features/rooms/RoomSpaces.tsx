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
import { clipped } from '../../words/beginning.ts';
import { number } from '../../words/format.ts';
import { AskedState } from './asked-state.tsx';
import classes from './Rooms.module.css';

const mostListed = 200;

/** To which spaces the room says it belongs, and what a space holds, as deep as one asks. */
export function RoomSpaces({ room }: { room: Room }) {
  return (
    <AskedState room={room}>
      {(state) => {
        const parents = linksIn(state, 'm.space.parent');
        const children = childrenIn(state);
        return (
          <div className={classes.spaces}>
            <h2 className={subject.heading}>{i18n.t('Parent spaces')}</h2>
            {parents.length === 0 ? (
              <p className={subject.none}>{i18n.t('No parent spaces')}</p>
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
              <Children ids={children} above={[room.room_id]} />
            )}
          </div>
        );
      }}
    </AskedState>
  );
}

/** Where no server is named to go through, the link was taken back. Matrix specification, "Spaces". */
function linksIn(state: readonly JsonObject[], type: string): string[] {
  return state
    .filter((event) => event.type === type && texts(object(event.content)?.via).length > 0)
    .map(({ state_key }) => text(state_key))
    .filter((id) => id !== undefined && id !== '') as string[];
}

/** In the order in which clients show them: the space's own, then as they came in. Matrix specification, "Ordering of children". */
function childrenIn(state: readonly JsonObject[]): string[] {
  const rank = ({ content, origin_server_ts: sentAt }: JsonObject) => {
    const order = text(object(content)?.order);
    const isOrder = order !== undefined && /^[\x20-\x7e]{1,50}$/.test(order);
    // What has an order comes before what has none; the time is written with as many digits as there can be.
    return `${isOrder ? ` ${order}` : '~'} ${String(sentAt).padStart(16, '0')}`;
  };
  const ranked = state.map((event) => ({ event, rank: rank(event) }));
  ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return linksIn(
    ranked.map(({ event }) => event),
    'm.space.child',
  );
}

function Children({ ids, above }: { ids: readonly string[]; above: readonly string[] }) {
  return (
    <ul className={classes.children} aria-label={i18n.t('Child rooms')}>
      {ids.slice(0, mostListed).map((id) => (
        <li key={id}>
          <Child roomId={id} above={above} />
        </li>
      ))}
      {ids.length > mostListed && (
        <li className={subject.dim}>
          {i18n.t('{count, plural, other {… and # more}}', {
            count: ids.length - mostListed,
          })}
        </li>
      )}
    </ul>
  );
}

function Child({ roomId, above }: { roomId: string; above: readonly string[] }) {
  const query = useQuery(roomQuery(useServer(), roomId));
  const room = query.data;
  const isAround = above.includes(roomId);
  return (
    <>
      <Named roomId={roomId} room={room} error={query.error} />
      {isAround && <span className={subject.dim}> {i18n.t('contains this room (circular)')}</span>}
      {room?.room_type === 'm.space' && !isAround && (
        <Disclosure label={i18n.t('Contents')}>
          <AskedState room={room}>
            {(state) => {
              const ids = childrenIn(state);
              return ids.length === 0 ? (
                <span className={subject.dim}>{i18n.t('Empty space')}</span>
              ) : (
                <Children ids={ids} above={[...above, roomId]} />
              );
            }}
          </AskedState>
        </Disclosure>
      )}
    </>
  );
}

/** Anyone with power in the room can say that it belongs somewhere; the space has to say so, too. */
function Parent({ roomId, childId }: { roomId: string; childId: string }) {
  const server = useServer();
  const query = useQuery(roomQuery(server, roomId));
  const state = useQuery({
    ...roomStateQuery(server, roomId),
    enabled: typeof query.data?.state_events === 'number' && query.data.state_events <= 1_000,
  });
  return (
    <>
      <Named roomId={roomId} room={query.data} error={query.error} />
      {query.data && state.isEnabled && (
        <Loaded query={state} loading={i18n.t('Loading…')} gone={i18n.t('Unknown')}>
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

type NamedProps = { roomId: string; room: Room | undefined; error: Error | null };

function Named({ roomId, room, error }: NamedProps) {
  return (
    <span className={subject.othersLine}>
      <RoomChip
        kind={room?.room_type === 'm.space' ? i18n.t('Space') : i18n.t('Room')}
        id={clipped(roomId, 255)}
        name={room?.name ?? room?.canonical_alias}
      />
      {typeof room?.joined_members === 'number' && (
        <span className={subject.dim}>
          {i18n.t('{count, plural, one {{shown} member} other {{shown} members}}', {
            count: room.joined_members,
            shown: number(room.joined_members),
          })}
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
