import { i18n } from '@lingui/core';
import { Button, Checkbox } from '@mantine/core';
import { IconBan, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TeamEntry } from '../../../shared/team/entries.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import type { ActionTargets } from '../../actions/items.ts';
import { canHash, nameOfRule } from '../../api/policy-lists/policy-rules.ts';
import { offeredQuery } from '../../api/supported-endpoints.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { ScanBar } from '../../components/ScanBar.tsx';
import { StateMark, States } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { RoomLink } from '../../subjects/RoomCell.tsx';
import { UserLink } from '../../subjects/UserCell.tsx';
import { statesByTeam, suspensionsByTeam, userStates } from '../../subjects/user-states.ts';
import { useStoreValue } from '../../subscribers.ts';
import { useTeamValue } from '../../team/use-team.ts';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { type Match, maxMembers, type Part, roomName, ruleForLog } from './find-matches.ts';
import { matchScansOf, type Scan } from './match-scans.ts';
import type { TabProps } from './open-list.ts';
import classes from './PolicyLists.module.css';
import { KindField, reasonColumn, recommendationColumn } from './rule-columns.tsx';

/** Lists the matches of a policy list on this server, with actions on them. */
export function MatchesTab({ list, tabs, search, onChange }: TabProps) {
  const server = useServer();
  const { data: offered } = useQuery(offeredQuery(server));
  const scans = matchScansOf(server);
  const scan = useStoreValue(scans, () => scans.of(list.roomId));
  const [withMembers, setWithMembers] = useState(false);
  const entries = useTeamValue((team) => team.entries);
  const columns = useMemo(() => matchColumns(entries), [entries]);
  const { kind } = search;
  const rows = useMemo(
    () =>
      scan?.matches.filter(
        (match) => kind === undefined || (match.kind === 'member' ? 'user' : match.kind) === kind,
      ),
    [scan, kind],
  );
  const byId = useMemo(() => new Map(scan?.matches.map((match) => [match.id, match])), [scan]);
  const listsServers = offered?.has('destinations') === true;
  const start = () => void scans.start(list.roomId, list.rules, { withMembers, listsServers });
  const isEmpty = list.rules.length === 0;

  const startButton = (
    <ButtonWithIcon variant="default" disabled={isEmpty || !offered} icon={IconSearch} onClick={start}>
      {i18n.t('Find matches')}
    </ButtonWithIcon>
  );
  const membersBox = (
    <Checkbox
      size="xs"
      label={i18n.t('Also scan remote members of rooms with up to {count} members', {
        count: number(maxMembers),
      })}
      checked={withMembers}
      disabled={scan?.step === 'running'}
      onChange={(event) => setWithMembers(event.currentTarget.checked)}
    />
  );
  return (
    <ListScreen
      id="policy-list-matches"
      title={list.name}
      tabs={tabs}
      columns={columns}
      rows={localRows(JSON.stringify([server.id, list.roomId, 'matches', kind]), scan ? rows : [])}
      idOf={({ id }) => id}
      filters={
        scan && (
          <>
            <KindField value={kind} onChange={(next) => onChange({ kind: next })} />
            {membersBox}
          </>
        )
      }
      above={() =>
        scan && (
          <ScanBar
            summary={summaryOf(
              scan,
              listsServers,
              list.rules.some(({ hash }) => hash !== undefined),
            )}
            error={scan.error}
            isRunning={scan.step === 'running'}
            isComplete={scan.step === 'complete'}
            onStop={() => scans.stop(list.roomId)}
            onContinue={start}
          >
            {scan.step === 'complete' && (
              <Button variant="subtle" size="compact-xs" onClick={start}>
                {i18n.t('Scan again')}
              </Button>
            )}
          </ScanBar>
        )
      }
      emptyAction={
        !scan && (
          <div className={classes.start}>
            {membersBox}
            {startButton}
          </div>
        )
      }
      isFiltered={kind !== undefined && (scan?.matches.length ?? 0) > 0}
      onClear={() => onChange({ kind: undefined })}
      countOf={(count) => (scan ? i18n.t('{count, plural, one {# match} other {# matches}}', { count }) : '')}
      texts={{
        loading: i18n.t('Scanning…'),
        loadFailed: i18n.t("Couldn't find matches"),
        ...(scan
          ? {
              empty: scan.step === 'running' ? i18n.t('None found yet') : i18n.t('No matches'),
              emptyNote: i18n.t('Nothing on this server matches the scanned part of this list.'),
            }
          : {
              empty: i18n.t('Preview this list'),
              emptyNote: i18n.t(
                'Finds local users, rooms and remote servers that match. Nothing is changed.',
              ),
            }),
        noMatches: i18n.t('No matching rows'),
      }}
      actions={(selected, onActed) => (
        <MatchActions
          list={list.name}
          matches={selected.flatMap((id) => byId.get(id) ?? [])}
          onActed={onActed}
        />
      )}
      onActed={() => {}}
    />
  );
}

