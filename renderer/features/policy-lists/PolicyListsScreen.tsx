import { i18n } from '@lingui/core';
import { IconEye, IconPlus } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { policyListQuery } from '../../api/policy-lists/policy-lists.ts';
import { type PolicyRule, type RuleKind, ruleKinds } from '../../api/policy-lists/policy-rules.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { fileTime } from '../../components/file/table-file.ts';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import listClasses from '../../components/table/ListScreen.module.css';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { TimeCell, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { useCommands, useServer } from '../../console-context.ts';
import { LoadedUserLink } from '../../subjects/UserCell.tsx';
import type { WatchedList } from '../../team/policy-lists.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { useTeamReading } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';
import { number } from '../../words/format.ts';
import { CreateListDialog } from './CreateListDialog.tsx';
import { kindNames } from './rule-columns.tsx';
import { useWatchedLists } from './use-policy-lists.ts';
import { WatchListDialog } from './WatchListDialog.tsx';

type Row = WatchedList & {
  rules: readonly PolicyRule[] | undefined;
  changedAt: number | undefined;
  error: Error | null;
};

/** Lists the policy lists that the team watches or publishes. */
export function PolicyListsScreen() {
  const server = useServer();
  const { add } = useSearch({ from: '/frame/server/reports/lists' });
  const navigate = useNavigate({ from: '/reports/lists' });
  const open = (dialog: typeof add) => navigate({ search: (current) => ({ ...current, add: dialog }) });
  const lists = useWatchedLists();
  const limit = useRoleLimit('moderator');
  const rows = useQueries({
    queries: lists.map(({ roomId }) => policyListQuery(server, roomId)),
    combine: (results) =>
      lists.map((list, index): Row => {
        const { data, error } = results[index] ?? {};
        return {
          ...list,
          name: data?.name ?? list.name,
          rules: data?.rules,
          changedAt: data?.changedAt,
          error: error ?? null,
        };
      }),
  });
  const columns = useMemo(listColumns, []);
  const reading = useTeamReading();
  const known = rows.length > 0 || reading.isRead ? rows : undefined;
  const watch = (
    <ButtonWithIcon variant="default" aria-haspopup="dialog" icon={IconEye} onClick={() => open('watch')}>
      {i18n.t('Watch list')}
    </ButtonWithIcon>
  );
  const create = (
    <ButtonWithIcon variant="default" aria-haspopup="dialog" icon={IconPlus} onClick={() => open('create')}>
      {i18n.t('Create list')}
    </ButtonWithIcon>
  );
  const group = i18n.t('Policy lists');
  useCommands(
    limit
      ? []
      : [
          { id: 'watch list', label: i18n.t('Watch policy list'), group, run: () => open('watch') },
          {
            id: 'create list',
            label: i18n.t('Create policy list'),
            group,
            keys: ['n'],
            run: () => open('create'),
          },
        ],
  );
  const show = (roomId: string) =>
    navigate({
      to: '/reports/lists/$listId',
      params: { listId: roomId },
    });

  return (
    <>
      <ListScreen
        id="policy-lists"
        title={i18n.t('Policy lists')}
        columns={columns}
        rows={localRows(`${server.id} policy lists`, known, reading)}
        idOf={({ roomId }) => roomId}
        headingActions={() =>
          limit ? null : (
            <>
              {watch}
              {create}
            </>
          )
        }
        emptyAction={!limit && watch}
        above={() => limit && <div className={listClasses.strip}>{limit}</div>}
        countOf={(count) => i18n.t('{count, plural, one {# list} other {# lists}}', { count })}
        texts={{
          loading: i18n.t('Loading policy lists…'),
          loadFailed: i18n.t("Couldn't load policy lists"),
          empty: i18n.t('No policy lists'),
          emptyNote: i18n.t(
            'Policy lists are rooms in which other moderators publish bans. Nothing is applied without you.',
          ),
        }}
      />
      {!limit && add === 'watch' && <WatchListDialog onWatched={show} onClose={() => open(undefined)} />}
      {!limit && add === 'create' && <CreateListDialog onCreated={show} onClose={() => open(undefined)} />}
    </>
  );
}

const countOf = ({ rules }: Row, kind: RuleKind) => rules?.filter((rule) => rule.kind === kind).length;

const listColumns = (): Column<Row>[] => [
  {
    id: 'name',
    name: i18n.t('List'),
    width: 240,
    cell: ({ roomId, name }) => (
      <Link to="/reports/lists/$listId" params={{ listId: roomId }} className={cells.person} title={roomId}>
        <Avatar id={roomId} name={name} />
        <span className={cells.called}>
          <HazardText text={ellipsize(name, 120)} />
        </span>
      </Link>
    ),
  },
  ...ruleKinds.map(
    (kind): Column<Row> => ({
      id: kind,
      name: i18n.t(kindNames[kind]),
      width: 90,
      isNumeric: true,
      value: (row) => countOf(row, kind),
      cell: (row) => {
        const count = countOf(row, kind);
        return count === undefined ? '–' : number(count);
      },
    }),
  ),
  {
    id: 'changedAt',
    name: i18n.t('Last change'),
    width: 120,
    comfortableWidth: timeColumnWidth,
    value: ({ changedAt }) => fileTime(changedAt),
    cell: ({ changedAt, error }) =>
      error ? (
        <span className={cells.quiet} title={failureSentence(error)}>
          {i18n.t("Couldn't load rules")}
        </span>
      ) : changedAt ? (
        <TimeCell timestamp={changedAt} />
      ) : (
        '–'
      ),
  },
  {
    id: 'publish',
    name: i18n.t('Use'),
    width: 100,
    value: ({ publish }) => (publish ? 'published' : 'watched'),
    cell: ({ publish }) => (publish ? i18n.t('Published') : i18n.t('Watched')),
  },
  {
    id: 'by',
    name: i18n.t('Added by'),
    width: 160,
    isMinor: true,
    cell: ({ by }) => <LoadedUserLink userId={by} />,
  },
  {
    id: 'roomId',
    name: i18n.t('Room ID'),
    width: 200,
    hiddenByDefault: true,
    cell: ({ roomId }) => (
      <span className={cells.mono}>
        <HazardText text={roomId} />
      </span>
    ),
  },
];
