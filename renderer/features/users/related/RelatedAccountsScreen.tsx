import { i18n } from '@lingui/core';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { IconFingerprint, IconUserQuestion } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TeamEntry } from '../../../../shared/team/entries.ts';
import { subjectsOf } from '../../../../shared/team/fold.ts';
import type { UserListItem } from '../../../api/user-list.ts';
import { fileTime } from '../../../components/file/table-file.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { StateMessage } from '../../../components/LoadStates.tsx';
import { ScanBar } from '../../../components/ScanBar.tsx';
import { StateMark } from '../../../components/State.tsx';
import type { Column } from '../../../components/table/columns.tsx';
import { ListScreen } from '../../../components/table/ListScreen.tsx';
import { localRows } from '../../../components/table/rows.ts';
import { useServer } from '../../../console-context.ts';
import { UserChip } from '../../../subjects/chips.tsx';
import { suspensionsByTeam } from '../../../subjects/user-states.ts';
import { useStoreValue } from '../../../subscribers.ts';
import { useTeamValue } from '../../../team/use-team.ts';
import { ellipsize } from '../../../words/clip.ts';
import { list, number } from '../../../words/format.ts';
import { useFreshStates } from '../look-alikes/use-look-alikes.ts';
import { UsersActions, userColumns } from '../user-columns.tsx';
import type { RelatedSearch } from '../user-search.ts';
import classes from './Related.module.css';
import { relatedScansOf, type Scan } from './related-scans.ts';
import { maxCompared, type Scope, scopes } from './scopes.ts';
import { type RatedSign, type Related, relatedAccounts, type SignKind, signKinds } from './signs.ts';

type Row = Related<UserListItem>;

/** Finds local accounts that may belong to the same person. Never starts on its own: it loads accounts one by one. */
export function RelatedAccountsScreen() {
  const server = useServer();
  const queryClient = useQueryClient();
  const { of: userId, scope = 'newest', strong } = useSearch({ from: '/frame/server/users/related' });
  const navigate = useNavigate({ from: '/users/related' });
  const change = (changes: Partial<RelatedSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }), replace: true });
  const scans = relatedScansOf(server);
  const scan = useStoreValue(scans, () => scans.of(userId ?? ''));
  const entries = useTeamValue((team) => team.entries);
  const columns = useMemo(() => relatedColumns(entries), [entries]);
  const found = useMemo(() => (scan ? relatedAccounts(scan.found, scan.compared).map(withId) : []), [scan]);
  const [changed, setChanged] = useState<readonly string[]>([]);
  const users = useFreshStates(
    useMemo(() => found.map(({ user }) => user), [found]),
    changed,
  );
  const fresh = useMemo(
    () => found.map((row, index) => ({ ...row, user: users[index] ?? row.user })),
    [found, users],
  );
  const rows = useMemo(() => (strong ? fresh.filter(({ isStrong }) => isStrong) : fresh), [fresh, strong]);
  if (userId === undefined) {
    return (
      <StateMessage
        isScreen
        icon={<IconUserQuestion size={24} stroke={1.5} />}
        title={i18n.t('No account chosen')}
        description={i18n.t('Open a user and choose Find related accounts.')}
      />
    );
  }
  const start = () => void scans.start(userId, { queryClient, scope, acted: actedOn(entries) });
  const scopeField = (
    <NativeSelect
      size="xs"
      className={classes.scope}
      label={i18n.t('Compare with')}
      disabled={scan?.step === 'running'}
      value={scope}
      data={scopes.map((value) => ({
        value,
        label: i18n.t(scopeNames[value], { count: number(maxCompared), half: number(maxCompared / 2) }),
      }))}
      onChange={(event) => change({ scope: scopes.find((value) => value === event.currentTarget.value) })}
    />
  );
  const startButton = (
    <Button
      variant="default"
      leftSection={<IconFingerprint size={15} stroke={1.7} aria-hidden />}
      onClick={start}
    >
      {i18n.t('Compare accounts')}
    </Button>
  );
  return (
    <ListScreen
      id="related-accounts"
      title={i18n.t('Related accounts')}
      tabs={
        <div className={classes.subject}>
          <span>{i18n.t('Account')}</span>
          <UserChip kind={i18n.t('User')} id={userId} />
        </div>
      }
      columns={columns}
      rows={localRows(JSON.stringify([server.id, 'related', userId, strong]), rows)}
      idOf={({ id }) => id}
      filters={
        scan && (
          <>
            {scopeField}
            <Checkbox
              size="xs"
              className={classes.strong}
              label={i18n.t('Strong signs only')}
              checked={strong === true}
              onChange={(event) => change({ strong: event.currentTarget.checked || undefined })}
            />
          </>
        )
      }
      above={() =>
        scan && (
          <ScanBar
            summary={summaryOf(scan)}
            error={scan.error}
            isRunning={scan.step === 'running'}
            progress={scan.total ? { value: scan.compared + scan.failed, max: scan.total } : undefined}
            isComplete={scan.step === 'complete'}
            onStop={() => scans.stop(userId)}
            onContinue={() => void scans.resume(userId)}
          >
            {scan.step !== 'running' && (scan.step === 'complete' || scan.scope !== scope) && (
              <Button variant="subtle" size="compact-xs" onClick={start}>
                {scan.scope === scope ? i18n.t('Compare again') : i18n.t('Compare accounts')}
              </Button>
            )}
          </ScanBar>
        )
      }
      emptyAction={
        !scan && (
          <div className={classes.start}>
            {scopeField}
            {startButton}
          </div>
        )
      }
      isFiltered={strong === true && found.length > 0}
      onClear={() => change({ strong: undefined })}
      countOf={(count) =>
        scan ? i18n.t('{count, plural, one {# account} other {# accounts}}', { count }) : ''
      }
      texts={{
        loading: i18n.t('Comparing accounts…'),
        loadFailed: i18n.t("Couldn't compare accounts"),
        noMatches: i18n.t('No accounts with strong signs'),
        ...emptyTexts(scan),
      }}
      actions={(userIds, onActed) => <UsersActions userIds={userIds} onActed={onActed} />}
      onActed={(userIds) => setChanged((before) => [...before, ...userIds])}
    />
  );
}

