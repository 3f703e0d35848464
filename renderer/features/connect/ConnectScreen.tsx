import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Alert, Button, Code, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconServerBolt } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef, useState, useSyncExternalStore } from 'react';
import type { SignInCode } from '../../../shared/code-sign-in.ts';
import { type Connection, ConnectionFailure, type Credentials } from '../../../shared/connection.ts';
import { readJson } from '../../../shared/read-json.ts';
import { connectionsQuery } from '../../api/shell.ts';
import { Mark } from '../../components/Logo.tsx';
import { lastBaseUrl, savedAccounts } from '../../components/saved-accounts.ts';
import { sessionPersistenceQuery, sessionPersistenceTexts } from '../../components/session-persistence.ts';
import { exactTime, relativeTime } from '../../components/time.ts';
import { useWindowTitle } from '../../components/use-window-title.ts';
import { useConsole } from '../../console-context.ts';
import { screenOf } from '../../transport/screen-of.ts';
import { serverLabel } from '../../transport/server-name.ts';
import { ConnectForm } from './ConnectForm.tsx';
import classes from './ConnectScreen.module.css';
import { failureTitle } from './login-link.ts';

type Attempt = { open: () => Promise<Connection>; credentials?: Credentials };

/** Signs in to the built-in homeserver, or to another server by its address. */
export function ConnectScreen() {
  const { host, kept, queryClient, reachability, entryFailure } = useConsole();
  const router = useRouter();
  const { next, again } = useSearch({ from: '/connect' });
  const navigate = useNavigate({ from: '/connect' });
  const { data: connections, isPending } = useQuery(connectionsQuery(host));
  const { data: persistence } = useQuery(sessionPersistenceQuery(host.shell));
  useWindowTitle(`${i18n.t('Sign in')} · Gatehouse`);
  const connectionId = again ?? serverOf(next);
  const signedIn = connections?.find(({ id }) => id === again);
  const accounts = useSyncExternalStore(savedAccounts(kept).subscribe, savedAccounts(kept).read);
  const ended = signedIn ?? accounts.find(({ id }) => id === connectionId);
  const isConnectedHere = connections?.some(({ baseUrl }) => baseUrl === location.origin);
  const localpart = connectionId === undefined ? '' : localpartHere(connectionId);

  const ownAddress = host.shell || localpart === undefined || isConnectedHere ? '' : location.origin;
  const last = lastBaseUrl(kept).read();
  const isLastConnected = connections?.some(({ baseUrl }) => baseUrl === last);
  const initialAddress = connectionId === undefined && last && !isLastConnected ? last : ownAddress;

  const connect = useMutation({
    mutationFn: ({ open }: Attempt) => open(),
    onSuccess: async (connection) => {
      reachability.forget(connection.id);
      queryClient.removeQueries({ queryKey: [connection.id] });
      await queryClient.invalidateQueries(connectionsQuery(host));
      router.history.push(screenOf(connection.id, next));
    },
  });

  const [code, setCode] = useState<SignInCode>();
  const controller = useRef(new AbortController());
  function open(address: string, credentials: Credentials) {
    controller.current.abort();
    controller.current = new AbortController();
    setCode(undefined);
    return host.connect(address, credentials, { signal: controller.current.signal, onCode: setCode });
  }
  function cancel() {
    controller.current.abort();
    connect.reset();
  }

  const back = connections?.[0];
  const failure = connect.error instanceof ConnectionFailure ? connect.error : undefined;
  const credentials = connect.variables?.credentials;

  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <header className={classes.brand}>
          <Mark size={34} />
          <div>
            <Title order={1}>Gatehouse</Title>
            <Text c="dimmed" size="sm">
              {i18n.t('Admin console for your homeserver')}
            </Text>
          </div>
        </header>

        {(failure || (connect.isIdle && entryFailure)) && (
          <Alert
            color="red"
            variant="light"
            role="alert"
            title={failure ? i18n.t(failureTitle[failure.code]) : entryFailure?.title}
            mb="md"
          >
            {failure ? i18n.t(failure.sentence, failure.values) : entryFailure?.text}
            {failure?.code === 'bad_credentials' && credentials?.type === 'jwt' && (
              <TokenTimes token={credentials.token} at={connect.submittedAt} />
            )}
          </Alert>
        )}

        {host.shell && (!ended || ended.local) && (
          <section className={classes.local}>
            <div>
              <Title order={2}>{i18n.t('Local server')}</Title>
              <Text c="dimmed" size="sm">
                {i18n.t('Built-in homeserver on this computer')}
              </Text>
            </div>
            <Button
              size="sm"
              fullWidth
              autoFocus
              leftSection={<IconServerBolt size={16} />}
              loading={connect.isPending}
              onClick={() => host.shell && connect.mutate({ open: host.shell.connectLocal })}
            >
              {i18n.t('Open local server')}
            </Button>
          </section>
        )}

        {!isPending && !ended?.local && (
          <section>
            <Title order={2} mb="sm">
              {ended
                ? i18n.t('Sign in to {name} again', { name: serverLabel(ended, connections ?? []) })
                : host.shell
                  ? i18n.t('Another server')
                  : i18n.t('Sign in to a server')}
            </Title>
            <ConnectForm
              key={ended?.id}
              initialAddress={initialAddress}
              initialUser={localpart ?? ''}
              ended={ended}
              primary={!host.shell || ended !== undefined}
              busy={connect.isPending}
              code={connect.isPending ? code : undefined}
              onCancel={cancel}
              onConnect={(address, credentials) => {
                // Browser sign-in leaves the page and may return without a session.
                if (credentials.type === 'browser') lastBaseUrl(kept).write(address);
                connect.mutate({ open: () => open(address, credentials), credentials });
              }}
            />
          </section>
        )}

        {persistence && persistence !== 'encrypted' && (
          <Text c="dimmed" size="sm" mt="md">
            {i18n.t(sessionPersistenceTexts[persistence])}
          </Text>
        )}

        {!host.shell && !ended && (
          <Text c="dimmed" size="sm" mt="md">
            <Trans
              id="Lost the sign-in link? On the console's host, run <0>npm run gatehouse -- users sign-in-link</0>."
              components={{ 0: <Code /> }}
            />
          </Text>
        )}

        {ended ? (
          <Button
            variant="subtle"
            mt="md"
            onClick={() => navigate({ search: { next: undefined, again: undefined } })}
          >
            {i18n.t('Use another server or account')}
          </Button>
        ) : (
          back && (
            <Link to="/" search={{ server: back.id }} className={classes.back}>
              <IconArrowLeft size={14} />{' '}
              {i18n.t('Back to {name}', { name: serverLabel(back, connections ?? []) })}
            </Link>
          )
        )}
      </div>
    </main>
  );
}

