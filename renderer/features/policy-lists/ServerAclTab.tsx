import { i18n } from '@lingui/core';
import { IconServerOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { fits } from '../../../shared/fits.ts';
import { denyServers } from '../../actions/catalogue/policy-rules.ts';
import { noAcl, ServerAcl, serversToDeny, withDenied } from '../../api/policy-lists/server-acl.ts';
import { roomStateQuery } from '../../api/room.ts';
import { type RoomListItem, roomList } from '../../api/room-list.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { Disclosure } from '../../components/Disclosure.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { useRoleLimit } from '../../team/use-role.ts';
import { serverName } from '../../transport/server-name.ts';
import { list as listWords, number } from '../../words/format.ts';
import { ActionDialog } from './ActionDialog.tsx';
import { roomName } from './find-matches.ts';
import type { TabProps } from './open-list.ts';
import classes from './PolicyLists.module.css';

/** Denies the list's servers in chosen rooms. */
export function ServerAclTab({ list, tabs, search, onChange }: TabProps) {
  const server = useServer();
  const denied = useMemo(
    () => serversToDeny(list.rules, serverName(server.connection)),
    [list.rules, server],
  );
  const [rooms, setRooms] = useState<{ roomId: string; name: string }[]>();
  const rows = usePagedRows(
    roomList(server, { search: search.text, isEmpty: false, order: 'joined_members', dir: 'b' }),
  );
  const columns = useMemo(roomColumns, []);
  const count = denied.servers.length;
  const limit = useRoleLimit('moderator');
  return (
    <>
      <ListScreen
        id="policy-list-acl"
        title={list.name}
        tabs={tabs}
        columns={columns}
        rows={rows}
        idOf={({ room_id }) => room_id}
        nameOf={roomName}
        search={{
          label: i18n.t('Search rooms'),
          value: search.text,
          onChange: (text) => onChange({ text }),
        }}
        above={() => (
          <div className={listClasses.strip}>
            {limit && <span>{limit}</span>}
            <span>
              {i18n.t(
                '{count, plural, =0 {No servers to deny} one {# server to deny. Select rooms to add it to their server ACLs.} other {# servers to deny. Select rooms to add them to their server ACLs.}}',
                { count },
              )}
            </span>
            {denied.own.length > 0 && (
              <span className={classes.problem}>
                {i18n.t('Left out, as they match your own server: {names}', {
                  names: listWords(denied.own.slice(0, 5)),
                })}
              </span>
            )}
            {denied.hashed > 0 && (
              <span className={cells.quiet}>
                {i18n.t('{count, plural, one {# hashed rule} other {# hashed rules}} left out', {
                  count: denied.hashed,
                })}
              </span>
            )}
          </div>
        )}
        isFiltered={search.text !== undefined}
        onClear={() => onChange({ text: undefined })}
        countOf={(total) => i18n.t('{count, plural, one {# room} other {# rooms}}', { count: total })}
        texts={{
          loading: i18n.t('Loading rooms…'),
          loadFailed: i18n.t("Couldn't load rooms"),
          empty: i18n.t('No rooms'),
          emptyNote: i18n.t('Rooms with members appear here.'),
          noMatches: i18n.t('No matching rooms'),
        }}
        {...(count > 0 &&
          !limit && {
            actions: (
              selected: readonly string[],
              _onActed: () => void,
              names: ReadonlyMap<string, string>,
            ) => (
              <ButtonWithIcon
                variant="default"
                icon={IconServerOff}
                onClick={() =>
                  setRooms(selected.map((roomId) => ({ roomId, name: names.get(roomId) ?? roomId })))
                }
              >
                {i18n.t('Deny servers')}
              </ButtonWithIcon>
            ),
          })}
      />
      {rooms && (
        <ActionDialog
          action={denyServers}
          items={rooms.map((room) => ({
            kind: 'room',
            ...room,
            listRule: `Policy list ${list.name}: server rules`,
          }))}
          known={{ deniedServers: denied.servers }}
          onClose={() => setRooms(undefined)}
        >
          <AclPreview rooms={rooms} servers={denied.servers} />
        </ActionDialog>
      )}
    </>
  );
}

const roomColumns = (): Column<RoomListItem>[] => [
  {
    id: 'name',
    name: i18n.t('Room'),
    width: 260,
    cell: (room) => <RoomLink roomId={room.room_id} name={roomName(room)} />,
  },
  {
    id: 'joined_members',
    name: i18n.t('Members'),
    width: 90,
    isNumeric: true,
    cell: ({ joined_members: members }) => (typeof members === 'number' ? number(members) : '–'),
  },
  {
    id: 'joined_local_members',
    name: i18n.t('Local members'),
    width: 110,
    isNumeric: true,
    cell: ({ joined_local_members: members }) => (typeof members === 'number' ? number(members) : '–'),
  },
];

type PreviewProps = { rooms: readonly { roomId: string; name: string }[]; servers: readonly string[] };

function AclPreview({ rooms: [first], servers }: PreviewProps) {
  return first ? (
    <div className={classes.preview}>
      <Disclosure label={i18n.t('Preview of the ACL')} facts={first.name}>
        <NextAcl roomId={first.roomId} servers={servers} />
      </Disclosure>
    </div>
  ) : null;
}

const maxAclBytes = 60_000;

function NextAcl({ roomId, servers }: { roomId: string; servers: readonly string[] }) {
  const server = useServer();
  const { data, error } = useQuery(roomStateQuery(server, roomId));
  if (error) return <p className={classes.note}>{i18n.t("Couldn't load the room's ACL")}</p>;
  if (!data) return <p className={classes.note}>{i18n.t('Loading…')}</p>;
  const content = data.find(
    ({ type, state_key }) => type === 'm.room.server_acl' && state_key === '',
  )?.content;
  const before = fits(ServerAcl, content) ? content : noAcl;
  const next = JSON.stringify(withDenied(before, servers, serverName(server.connection)), null, 2);
  return (
    <>
      <textarea
        className={classes.acl}
        readOnly
        rows={10}
        aria-label={i18n.t('Preview of the ACL')}
        value={next}
      />
      {next.length > maxAclBytes && (
        <p className={classes.note}>{i18n.t('Too large for one event. Deny fewer servers.')}</p>
      )}
    </>
  );
}
