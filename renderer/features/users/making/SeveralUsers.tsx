import { i18n } from '@lingui/core';
import { Button, Progress, Textarea } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { offeredQuery } from '../../../api/offered.ts';
import { AskingForm } from '../../../components/AskingForm.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import { number } from '../../../words/format.ts';
import classes from '../Users.module.css';
import { type Made, makeSeveral, saveMade } from './make-several.ts';
import { PastedPreview } from './PastedPreview.tsx';
import { type Pasted, readNames } from './pasted-names.ts';
import { takesPasswords } from './user-name.ts';

/** To look through more than that before it is done, nobody has the patience. */
const mostAtOnce = 500;

type Props = {
  /** The pasted names. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  /** Users are being made, or were, and their passwords are shown. */
  onAtWork: (is: boolean) => void;
};

/** Makes users of a pasted list: who will be made is shown first, and what became of each afterwards. */
export function SeveralUsers({ text, onText, onClose, onAtWork }: Props) {
  const server = useServer();
  const { queryClient, host } = useConsole();
  const team = useTeam();
  const { data: offered } = useQuery(offeredQuery(server));
  const [made, setMade] = useState<readonly Made[]>();
  const [state, setState] = useState<'asking' | 'working' | 'over'>('asking');
  const [saved, setSaved] = useState<'no' | 'yes' | 'failed' | 'asked'>('no');
  const stopping = useRef(new AbortController());
  const name = serverName(server.connection);
  const pasted = useMemo(() => readNames(text, name), [text, name]);
  const wanted = pasted.filter(({ fault }) => fault === undefined);
  const isTooMany = wanted.length > mostAtOnce;

  const hasUnsaved = made?.some(({ password }) => password !== undefined) === true && saved !== 'yes';
  // The passwords are nowhere else: that is said once before they go.
  useHeldPage(
    () => state === 'working' || (hasUnsaved && saved !== 'asked'),
    () => setSaved('asked'),
  );

  async function go(these: readonly (Pasted | Made)[]) {
    setState('working');
    setSaved('no');
    onAtWork(true);
    setMade((before = []) => before.map(notBegunAgain));
    stopping.current = new AbortController();
    const nameOf = (localpart: string) => `@${localpart}:${name}`;
    const hasPasswords = takesPasswords(server, offered);
    await makeSeveral(
      { server, queryClient, hasPasswords, nameOf },
      these,
      stopping.current.signal,
      (one) => {
        setMade((before = []) => withOne(before, one));
        if (one.outcome !== 'made') return;
        const subject = { kind: 'user', userId: one.userId } as const;
        team.record({ action: 'make-user', subject, reports: [], outcome: 'done' });
      },
    );
    void queryClient.invalidateQueries({ queryKey: [server.id, 'users'] });
    setState('over');
  }

  async function save() {
    try {
      if (await saveMade(made ?? [], host.shell !== undefined)) setSaved('yes');
    } catch {
      setSaved('failed');
    }
  }

  function close() {
    if (hasUnsaved && saved !== 'asked') return setSaved('asked');
    onAtWork(false);
    onText('');
    onClose();
  }

  if (made) {
    const done = made.filter(({ outcome }) => outcome === 'made').length;
    const failed = made.filter(({ outcome }) => outcome === 'failed').length;
    const others = made.filter(({ outcome }) => outcome !== 'made');
    const begun = made.filter(({ outcome }) => outcome !== 'not begun').length;
    return (
      <div className={classes.form}>
        <p className={classes.text} role="status">
          {failed > 0
            ? i18n.t('{done} of {total} created, {failed} failed', {
                done: number(done),
                total: number(wanted.length),
                failed: number(failed),
              })
            : i18n.t('{done} of {total} created', { done: number(done), total: number(wanted.length) })}
          {'. '}
          {i18n.t('Passwords are shown once and never stored.')}
        </p>
        {state === 'working' && (
          <Progress
            size="sm"
            aria-label={i18n.t('Progress')}
            value={(100 * begun) / Math.max(1, wanted.length)}
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
              {made.map(({ userId, password, outcome, why }) => (
                <tr key={userId}>
                  <td>{userId}</td>
                  <td>
                    <code>{password}</code>
                  </td>
                  <td data-fault={outcome === 'made' ? undefined : true}>
                    {outcome === 'made'
                      ? i18n.t('Created')
                      : outcome === 'failed'
                        ? why
                        : i18n.t('Not started')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {saved === 'failed' && (
          <p className={classes.failure} role="alert">
            {i18n.t("Couldn't write the file")}
          </p>
        )}
        {saved === 'asked' && (
          <p className={classes.failure} role="alert">
            {i18n.t('Closing discards the unsaved passwords.')}
          </p>
        )}
        <div className={classes.buttons}>
          {state === 'working' ? (
            <Button variant="default" onClick={() => stopping.current.abort()}>
              {i18n.t('Stop')}
            </Button>
          ) : (
            <>
              <Button leftSection={<IconDownload size={14} stroke={1.7} aria-hidden />} onClick={save}>
                {i18n.t('Save as CSV')}
              </Button>
              {others.length > 0 && (
                <Button variant="default" onClick={() => go(others)}>
                  {i18n.t('Retry {count, plural, one {# user} other {# users}}', {
                    count: others.length,
                  })}
                </Button>
              )}
              <Button variant="default" onClick={close}>
                {saved === 'asked' ? i18n.t('Close without saving') : i18n.t('Close')}
              </Button>
            </>
          )}
        </div>
      </div>
    );
  }

  return (
    <AskingForm
      label={i18n.t('Create {count, plural, one {# user} other {# users}}', { count: wanted.length })}
      failure={
        isTooMany
          ? i18n.t('At most {most} at once. Add others later.', { most: number(mostAtOnce) })
          : undefined
      }
      disabled={wanted.length === 0 || isTooMany}
      severalLines
      onSend={() => go(wanted)}
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
              count: wanted.length,
              shown: number(wanted.length),
            })}
            {pasted.length > wanted.length &&
              ` · ${i18n.t('{count, plural, one {{shown} line} other {{shown} lines}} skipped', {
                count: pasted.length - wanted.length,
                shown: number(pasted.length - wanted.length),
              })}`}
          </p>
          <PastedPreview pasted={pasted} server={name} most={mostAtOnce} />
        </>
      )}
    </AskingForm>
  );
}

const notBegunAgain = (one: Made): Made => {
  if (one.outcome === 'made') return one;
  const { why: _, ...rest } = one;
  return { ...rest, outcome: 'not begun' };
};

/** What became of one, in its place in the list. */
function withOne(made: readonly Made[], one: Made): readonly Made[] {
  const at = made.findIndex(({ userId }) => userId === one.userId);
  return at === -1 ? [...made, one] : made.with(at, one);
}

/**
 * Holds the page where it is while leaving it would lose something: the way back, other screens and closing it.
 *
 * @param holds asked when it is to be left
 * @param onHeld what tells the person why nothing happened
 */
function useHeldPage(holds: () => boolean, onHeld: () => void): void {
  const { history } = useRouter();
  const doesHold = useEffectEvent(holds);
  const hold = useEffectEvent(() => {
    const isHeld = holds();
    if (isHeld) onHeld();
    return isHeld;
  });
  useEffect(
    () => history.block({ blockerFn: () => hold(), enableBeforeUnload: () => doesHold() }),
    [history],
  );
}
