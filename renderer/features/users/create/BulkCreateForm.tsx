import { i18n } from '@lingui/core';
import { Button, Progress, Textarea } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { offeredQuery } from '../../../api/offered.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { number } from '../../../words/format.ts';
import classes from '../Users.module.css';
import { createUsers, type Result, savePasswords } from './create-users.ts';
import { type NewUser, parseUsers } from './pasted-names.ts';
import { takesPasswords } from './user-name.ts';

/** More than this is too long a list to review. */
const maxUsers = 500;

type Props = {
  /** The pasted names. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  /** Called with true while users are being created or their passwords are shown. */
  onLock: (isLocked: boolean) => void;
};

/** Creates users from a pasted list: a preview first, then the result for each user. */
export function BulkCreateForm({ text, onText, onClose, onLock }: Props) {
  const server = useServer();
  const { queryClient, host } = useConsole();
  const team = useTeam();
  const { data: offered } = useQuery(offeredQuery(server));
  const [results, setResults] = useState<readonly Result[]>();
  const [state, setState] = useState<'editing' | 'creating' | 'finished'>('editing');
  const [saveState, setSaveState] = useState<'unsaved' | 'saved' | 'failed' | 'warned'>('unsaved');
  const controller = useRef(new AbortController());
  const name = serverName(server.connection);
  const pasted = useMemo(() => parseUsers(text, name), [text, name]);
  const valid = pasted.filter(({ fault }) => fault === undefined);
  const isTooMany = valid.length > maxUsers;

  const hasUnsaved =
    results?.some(({ password }) => password !== undefined) === true && saveState !== 'saved';
  // The passwords exist only here: warn once before they are lost.
  useNavigationGuard(
    () => state === 'creating' || (hasUnsaved && saveState !== 'warned'),
    () => setSaveState('warned'),
  );

  async function create(users: readonly (NewUser | Result)[]) {
    setState('creating');
    setSaveState('unsaved');
    onLock(true);
    setResults((before = []) => before.map(resetResult));
    controller.current = new AbortController();
    const nameOf = (localpart: string) => `@${localpart}:${name}`;
    const hasPasswords = takesPasswords(server, offered);
    await createUsers(
      { server, queryClient, hasPasswords, nameOf },
      users,
      controller.current.signal,
      (result) => {
        setResults((before = []) => withResult(before, result));
        if (result.outcome !== 'created') return;
        const subject = { kind: 'user', userId: result.userId } as const;
        team.record({ action: 'make-user', subject, reports: [], outcome: 'done' });
      },
    );
    void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
    setState('finished');
  }

  async function save() {
    try {
      if (await savePasswords(results ?? [], host.shell !== undefined)) setSaveState('saved');
    } catch {
      setSaveState('failed');
    }
  }

  function close() {
    if (hasUnsaved && saveState !== 'warned') return setSaveState('warned');
    onLock(false);
    onText('');
    onClose();
  }

  if (results) {
    const done = results.filter(({ outcome }) => outcome === 'created').length;
    const failed = results.filter(({ outcome }) => outcome === 'failed').length;
    const unfinished = results.filter(({ outcome }) => outcome !== 'created');
    const started = results.filter(({ outcome }) => outcome !== 'not started').length;
    return (
      <div className={classes.form}>
        <p className={classes.text} role="status">
          {failed > 0
            ? i18n.t('{done} of {total} created, {failed} failed', {
                done: number(done),
                total: number(valid.length),
                failed: number(failed),
              })
            : i18n.t('{done} of {total} created', { done: number(done), total: number(valid.length) })}
          {'. '}
          {i18n.t('Passwords are shown once and never stored.')}
        </p>
        {state === 'creating' && (
          <Progress
            size="sm"
            aria-label={i18n.t('Progress')}
            value={(100 * started) / Math.max(1, valid.length)}
          />
        )}
        <div className={classes.preview}>
          <table aria-label={i18n.t('Created users')}>
            <thead>
              <tr>
                <th scope="col">{i18n.t('User')}</th>
                <th scope="col">{i18n.t('Password')}</th>
                <th scope="col">{i18n.t('Result')}</th>
              </tr>
            </thead>
            <tbody>
              {results.map(({ userId, password, outcome, error }) => (
                <tr key={userId}>
                  <td>{userId}</td>
                  <td>
                    <code>{password}</code>
                  </td>
                  <td data-fault={outcome === 'created' ? undefined : true}>
                    {outcome === 'created'
                      ? i18n.t('Created')
                      : outcome === 'failed'
                        ? error
                        : i18n.t('Not started')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {saveState === 'failed' && (
          <p className={classes.failure} role="alert">
            {i18n.t("Couldn't write the file")}
          </p>
        )}
        {saveState === 'warned' && (
          <p className={classes.failure} role="alert">
            {i18n.t('Closing discards the unsaved passwords.')}
          </p>
        )}
        <div className={classes.buttons}>
          {state === 'creating' ? (
            <Button variant="default" onClick={() => controller.current.abort()}>
              {i18n.t('Stop')}
            </Button>
          ) : (
            <>
              <Button leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />} onClick={save}>
                {i18n.t('Save as CSV')}
              </Button>
              {unfinished.length > 0 && (
                <Button variant="default" onClick={() => create(unfinished)}>
                  {i18n.t('Retry {count, plural, one {# user} other {# users}}', {
                    count: unfinished.length,
                  })}
                </Button>
              )}
              <Button variant="default" onClick={close}>
                {saveState === 'warned' ? i18n.t('Close without saving') : i18n.t('Close')}
              </Button>
            </>
          )}
        </div>
      </div>
    );
  }

  return (
    <ConfirmForm
      label={i18n.t('Create {count, plural, one {# user} other {# users}}', { count: valid.length })}
      failure={
        isTooMany
          ? i18n.t('At most {most} at once. Add others later.', { most: number(maxUsers) })
          : undefined
      }
      disabled={valid.length === 0 || isTooMany}
      multiline
      onSubmit={() => create(valid)}
      onCancel={onClose}
    >
      <Textarea
        data-autofocus
        label={i18n.t('Names')}
        description={i18n.t(
          'One user per line: user name, display name, email; or CSV with a header. Passwords are generated.',
        )}
        rows={6}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      {pasted.length > 0 && (
        <>
          <p className={classes.text} role="status">
            {i18n.t('{count, plural, =0 {No users} one {{shown} user} other {{shown} users}} to create', {
              count: valid.length,
              shown: number(valid.length),
            })}
            {pasted.length > valid.length &&
              ` · ${i18n.t('{count, plural, one {{shown} line} other {{shown} lines}} skipped', {
                count: pasted.length - valid.length,
                shown: number(pasted.length - valid.length),
              })}`}
          </p>
          <Preview users={pasted} server={name} />
        </>
      )}
    </ConfirmForm>
  );
}

const resetResult = (result: Result): Result => {
  if (result.outcome === 'created') return result;
  const { error: _, ...rest } = result;
  return { ...rest, outcome: 'not started' };
};

/** Replaces the user's result in place, or appends it. */
function withResult(results: readonly Result[], result: Result): readonly Result[] {
  const index = results.findIndex(({ userId }) => userId === result.userId);
  return index === -1 ? [...results, result] : results.with(index, result);
}

/** Blocks leaving the page while `isBlocked` returns true, and then calls `onBlocked`. */
function useNavigationGuard(isBlocked: () => boolean, onBlocked: () => void): void {
  const { history } = useRouter();
  const isUnloadBlocked = useEffectEvent(isBlocked);
  const block = useEffectEvent(() => {
    const blocks = isBlocked();
    if (blocks) onBlocked();
    return blocks;
  });
  useEffect(
    () => history.block({ blockerFn: () => block(), enableBeforeUnload: () => isUnloadBlocked() }),
    [history],
  );
}

/** Minimum number of invalid lines in the preview. */
const minInvalid = 100;

/** Shows the parsed lines; in a long list, the valid ones first. */
function Preview({ users, server }: { users: readonly NewUser[]; server: string }) {
  const rows = previewRows(users);
  const hiddenCount = users.length - rows.length;
  return (
    <div className={classes.preview}>
      <table aria-label={i18n.t('Users to create')}>
        <thead>
          <tr>
            <th scope="col">{i18n.t('User')}</th>
            <th scope="col">{i18n.t('Display name')}</th>
            <th scope="col">{i18n.t('Email')}</th>
            <th scope="col">{i18n.t('Skipped')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ localpart, displayname, email, fault }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <tr key={index}>
              <td>{`@${localpart}:${server}`}</td>
              <td>{displayname}</td>
              <td>{email}</td>
              <td data-fault={fault !== undefined || undefined}>{fault}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hiddenCount > 0 && (
        <p className={classes.text}>
          {i18n.t('{shown} more not shown', { count: hiddenCount, shown: number(hiddenCount) })}
        </p>
      )}
    </div>
  );
}

function previewRows(users: readonly NewUser[]): readonly NewUser[] {
  if (users.length <= maxUsers) return users;
  const { valid = [], invalid = [] } = Object.groupBy(users, ({ fault }) =>
    fault === undefined ? 'valid' : 'invalid',
  );
  const first = valid.slice(0, maxUsers);
  return [...first, ...invalid.slice(0, Math.max(minInvalid, maxUsers - first.length))];
}
