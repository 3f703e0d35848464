import { i18n } from '@lingui/core';
import { IconArrowBackUp, IconCircleCheck, IconCircleX, IconEqual } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { policyKind } from '../../../../shared/team/policies.ts';
import { fileTime } from '../../../components/file/table-file.ts';
import { ChoiceField, DayField } from '../../../components/filters/FilterFields.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { type State, StateMark } from '../../../components/State.tsx';
import cells from '../../../components/table/cells.module.css';
import type { Column } from '../../../components/table/columns.tsx';
import listClasses from '../../../components/table/ListScreen.module.css';
import { ListScreen } from '../../../components/table/ListScreen.tsx';
import { localRows } from '../../../components/table/rows.ts';
import { TimeCell, timeColumnWidth } from '../../../components/table/TimeCell.tsx';
import { useServer } from '../../../console-context.ts';
import { UserLink } from '../../../subjects/UserCell.tsx';
import { useAccountName } from '../../../team/account-names.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { SubjectLink } from '../../../team/SubjectLink.tsx';
import { useTeamReading, useTeamValue } from '../../../team/use-team.ts';
import { ellipsize } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { useTeamRules } from '../rules/rule-facts.ts';
import { filterLog, type LogRow, logRows, subjectText } from './log-rows.ts';
import type { LogSearch } from './log-search.ts';

/** Lists the team's activity: moderator, action, subject, reason and time. */
export function LogScreen() {
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports/log' });
  const navigate = useNavigate({ from: '/reports/log' });
  const log = useTeamValue((team) => team.log);
  const policies = useTeamValue((team) => team.documents(policyKind));
  const rowsOf = useMemo(() => logRows(policies), [policies]);
  const all = useMemo(() => rowsOf(log), [log, rowsOf]);
  const { text, by, action, rule, from, until, dir } = search;
  const matches = useMemo(
    () => filterLog(all, { text, by, action, rule, from, until, dir }),
    [all, text, by, action, rule, from, until, dir],
  );
  const moderators = useMemo(() => [...new Set(all.map((row) => row.by))].sort(), [all]);
  const { rules: teamRules } = useTeamRules();
  const rules = useMemo(() => {
    const found = new Map(
      all.flatMap((row) => (row.rule ? [[row.rule.key, ruleName(row.rule)] as const] : [])),
    );
    // The address can name a rule that did nothing.
    const named = teamRules.find(({ key }) => key === rule);
    if (rule !== undefined && !found.has(rule)) found.set(rule, named ? ruleName(named) : rule);
    return [...found];
  }, [all, rule, teamRules]);
  const actions = useMemo(() => [...new Map(all.map((row) => [row.action, row.label]))], [all]);
  const change = (changes: Partial<LogSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const isLocal = useTeamValue((team) => team.sync.state === 'local');
  const hasPolicy = useMemo(() => matches.some((row) => row.policy !== undefined), [matches]);
  const hasRule = useMemo(() => matches.some((row) => row.rule !== undefined), [matches]);
  const columns = useMemo(() => logColumns({ hasPolicy, hasRule }), [hasPolicy, hasRule]);
  const reading = useTeamReading();
  const rows = matches.length > 0 || reading.isRead ? matches : undefined;

  return (
    <ListScreen
      id="moderation-log"
      title={i18n.t('Moderation log')}
      columns={columns}
      rows={localRows(JSON.stringify([server.id, search]), rows, reading)}
      idOf={({ id }) => id}
      sort={{ order: 'at', dir: dir ?? 'b' }}
      onSort={(sort) => change({ dir: sort.dir })}
      search={{
        label: i18n.t('Search subjects and reasons'),
        value: text,
        onChange: (next) => change({ text: next }),
      }}
      filters={
        <>
          <ChoiceField
            label={i18n.t('Moderator')}
            value={by}
            none={i18n.t('All moderators')}
            choices={moderators.map((userId) => ({ value: userId, label: ellipsize(userId, 60) }))}
            onChange={(next) => change({ by: next })}
          />
          <ChoiceField
            label={i18n.t('Action')}
            value={action}
            none={i18n.t('All actions')}
            choices={actions.map(([value, label]) => ({ value, label }))}
            onChange={(next) => change({ action: next })}
          />
          {rules.length > 0 && (
            <ChoiceField
              label={i18n.t('Rule')}
              value={rule}
              none={i18n.t('All rules')}
              choices={rules.map(([value, label]) => ({ value, label: ellipsize(label, 60) }))}
              onChange={(next) => change({ rule: next })}
            />
          )}
          <DayField label={i18n.t('from')} value={from} onChange={(next) => change({ from: next })} />
          <DayField label={i18n.t('until')} value={until} onChange={(next) => change({ until: next })} />
        </>
      }
      above={() => isLocal && <LocalOnly />}
      isFiltered={[text, by, action, rule, from, until].some((value) => value !== undefined)}
      onClear={() =>
        change({
          text: undefined,
          by: undefined,
          action: undefined,
          rule: undefined,
          from: undefined,
          until: undefined,
        })
      }
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} entry} other {{shown} entries}}', {
          count,
          shown: number(count),
        })
      }
      texts={{
        loading: i18n.t('Loading log…'),
        loadFailed: i18n.t("Couldn't load the log"),
        empty: i18n.t('No entries'),
        emptyNote: i18n.t('Actions, statuses and notes appear here.'),
        noMatches: i18n.t('No matching entries'),
      }}
    />
  );
}