/** Returns the connection ID in an address of the console. */
const serverOf = (next: string | undefined) =>
  (next && new URL(next, location.origin).searchParams.get('server')) || undefined;

/** Returns the localpart of a connection ID; undefined if it isn't of the server that serves this page. */
function localpartHere(connectionId: string): string | undefined {
  const [, localpart, host] = /^(.*)@([^@]*)$/.exec(connectionId) ?? [];
  const here = location.port
    ? location.host
    : `${location.host}${location.protocol === 'http:' ? ':80' : ''}`;
  return host === here ? localpart : undefined;
}

/** Shows the token's validity: servers reject expired tokens without a reason. */
function TokenTimes({ token, at }: { token: string; at: number }) {
  const { nbf, exp } = timesOf(token);
  return (
    <>
      {nbf !== undefined && (
        <Text size="sm">
          {i18n.t("Token valid from {time} ({distance} by this computer's clock).", timeValues(nbf, at))}
        </Text>
      )}
      {exp !== undefined && (
        <Text size="sm">
          {i18n.t("Token expires {time} ({distance} by this computer's clock).", timeValues(exp, at))}
        </Text>
      )}
    </>
  );
}

const timeValues = (seconds: number, at: number) => ({
  time: exactTime(seconds * 1000),
  distance: relativeTime(seconds * 1000, at, 'long'),
});

/** Reads a token's `nbf` and `exp` in seconds since 1970, without verifying it; empty if it's no token. */
function timesOf(token: string): { nbf?: number; exp?: number } {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims = readJson(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return Object.fromEntries(
      ['nbf', 'exp'].filter((name) => typeof claims[name] === 'number').map((name) => [name, claims[name]]),
    );
  } catch {
    return {};
  }
}