const partNames: Readonly<Record<Part, string>> = {
  users: /*i18n*/ '{count} of {total} local users',
  rooms: /*i18n*/ '{count} of {total} rooms',
  servers: /*i18n*/ '{count} of {total} remote servers',
  members: /*i18n*/ 'members of {count} of {total} rooms',
};

function summaryOf({ scanned, skippedRooms }: Scan, listsServers: boolean, isHashed: boolean): string {
  const parts = (['users', 'rooms', 'servers', 'members'] as const).flatMap((part) => {
    const progress = scanned[part];
    if (part === 'members' && progress?.total === 0) return [i18n.t('no rooms with remote members')];
    return progress
      ? [i18n.t(partNames[part], { count: number(progress.count), total: number(progress.total) })]
      : [];
  });
  return [
    i18n.t('Scanned: {parts}.', { parts: parts.join(', ') || '–' }),
    scanned.members === undefined && i18n.t("Remote members of rooms aren't included."),
    skippedRooms > 0 &&
      i18n.t('{count, plural, one {# larger room} other {# larger rooms}} left out.', {
        count: skippedRooms,
      }),
    !listsServers && i18n.t("This server doesn't list remote servers."),
    isHashed && !canHash() && i18n.t('Hashed rules need a secure connection to the console.'),
  ]
    .filter(Boolean)
    .join(' ');
}

const offeredActions = [
  'suspend-user',
  'lock-user',
  'take-down-user',
  'deactivate-user',
  'block-room',
  'shut-down-room',
  'purge-room',
  'ban-member',
  'kick-member',
];

type ActionsProps = { list: string; matches: readonly Match[]; onActed: () => void };

function MatchActions({ list, matches, onActed }: ActionsProps) {
  const on = useMemo((): ActionTargets => {
    const users: ActionTargets['users'] = matches.flatMap((match) =>
      match.kind === 'user' ? [{ userId: match.user.name, ...ruleOf(list, match) }] : [],
    );
    const rooms: ActionTargets['rooms'] = matches.flatMap((match) =>
      match.kind === 'room'
        ? [{ roomId: match.room.room_id, name: roomName(match.room), ...ruleOf(list, match) }]
        : [],
    );
    const members: ActionTargets['members'] = matches.flatMap((match) =>
      match.kind === 'member'
        ? [
            {
              userId: match.userId,
              roomId: match.room.room_id,
              roomName: roomName(match.room),
              ...ruleOf(list, match),
            },
          ]
        : [],
    );
    return { users, rooms, members };
  }, [list, matches]);
  const servers = matches.filter(({ kind }) => kind === 'server').length;
  return (
    <>
      {servers < matches.length && <ActionBar on={on} only={offeredActions} onActed={onActed} />}
      {servers > 0 && (
        <span className={listClasses.count}>{i18n.t('Deny servers on the Server ACL tab.')}</span>
      )}
    </>
  );
}

const idOf = (match: Match): string =>
  match.kind === 'user'
    ? match.user.name
    : match.kind === 'room'
      ? match.room.room_id
      : match.kind === 'server'
        ? match.destination
        : match.userId;

const nameOf = (match: Match): string =>
  match.kind === 'user'
    ? match.user.displayname || match.user.name
    : 'room' in match
      ? roomName(match.room)
      : match.destination;

