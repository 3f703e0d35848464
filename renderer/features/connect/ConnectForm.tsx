import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import {
  Button,
  Code,
  Group,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { SignInCode } from '../../../shared/code-sign-in.ts';
import type { Connection, Credentials } from '../../../shared/connection.ts';
import { useConsole } from '../../console-context.ts';
import type { Shell } from '../../transport/host.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './ConnectScreen.module.css';
import {
  type CredentialFields,
  credentialsOf,
  type Method,
  methodNames,
  offeredMethods,
} from './credentials.ts';
import { EnterCode } from './EnterCode.tsx';

type Props = {
  initialAddress: string;
  initialUser: string;
  /** The connection whose session ended. Fixes server and user, so that credentials are sent nowhere else. */
  ended: Connection | undefined;
  /** This form is the screen's main purpose: gets the primary button and the focus. */
  primary: boolean;
  busy: boolean;
  /** The code for another device, while waiting for it. */
  code: SignInCode | undefined;
  onCancel: () => void;
  onConnect: (address: string, credentials: Credentials) => void;
};

const tokenCommand =
  'mas-cli manage issue-compatibility-token NAME --yes-i-want-to-grant-synapse-admin-privileges';

const submitNames: Partial<Record<Method, string>> = {
  browser: /*i18n*/ 'Continue in browser',
  code: /*i18n*/ 'Get code',
};

/** Signs in to a server by its address. */
export function ConnectForm({
  initialAddress,
  initialUser,
  ended,
  primary,
  busy,
  code,
  onCancel,
  onConnect,
}: Props) {
  const [address, setAddress] = useState(ended?.baseUrl ?? initialAddress);
  const { host } = useConsole();
  // The app may ask the user about a new address, so wait until the field is left.
  const [queriedAddress, setQueriedAddress] = useState(ended?.baseUrl ?? (host.shell ? '' : initialAddress));
  const { data: methods } = useQuery({
    queryKey: ['sign-in-methods', queriedAddress],
    queryFn: () => host.signInMethods(queriedAddress),
    enabled: queriedAddress !== '',
    retry: false,
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  const offered = offeredMethods(queriedAddress === address.trim() ? methods : undefined);
  const [chosenMethod, setMethod] = useState<Method>();
  const method =
    chosenMethod && offered.includes(chosenMethod) ? chosenMethod : (offered[0] ?? 'access_token');
  const [fields, setFields] = useState<CredentialFields>({
    user: ended?.userId ?? initialUser,
    password: '',
    token: '',
  });
  const setField = (name: keyof CredentialFields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    // Keeps the method if the server's methods arrive while typing.
    setMethod(method);
    setFields((current) => ({ ...current, [name]: value }));
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    onConnect(address, credentialsOf(method, fields));
  }

  return (
    <form onSubmit={submit} aria-label={i18n.t('Sign in to a server')}>
      <Stack gap="md">
        <TextInput
          label={i18n.t('Server address')}
          placeholder={i18n.t('https://example.org or localhost:8008')}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          onBlur={() => setQueriedAddress(address.trim())}
          size="sm"
          required
          withAsterisk={false}
          readOnly={ended !== undefined}
          autoFocus={primary && !ended && initialAddress === ''}
          autoCapitalize="none"
          spellCheck={false}
        />
        {offered.length > 1 && (
          <SegmentedControl
            aria-label={i18n.t('Sign-in method')}
            fullWidth
            value={method}
            onChange={(value) => setMethod(value as Method)}
            data={offered.map((value) => ({ value, label: i18n.t(methodNames[value]) }))}
          />
        )}
        {method === 'browser' && (
          <Text size="sm" c="dimmed" role="status">
            {busy
              ? i18n.t('Complete sign-in in your browser.')
              : i18n.t('Sign in at {host}, then return here.', { host: methods?.browser?.host ?? '' })}
          </Text>
        )}
        {method === 'code' && <EnterCode code={code} />}
        {method === 'password' && (
          <>
            <TextInput
              label={i18n.t('Username')}
              placeholder="admin"
              value={fields.user}
              onChange={setField('user')}
              size="sm"
              required
              withAsterisk={false}
              readOnly={ended !== undefined}
              autoFocus={primary && !ended && initialAddress !== ''}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
            <PasswordInput
              label={i18n.t('Password')}
              value={fields.password}
              onChange={setField('password')}
              size="sm"
              required
              withAsterisk={false}
              autoFocus={ended !== undefined}
              autoComplete="current-password"
            />
          </>
        )}
        {method === 'jwt' && (
          <Textarea
            label={i18n.t('JSON Web Token')}
            description={i18n.t("Uses the server's jwt_config key. Subject must be an admin.")}
            placeholder="eyJhbGciOi…"
            value={fields.token}
            onChange={setField('token')}
            rows={4}
            required
            withAsterisk={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            spellCheck={false}
          />
        )}
        {method === 'access_token' && (
          <PasswordInput
            label={i18n.t('Access token')}
            description={
              methods?.browser?.kind === 'oauth' ? (
                <Trans
                  id="Create one on the Matrix Authentication Service host: <0>{command}</0>"
                  values={{ command: tokenCommand }}
                  components={{ 0: <Code /> }}
                />
              ) : (
                i18n.t("Admin's token. Signing out here ends its session.")
              )
            }
            value={fields.token}
            onChange={setField('token')}
            size="sm"
            required
            withAsterisk={false}
            autoComplete="off"
          />
        )}
        {host.shell && address.trim() !== '' && <CertificateAuthority address={address} shell={host.shell} />}
        <Button type="submit" size="sm" variant={primary ? 'filled' : 'default'} loading={busy}>
          {i18n.t(submitNames[method] ?? /*i18n*/ 'Sign in')}
        </Button>
        {busy && (method === 'browser' || method === 'code') && (
          <Button variant="subtle" size="sm" onClick={onCancel}>
            {i18n.t('Cancel')}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Chooses a certificate authority to trust for this server and its authentication service. */
function CertificateAuthority({ address, shell }: { address: string; shell: Shell }) {
  const [isOpen, setOpen] = useState(false);
  const queryClient = useQueryClient();
  const queryKey = ['authority', address];
  const { data: isTrusted, error } = useQuery({
    queryKey,
    queryFn: () => shell.authority(address),
    enabled: isOpen,
    retry: false,
  });
  const { mutate, error: refusal } = useMutation({
    mutationFn: (change: 'choose' | 'remove') => shell.authority(address, change),
    onSuccess(isTrusted) {
      queryClient.setQueryData(queryKey, isTrusted);
      return queryClient.invalidateQueries({ queryKey: ['sign-in-methods'] });
    },
  });
  const failure = error ?? refusal;
  return (
    <details className={classes.advanced} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{i18n.t('Advanced')}</summary>
      <Text size="sm" mt="xs">
        {isTrusted
          ? i18n.t('Trusts your certificate authority for this server and its authentication service')
          : i18n.t('Trusts the certificate authorities of this computer')}
      </Text>
      <Group gap="xs" mt="xs">
        <Button variant="default" size="xs" onClick={() => mutate('choose')}>
          {i18n.t('Choose certificate authority…')}
        </Button>
        {isTrusted && (
          <Button variant="default" size="xs" onClick={() => mutate('remove')}>
            {i18n.t('Remove certificate authority')}
          </Button>
        )}
      </Group>
      {failure && (
        <Text size="sm" c="var(--gh-danger)" role="alert" mt="xs">
          {failureSentence(failure)}
        </Text>
      )}
    </details>
  );
}
