import { i18n } from '@lingui/core';
import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useClipboard, useWindowEvent } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import {
  changeToken,
  createToken,
  type RegistrationToken,
  registrationTokensQuery,
  type TokenLimits,
} from '../../api/registration-tokens.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { SubmitButton } from '../../components/ConfirmForm.tsx';
import { CopyText } from '../../components/CopyText.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { FailureNote } from '../../components/LoadStates.tsx';
import { useServer } from '../../console-context.ts';
import { recordServerAction } from '../../team/record-server-action.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { localTime, number } from '../../words/format.ts';
import { Invitation } from './Invitation.tsx';
import classes from './Tokens.module.css';

type Props = {
  /** The open token; undefined to create one. */
  name: string | undefined;
  /** Undefined to create one, or if the token doesn't exist. */
  token: RegistrationToken | undefined;
  onCreated: (token: RegistrationToken) => void;
  onClose: () => void;
};

const defaultLength = 16;
const maxLength = 64;
/** Number of tokens created at once. */
const maxCount = 100;

/** Creates a token, or changes the limits of one. */
export function TokenDialog(props: Props) {
  // On the window: a button that gets disabled loses the focus.
  useWindowEvent('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) props.onClose();
  });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.name === undefined ? i18n.t('Create token') : i18n.t('Token')}
      closeOnClickOutside={false}
      // Handled above; Escape in a confirmation closes only the confirmation.
      closeOnEscape={false}
    >
      <TokenForm {...props} />
    </Modal>
  );
}

