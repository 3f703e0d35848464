import { i18n } from '@lingui/core';
import { IconListDetails } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Room } from '../../../api/room.ts';
import { EventView } from '../../../components/event/EventView.tsx';
import { text } from '../../../components/event/read-json.ts';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { useCommands } from '../../../console-context.ts';
import { LoadedUserChip } from '../../../subjects/chips.tsx';
import { ellipsize } from '../../../words/clip.ts';
import { RoomStateOnRequest } from '../room-state.tsx';
import classes from './RoomState.module.css';
import { StateTree, stateRows } from './StateTree.tsx';

export function RoomState({ room }: { room: Room }) {
  return <RoomStateOnRequest room={room}>{(state) => <StateBrowser state={state} />}</RoomStateOnRequest>;
}

function StateBrowser({ state }: { state: JsonObject[] }) {
  const { find, event: openId } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const openEvent = useMemo(() => state.find(({ event_id }) => event_id === openId), [state, openId]);
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(
    () => new Set(openEvent ? [text(openEvent.type) ?? ''] : []),
  );
  const rows = useMemo(() => stateRows(state, expanded, find), [state, expanded, find]);
  const field = useRef<HTMLInputElement>(null);
  const label = i18n.t('Search types, keys and senders');
  useCommands([
    { id: 'search state', label, group: i18n.t('State'), keys: ['/'], run: () => field.current?.focus() },
  ]);

  function toggle(type: string) {
    const next = new Set(expanded);
    if (!next.delete(type)) next.add(type);
    setExpanded(next);
  }

  return (
    <div className={classes.columns}>
      <div className={classes.side}>
        <search className={classes.search} aria-label={label}>
          <SearchField
            label={label}
            value={find}
            inputRef={field}
            onChange={(next) =>
              navigate({ search: (current) => ({ ...current, find: next }), replace: true })
            }
          />
        </search>
        {rows.length === 0 ? (
          <p className={classes.note}>{i18n.t('No matches')}</p>
        ) : (
          <StateTree
            rows={rows}
            openId={openId}
            onToggle={toggle}
            onOpen={({ event_id }) =>
              navigate({ search: (current) => ({ ...current, event: text(event_id) }), replace: true })
            }
          />
        )}
      </div>
      <section className={classes.event} aria-label={i18n.t('Event')}>
        {openEvent ? (
          <EventDetail key={openId} event={openEvent} />
        ) : (
          <StateMessage
            icon={<IconListDetails size={24} stroke={1.5} />}
            title={i18n.t('No event selected')}
            description={i18n.t('Select a state event to see its content, sender and source.')}
          />
        )}
      </section>
    </div>
  );
}

function EventDetail({ event }: { event: JsonObject }) {
  const sender = text(event.sender);
  const at = event.origin_server_ts;
  return (
    <>
      <div className={classes.eventFacts}>
        {sender !== undefined && <LoadedUserChip kind={i18n.t('Sender')} id={ellipsize(sender)} />}
        {typeof at === 'number' && <RelativeTime timestamp={at} long />}
      </div>
      <EventView event={event} />
      <JsonViewer value={event} label={i18n.t('Event')} />
    </>
  );
}