const ruleOf = (list: string, { rules: [rule] }: Match) => (rule ? { listRule: ruleForLog(list, rule) } : {});

function matchColumns(entries: readonly TeamEntry[]): Column<Match>[] {
  const suspended = suspensionsByTeam(entries);
  const blocked = statesByTeam(entries, ['block-room', 'unblock-room'], (subject) =>
    subject.kind === 'room' ? subject.roomId : undefined,
  );
  const banned = statesByTeam(entries, ['ban-member', 'unban-member'], (subject, { detail = '' }) =>
    subject.kind === 'user' ? memberKey(subject.userId, detail) : undefined,
  );
  const statesOf = ({ user }: Extract<Match, { kind: 'user' }>) =>
    userStates({ ...user, suspended: user.suspended ?? suspended.get(user.name) });
  const wordsOf = (match: Match): string => {
    if (match.kind === 'user')
      return statesOf(match)
        .map(({ words }) => words)
        .join(', ');
    if (match.kind === 'room') return blocked.get(match.room.room_id) ? i18n.t('Blocked') : '';
    return match.kind === 'member' && banned.get(memberKey(match.userId, match.room.room_id))
      ? i18n.t('Banned')
      : '';
  };
  return [
    {
      id: 'subject',
      name: i18n.t('Match'),
      width: 200,
      value: nameOf,
      cell: (match) => <MatchName match={match} />,
    },
    {
      id: 'id',
      name: i18n.t('ID'),
      width: 180,
      isMinor: true,
      cell: (match) => (
        <span className={cells.mono} title={idOf(match)}>
          <HazardText text={ellipsize(idOf(match), 255)} />
        </span>
      ),
    },
    {
      id: 'kind',
      name: i18n.t('Subject'),
      width: 110,
      isMinor: true,
      value: ({ kind }) => kind,
      cell: ({ kind }) =>
        ({
          user: i18n.t('Local user'),
          room: i18n.t('Room'),
          server: i18n.t('Remote server'),
          member: i18n.t('Remote member'),
        })[kind],
    },
    {
      id: 'state',
      name: i18n.t('Status'),
      tooltip: i18n.t('Suspensions, blocks and bans only if by your team.'),
      width: 110,
      value: wordsOf,
      cell: (match) =>
        match.kind === 'user' ? (
          <States states={statesOf(match)} />
        ) : (
          wordsOf(match) !== '' && <StateMark words={wordsOf(match)} tone="danger" icon={IconBan} />
        ),
    },
    recommendationColumn(({ rules }) => rules[0]),
    {
      id: 'rule',
      name: i18n.t('Rule'),
      width: 180,
      value: ({ rules }) => rules.map(nameOfRule).join(' '),
      cell: ({ rules: [rule, ...others] }) => (
        <span className={cells.counted}>
          <bdi className={cells.mono} title={rule && nameOfRule(rule)}>
            <HazardText text={ellipsize(rule ? nameOfRule(rule) : '', 120)} />
          </bdi>
          {others.length > 0 && (
            <span className={cells.quiet}>
              {i18n.t('and {count} more', { count: number(others.length) })}
            </span>
          )}
        </span>
      ),
    },
    reasonColumn(({ rules }) => rules[0]),
  ];
}

function MatchName({ match }: { match: Match }) {
  if (match.kind === 'user') return <UserLink userId={match.user.name} name={match.user.displayname} />;
  if (match.kind === 'room') return <RoomLink roomId={match.room.room_id} name={roomName(match.room)} />;
  if (match.kind === 'server') {
    return (
      <Link to="/federation/$destination" params={{ destination: match.destination }} className={cells.id}>
        <HazardText text={match.destination} />
      </Link>
    );
  }
  return (
    <span title={match.userId}>
      <HazardText text={ellipsize(match.userId, 120)} /> ·{' '}
      <HazardText text={ellipsize(roomName(match.room), 80)} />
    </span>
  );
}

const memberKey = (userId: string, roomId: string) => `${userId} ${roomId}`;