const LocalOnly = () => (
  <div className={listClasses.strip}>
    <span className={cells.quiet}>{i18n.t('Only your actions on this device.')}</span>
    <Link to="/settings" search={({ server }) => ({ server })} className={cells.name}>
      {i18n.t('Share with team…')}
    </Link>
  </div>
);

const Moderator = ({ userId }: { userId: string }) => (
  <UserLink userId={userId} name={useAccountName(userId)} />
);

function outcomeState(outcome: LogRow['outcome']): State {
  switch (outcome) {
    case 'done':
      return { words: i18n.t('Done'), tone: 'success', icon: IconCircleCheck };
    case 'unchanged':
      return { words: i18n.t('No change'), tone: 'neutral', icon: IconEqual };
    case 'failed':
      return { words: i18n.t('Failed'), tone: 'danger', icon: IconCircleX };
    case 'undone':
      return { words: i18n.t('Undone'), tone: 'neutral', icon: IconArrowBackUp };
  }
}

/** Leaves out columns in which no row has a value. */
const logColumns = ({ hasPolicy, hasRule }: { hasPolicy: boolean; hasRule: boolean }): Column<LogRow>[] => [
  {
    id: 'by',
    name: i18n.t('Moderator'),
    width: 160,
    cell: ({ by }) => <Moderator userId={by} />,
  },
  {
    id: 'action',
    name: i18n.t('Action'),
    width: 150,
    cell: ({ label, outcome }) => {
      const state = outcome === 'done' ? undefined : outcomeState(outcome);
      return (
        <span className={cells.marked} title={[label, state?.words].filter(Boolean).join(' · ')}>
          <span>
            <HazardText text={ellipsize(label, 100)} />
          </span>
          {state && <StateMark isSmall {...state} />}
        </span>
      );
    },
  },
  {
    id: 'subject',
    name: i18n.t('Subject'),
    width: 150,
    value: ({ subjects }) => subjects.map(subjectText).join(' '),
    cell: ({ subjects: [first], count }) => (
      <>
        {first && <SubjectLink subject={first} />}{' '}
        {count > 1 && (
          <span className={cells.quiet}>
            {i18n.t('and {count, plural, one {# other} other {# others}}', { count: count - 1 })}
          </span>
        )}
      </>
    ),
  },
  {
    id: 'at',
    name: i18n.t('Time'),
    width: 110,
    comfortableWidth: timeColumnWidth,
    order: 'at',
    descending: true,
    value: ({ at }) => fileTime(at),
    cell: ({ at }) => <TimeCell timestamp={at} />,
  },
  {
    id: 'text',
    name: i18n.t('Reason or note'),
    width: 260,
    cell: ({ text }) => (
      <bdi title={text}>
        <HazardText text={ellipsize(text, 300)} />
      </bdi>
    ),
  },
  ...(hasPolicy ? [policyColumn()] : []),
  ...(hasRule ? [ruleColumn()] : []),
  {
    id: 'outcome',
    name: i18n.t('Outcome'),
    width: 100,
    hiddenByDefault: true,
    // The action has it unless it is done.
    isOnlyChosen: true,
    cell: ({ outcome }) => <StateMark {...outcomeState(outcome)} />,
  },
];

const policyColumn = (): Column<LogRow> => ({
  id: 'policy',
  name: i18n.t('Policy'),
  width: 120,
  value: ({ policy }) => policy ?? '',
  cell: ({ policy }) => policy !== undefined && <HazardText text={ellipsize(policy, 100)} />,
});

const ruleColumn = (): Column<LogRow> => ({
  id: 'rule',
  name: i18n.t('Rule'),
  width: 120,
  value: ({ rule }) => (rule ? ruleName(rule) : ''),
  cell: ({ rule }) => rule && <HazardText text={ellipsize(ruleName(rule), 100)} />,
});
