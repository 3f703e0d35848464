import { i18n } from '@lingui/core';
import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { useClipboard, useWindowEvent } from '@mantine/hooks';
import { IconCopy } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import {
  changeToken,
  makeToken,
  type RegistrationToken,
  registrationTokensQuery,
} from '../../api/registration-tokens.ts';
import { SubmitButton } from '../../components/ConfirmForm.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { localTime, number } from '../../words/format.ts';
import classes from './Tokens.module.css';

type Props = {
  /** The token that is open; undefined where one is made. */
  name: string | undefined;
  /** Undefined where one is made, and where there is no such token. */
  token: RegistrationToken | undefined;
  onMade: (token: RegistrationToken) => void;
  onClose: () => void;
};

const usualLength = 16;
/** As many letters a token can have. */
const longest = 64;

/** A new token, or one of them with its limits. What can't be, the server says. */
export function TokenDialog(props: Props) {
  // Also while nothing in it has the focus: the button that was pressed loses it when there is nothing to change.
  useWindowEvent('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) props.onClose();
  });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={props.name === undefined ? i18n.t('Create token') : i18n.t('Token')}
      closeOnClickOutside={false}
      // In a question about it Escape leaves the question alone.
      closeOnEscape={false}
    >
      <TokenForm {...props} />
    </Modal>
  );
}

function TokenForm({ name, token, onMade, onClose }: Props) {
  const server = useServer();
  const queryClient = useQueryClient();
  const clipboard = useClipboard({ timeout: 1500 });
  const [kind, setKind] = useState<'random' | 'own'>('random');
  const [own, setOwn] = useState('');
  const [length, setLength] = useState(String(usualLength));
  const [uses, setUses] = useState(String(token?.uses_allowed ?? ''));
  const [expiry, setExpiry] = useState(localTime(token?.expiry_time ?? undefined, 'minute'));

  const form = useRef<HTMLFormElement>(null);
  const isMaking = name === undefined;
  // The dialog gives the focus to what is marked so, and else to the button that closes it.
  useLayoutEffect(() => {
    form.current?.querySelector('input:checked, input')?.setAttribute('data-autofocus', '');
  }, []);

  const save = useMutation({
    mutationFn() {
      const time = new Date(expiry).getTime();
      const limits = {
        uses_allowed: uses.trim() === '' ? null : Number(uses),
        // The field holds minutes; a time that was not touched stays what it was.
        expiry_time:
          expiry === ''
            ? null
            : token?.expiry_time && expiry === localTime(token.expiry_time, 'minute')
              ? token.expiry_time
              : time,
      };
      if (token) return changeToken(server, token, limits);
      return makeToken(server, {
        ...limits,
        ...(kind === 'own' ? { token: own } : { length: Number(length) }),
      });
    },
    async onSuccess(made) {
      await queryClient.invalidateQueries(registrationTokensQuery(server));
      if (name === undefined) onMade(made);
    },
    // Somebody may have deleted it: then the list doesn't have it either.
    onError: () => queryClient.invalidateQueries(registrationTokensQuery(server)),
  });

  const isOnlyDots = kind === 'own' && !server.mas && /^\.{1,2}$/.test(own);
  const hasUses = /^\d{0,9}$/.test(uses.trim());
  const hasLength =
    !isMaking ||
    kind === 'own' ||
    (/^\d{1,2}$/.test(length.trim()) && Number(length) >= 1 && Number(length) <= longest);
  const isUnchanged =
    token !== undefined &&
    uses.trim() === String(token.uses_allowed ?? '') &&
    expiry === localTime(token.expiry_time ?? undefined, 'minute');
  function go(event: FormEvent) {
    event.preventDefault();
    if (isOnlyDots || !hasUses || !hasLength || isUnchanged) return;
    if (!save.isPending) save.mutate();
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
        <div className={classes.open}>
          <code>
            <HazardText text={name} />
          </code>
          <Button
            variant="default"
            leftSection={<IconCopy size={14} stroke={1.7} aria-hidden />}
            onClick={() => clipboard.copy(name)}
          >
            {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy token')}
          </Button>
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
        onSubmit={go}
        // What the server said was about what stood here before.
        onChange={() => !save.isPending && save.reset()}
        noValidate
      >
        {isMaking && (
          <>
            <SegmentedControl
              aria-label={i18n.t('Token value')}
              value={kind}
              onChange={(value) => setKind(value as typeof kind)}
              data={[
                { value: 'random', label: i18n.t('Random') },
                { value: 'own', label: i18n.t('Custom') },
              ]}
            />
            {kind === 'random' && !server.mas && (
              <TextInput
                className={classes.number}
                label={i18n.t('Length')}
                inputMode="numeric"
                error={!hasLength && wholeNumber(1, longest)}
                value={length}
                onChange={(event) => setLength(event.currentTarget.value)}
                autoComplete="off"
              />
            )}
            {kind === 'own' && (
              <TextInput
                className={classes.own}
                label={i18n.t('Token')}
                error={isOnlyDots && i18n.t("A token of only dots can't be changed or deleted.")}
                value={own}
                onChange={(event) => setOwn(event.currentTarget.value)}
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
          error={!hasUses && wholeNumber(0, 999_999_999)}
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
          <SubmitButton loading={save.isPending} disabled={isUnchanged}>
            {isMaking ? i18n.t('Create token') : i18n.t('Change token')}
          </SubmitButton>
          <Button variant="default" onClick={onClose}>
            {i18n.t('Close')}
          </Button>
        </div>
      </form>
      {save.error && (
        <p role="alert" className={classes.failure}>
          {failureSentence(save.error)}
        </p>
      )}
      {save.data && <p role="status">{i18n.t('Changed')}</p>}
    </div>
  );
}

const wholeNumber = (least: number, most: number) =>
  i18n.t('Enter a whole number from {least} to {most}.', { least: number(least), most: number(most) });