function TokenForm({ name, token, onCreated, onClose }: Props) {
  const server = useServer();
  const queryClient = useQueryClient();
  const limit = useRoleLimit('lead');
  const clipboard = useClipboard({ timeout: 1500 });
  const [kind, setKind] = useState<'random' | 'custom'>('random');
  const [customToken, setCustomToken] = useState('');
  const [length, setLength] = useState(String(defaultLength));
  const [count, setCount] = useState('1');
  /** Tokens created together, also if a later one failed. */
  const [created, setCreated] = useState<readonly string[]>([]);
  const [uses, setUses] = useState(String(token?.uses_allowed ?? ''));
  const [expiry, setExpiry] = useState(localTime(token?.expiry_time ?? undefined, 'minute'));

  const form = useRef<HTMLFormElement>(null);
  const isNew = name === undefined;
  // Otherwise the dialog focuses its close button.
  useLayoutEffect(() => {
    form.current?.querySelector('input:checked, input')?.setAttribute('data-autofocus', '');
  }, []);

  const isSeveral = isNew && kind === 'random' && Number(count) > 1;
  const save = useMutation({
    async mutationFn() {
      const time = new Date(expiry).getTime();
      const limits = {
        uses_allowed: uses.trim() === '' ? null : Number(uses),
        // The field has minutes, so an unchanged time keeps its seconds.
        expiry_time:
          expiry === ''
            ? null
            : token?.expiry_time && expiry === localTime(token.expiry_time, 'minute')
              ? token.expiry_time
              : time,
      };
      if (token) {
        const changed = await changeToken(server, token, limits);
        recordServerAction(server, 'change-token', limitsText(limits));
        return changed;
      }
      const value = kind === 'custom' ? { token: customToken } : { length: Number(length) };
      const tokens: RegistrationToken[] = [];
      try {
        while (tokens.length < (isSeveral ? Number(count) : 1)) {
          tokens.push(await createToken(server, { ...limits, ...value }));
          setCreated(tokens.map((created) => created.token));
        }
      } finally {
        const several = isSeveral ? `${tokens.length} tokens, ` : '';
        if (tokens.length > 0) recordServerAction(server, 'create-token', several + limitsText(limits));
      }
      return tokens[0];
    },
    async onSuccess(saved) {
      await queryClient.invalidateQueries(registrationTokensQuery(server));
      if (name === undefined && !isSeveral && saved) onCreated(saved);
    },
    // The token may have been deleted.
    onError: () => queryClient.invalidateQueries(registrationTokensQuery(server)),
  });

  const isCountValid = !isNew || kind === 'custom' || isWhole(count, 1, maxCount);
  const hasOnlyDots = kind === 'custom' && !server.mas && /^\.{1,2}$/.test(customToken);
  const isUsesValid = /^\d{0,9}$/.test(uses.trim());
  const isLengthValid = !isNew || kind === 'custom' || isWhole(length, 1, maxLength);
  const isUnchanged =
    token !== undefined &&
    uses.trim() === String(token.uses_allowed ?? '') &&
    expiry === localTime(token.expiry_time ?? undefined, 'minute');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (hasOnlyDots || !isUsesValid || !isLengthValid || !isCountValid || isUnchanged || limit) return;
    if (!save.isPending) save.mutate();
  }

  if (created.length > 0 && isSeveral) {
    return (
      <div className={classes.panel}>
        <p role="status">
          {save.isPending
            ? i18n.t('{done} of {count} tokens created…', {
                done: number(created.length),
                count: number(Number(count)),
              })
            : i18n.t('{count, plural, one {# token created} other {# tokens created}}', {
                count: created.length,
              })}
        </p>
        <FailureNote className={classes.failure} error={save.error} />
        <CopyText block text={created.join('\n')} label={i18n.t('Tokens')} />
        <Invitation tokens={created} />
        <div className={classes.buttons}>
          <Button onClick={onClose} disabled={save.isPending}>
            {i18n.t('Close')}
          </Button>
        </div>
      </div>
    );
  }

  if (name !== undefined && token === undefined) {
    return (
      <div className={classes.panel}>
        <p role="status">{i18n.t('Token not found')}</p>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Close')}
        </Button>
      </div>
    );
  }
  return (
    <div className={classes.panel}>
      {name !== undefined && (
        <div className={classes.token} data-words>
          <code>
            <HazardText text={name} />
          </code>
          <ButtonWithIcon variant="default" icon={IconCopy} onClick={() => clipboard.copy(name)}>
            {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy token')}
          </ButtonWithIcon>
          <ActionBar
            quiet
            on={{
              tokens: [
                { token: name, actor: server.connection.userId, ...(token?.mas && { mas: token.mas }) },
              ],
            }}
            onActed={onClose}
          />
        </div>
      )}
      <form
        ref={form}
        className={classes.form}
        onSubmit={submit}
        // The result was about the previous values.
        onChange={() => !save.isPending && save.reset()}
        noValidate
      >
        {isNew && (
          <>
            <SegmentedControl
              aria-label={i18n.t('Token value')}
              value={kind}
              onChange={(value) => setKind(value as typeof kind)}
              data={[
                { value: 'random', label: i18n.t('Random') },
                { value: 'custom', label: i18n.t('Custom') },
              ]}
            />
            {kind === 'random' && (
              <TextInput
                className={classes.number}
                label={i18n.t('Number of tokens')}
                inputMode="numeric"
                error={!isCountValid && rangeHint(1, maxCount)}
                value={count}
                onChange={(event) => setCount(event.currentTarget.value)}
                autoComplete="off"
              />
            )}
            {kind === 'random' && !server.mas && (
              <TextInput
                className={classes.number}
                label={i18n.t('Length')}
                inputMode="numeric"
                error={!isLengthValid && rangeHint(1, maxLength)}
                value={length}
                onChange={(event) => setLength(event.currentTarget.value)}
                autoComplete="off"
              />
            )}
            {kind === 'custom' && (
              <TextInput
                className={classes.customToken}
                label={i18n.t('Token')}
                error={hasOnlyDots && i18n.t("A token of only dots can't be changed or deleted.")}
                value={customToken}
                onChange={(event) => setCustomToken(event.currentTarget.value)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </>
        )}
        <TextInput
          className={classes.number}
          label={i18n.t('Uses')}
          placeholder={i18n.t('Unlimited')}
          inputMode="numeric"
          error={!isUsesValid && rangeHint(0, 999_999_999)}
          value={uses}
          onChange={(event) => setUses(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          type="datetime-local"
          label={i18n.t('Expires')}
          value={expiry}
          onChange={(event) => setExpiry(event.currentTarget.value)}
        />
        <div className={classes.buttons}>
          <SubmitButton loading={save.isPending} disabled={isUnchanged || limit !== undefined}>
            {isSeveral && isCountValid
              ? i18n.t('Create {count} tokens', { count: number(Number(count)) })
              : isNew
                ? i18n.t('Create token')
                : i18n.t('Change token')}
          </SubmitButton>
          <Button variant="default" onClick={onClose}>
            {i18n.t('Close')}
          </Button>
        </div>
      </form>
      <FailureNote className={classes.failure} error={save.error} />
      {limit && <p>{limit}</p>}
      {save.data && <p role="status">{i18n.t('Changed')}</p>}
      {name !== undefined && <Invitation tokens={[name]} />}
    </div>
  );
}

/** For the log, which isn't translated and has no tokens: they could still be used. */
const limitsText = ({ uses_allowed: uses, expiry_time: expiry }: TokenLimits) =>
  `uses: ${uses ?? 'unlimited'}, expires: ${expiry === null ? 'never' : new Date(expiry).toISOString()}`;

const isWhole = (text: string, min: number, max: number) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;

const rangeHint = (min: number, max: number) =>
  i18n.t('Enter a whole number from {least} to {most}.', { least: number(min), most: number(max) });