type IdentifiedRow = Row & { id: string };
const withId = (row: Row): IdentifiedRow => ({ ...row, id: row.user.name });

const scopeNames: Readonly<Record<Scope, string>> = {
  newest: /*i18n*/ 'Newest {count} accounts',
  near: /*i18n*/ '{half} accounts created before, {half} after',
  known: /*i18n*/ 'Reported, or acted on by the team',
};

function emptyTexts(scan: Scan | undefined) {
  if (!scan) {
    return {
      empty: i18n.t('Find accounts of the same person'),
      emptyNote: i18n.t(
        'Compares IP addresses, devices, apps, email addresses and files. Servers have no search for these, so each account takes two to four requests.',
      ),
    };
  }
  if (scan.own && Object.values(scan.own).every(({ length }) => length === 0)) {
    return {
      empty: i18n.t('Nothing to compare'),
      emptyNote: i18n.t('The server has no sessions, email addresses or files of this account.'),
    };
  }
  return {
    empty: scan.step === 'running' ? i18n.t('None found yet') : i18n.t('No related accounts'),
    emptyNote: i18n.t('No compared account has any of these in common.'),
  };
}

function summaryOf({ own, total, compared, failed }: Scan): string {
  if (!own) return i18n.t('Loading account…');
  const traits = signKinds
    .filter((kind) => own[kind].length > 0)
    .map((kind) => i18n.t(traitCounts[kind], { count: own[kind].length }));
  return [
    traits.length > 0 && i18n.t('Looks for {traits}.', { traits: list(traits) }),
    total !== undefined &&
      i18n.t('{compared} of {total} accounts compared.', {
        compared: number(compared),
        total: number(total),
      }),
    failed > 0 &&
      i18n.t("{count, plural, one {# account} other {# accounts}} couldn't be loaded.", { count: failed }),
  ]
    .filter(Boolean)
    .join(' ');
}

const traitCounts: Readonly<Record<SignKind, string>> = {
  ip: /*i18n*/ '{count, plural, one {# IP address} other {# IP addresses}}',
  device: /*i18n*/ '{count, plural, one {# device ID} other {# device IDs}}',
  agent: /*i18n*/ '{count, plural, one {# user agent} other {# user agents}}',
  email: /*i18n*/ '{count, plural, one {# email address} other {# email addresses}}',
  'email-domain': /*i18n*/ '{count, plural, one {# email domain} other {# email domains}}',
  file: /*i18n*/ '{count, plural, one {# file} other {# files}}',
};

const signNames: Readonly<Record<SignKind, string>> = {
  ip: /*i18n*/ 'IP address {value}',
  device: /*i18n*/ 'Device ID {value}',
  agent: /*i18n*/ 'User agent {value}',
  email: /*i18n*/ 'Mailbox {value}',
  'email-domain': /*i18n*/ 'Email domain {value}',
  file: /*i18n*/ 'File {value}',
};

const signText = ({ kind, value, holders }: RatedSign): string =>
  [
    i18n.t(signNames[kind], { value: ellipsize(kind === 'file' ? value.slice(0, 12) : value, 200) }),
    holders > 1 && i18n.t('({count} accounts)', { count: number(holders) }),
  ]
    .filter(Boolean)
    .join(' ');

function relatedColumns(entries: readonly TeamEntry[]): Column<IdentifiedRow>[] {
  const [name, id, state, , created] = userColumns(suspensionsByTeam(entries)).map(onUser);
  const strength: Column<IdentifiedRow> = {
    id: 'strength',
    name: i18n.t('Strength'),
    width: 90,
    value: (row) => (row.isStrong ? i18n.t('Strong') : i18n.t('Weak')),
    cell: ({ isStrong }) =>
      isStrong ? (
        <StateMark words={i18n.t('Strong')} tone="warning" icon={IconFingerprint} />
      ) : (
        <StateMark words={i18n.t('Weak')} tone="neutral" icon={IconUserQuestion} />
      ),
  };
  const signs: Column<IdentifiedRow> = {
    id: 'signs',
    name: i18n.t('In common'),
    width: 360,
    value: ({ signs }) => signs.map(signText).join(', '),
    cell: ({ signs }) => (
      <span className={classes.signs} title={signs.map(signText).join('\n')}>
        <HazardText text={signs.map(signText).join(' · ')} />
      </span>
    ),
  };
  return [name, strength, signs, state, created, id && { ...id, hiddenByDefault: true }].filter(
    (column) => column !== undefined,
  );
}

/** Applies a column of users to rows. */
const onUser = ({ cell, value, order: _, ...column }: Column<UserListItem>): Column<IdentifiedRow> => ({
  ...column,
  cell: ({ user }) => cell(user),
  value: ({ user }) =>
    value
      ? value(user)
      : column.id === 'creation_ts'
        ? fileTime(user.creation_ts)
        : (user[column.id as 'name' | 'displayname'] ?? ''),
});

/** Returns the users that the team acted on, newest first. */
const actedOn = (entries: readonly TeamEntry[]): string[] =>
  entries
    .filter((entry) => entry.type === 'action')
    .flatMap((entry) =>
      subjectsOf(entry).flatMap((subject) => (subject.kind === 'user' ? subject.userId : [])),
    );
