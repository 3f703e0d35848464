import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { Room } from '../../../api/room.ts';
import { EventView } from '../../../components/event/EventView.tsx';
import { text } from '../../../components/event/read-json.ts';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { useCommands } from '../../../console-context.ts';
import { PersonChip } from '../../../subjects/chips.tsx';
import { clipped } from '../../../words/beginning.ts';
import { AskedState } from '../asked-state.tsx';
import classes from './RoomState.module.css';
import { StateTree, stateRows } from './StateTree.tsx';

/** What holds in the room: by type, by key, and each event as it is. */
export function RoomState({ room }: { room: Room }) {
  return <AskedState room={room}>{(state) => <Tree state={state} />}</AskedState>;
}

function Tree({ state }: { state: JsonObject[] }) {
  const { find, event: openId } = useSearch({ from: '/frame/server/rooms/$roomId' });
  const navigate = useNavigate({ from: '/rooms/$roomId' });
  const opened = useMemo(() => state.find(({ event_id }) => event_id === openId), [state, openId]);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(opened ? [text(opened.type) ?? ''] : []),
  );
  const rows = useMemo(() => stateRows(state, open, find), [state, open, find]);
  const field = useRef<HTMLInputElement>(null);
  const label = i18n.t('Search types, keys and senders');
  useCommands([
    { id: 'search state', label, group: i18n.t('State'), keys: ['/'], run: () => field.current?.focus() },
  ]);

  function toggle(type: string) {
    const next = new Set(open);
    if (!next.delete(type)) next.add(type);
    setOpen(next);
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
            current={openId}
            onToggle={toggle}
            onOpen={({ event_id }) =>
              navigate({ search: (current) => ({ ...current, event: text(event_id) }), replace: true })
            }
          />
        )}
      </div>
      <section className={classes.event} aria-label={i18n.t('Event')}>
        {opened ? (
          <OpenEvent key={openId} event={opened} />
        ) : (
          <p className={classes.note}>{i18n.t('Select a key.')}</p>
        )}
      </section>
    </div>
  );
}

function OpenEvent({ event }: { event: JsonObject }) {
  const sender = text(event.sender);
  const at = event.origin_server_ts;
  return (
    <>
      <div className={classes.said}>
        {sender !== undefined && <PersonChip kind={i18n.t('Sender')} id={clipped(sender)} />}
        {typeof at === 'number' && <RelativeTime timestamp={at} long />}
      </div>
      <EventView event={event} />
      <JsonViewer value={event} label={i18n.t('Event')} />
    </>
  );
}
