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
import { useWindowTitle } from '../../components/use-window-title.ts';
import { useConsole } from '../../console-context.ts';
import { screenOf } from '../../transport/screen-of.ts';
import { serverLabel } from '../../transport/server-name.ts';
import { exactTime, relativeTime } from '../../words/format.ts';
import { ConnectForm } from './ConnectForm.tsx';
import classes from './ConnectScreen.module.css';
import { failureTitle } from './login-link.ts';

/** What is tried: a server by its address, or the one in the box. */
type Try = { open: () => Promise<Connection>; credentials?: Credentials };

/** The way in: the homeserver in the box in one click, another server by its address. */
export function ConnectScreen() {
  const { host, queryClient, reachability, entryFailure } = useConsole();
  const router = useRouter();
  const { next, again } = useSearch({ from: '/connect' });
  const navigate = useNavigate({ from: '/connect' });
  const { data: connections, isPending } = useQuery(connectionsQuery(host));
  const { data: kept } = useQuery(sessionPersistenceQuery(host.shell));
  useWindowTitle(`${i18n.t('Sign in')} · Gatehouse`);
  const wanted = again ?? serverOf(next);
  const signedIn = connections?.find(({ id }) => id === again);
  const known = useSyncExternalStore(savedAccounts().subscribe, savedAccounts().read);
  const ended = signedIn ?? known.find(({ id }) => id === wanted);
  const isHere = connections?.some(({ baseUrl }) => baseUrl === location.origin);
  const hereAs = wanted === undefined ? '' : localpartHere(wanted);

  const servedFrom = host.shell || hereAs === undefined || isHere ? '' : location.origin;
  const left = lastBaseUrl().read();
  const isLeftOpen = connections?.some(({ baseUrl }) => baseUrl === left);
  const initialAddress = wanted === undefined && left && !isLeftOpen ? left : servedFrom;

  const connect = useMutation({
    mutationFn: ({ open }: Try) => open(),
    onSuccess: async (connection) => {
      reachability.forget(connection.id);
      queryClient.removeQueries({ queryKey: [connection.id] });
      await queryClient.invalidateQueries(connectionsQuery(host));
      router.history.push(screenOf(connection.id, next));
    },
  });

  const [code, setCode] = useState<SignInCode>();
  const waiting = useRef(new AbortController());
  function open(address: string, credentials: Credentials) {
    waiting.current.abort();
    waiting.current = new AbortController();
    setCode(undefined);
    return host.connect(address, credentials, { signal: waiting.current.signal, onCode: setCode });
  }
  function cancel() {
    waiting.current.abort();
    connect.reset();
  }

  const back = connections?.[0];
  const failure = connect.error instanceof ConnectionFailure ? connect.error : undefined;
  const tried = connect.variables?.credentials;

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
            {failure?.code === 'bad_credentials' && tried?.type === 'jwt' && (
              <TokenTimes token={tried.token} at={connect.submittedAt} />
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
              initialUser={hereAs ?? ''}
              ended={ended}
              primary={!host.shell || ended !== undefined}
              busy={connect.isPending}
              code={connect.isPending ? code : undefined}
              onCancel={cancel}
              onConnect={(address, credentials) => {
                // The page may leave, and come back without a session.
                if (credentials.type === 'browser') lastBaseUrl().write(address);
                connect.mutate({ open: () => open(address, credentials), credentials });
              }}
            />
          </section>
        )}

        {kept && kept !== 'encrypted' && (
          <Text c="dimmed" size="sm" mt="md">
            {i18n.t(sessionPersistenceTexts[kept])}
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

/** Which server an address of the console is about. */
const serverOf = (next: string | undefined) =>
  (next && new URL(next, location.origin).searchParams.get('server')) || undefined;

/** Of a connection to the server that serves this page, the user's name; undefined where it is to another server. */
function localpartHere(connectionId: string): string | undefined {
  const [, localpart, place] = /^(.*)@([^@]*)$/.exec(connectionId) ?? [];
  const here = location.port
    ? location.host
    : `${location.host}${location.protocol === 'http:' ? ':80' : ''}`;
  return place === here ? localpart : undefined;
}

/** From when until when a token says that it holds: what servers refuse for the time they say without one. */
function TokenTimes({ token, at }: { token: string; at: number }) {
  const { nbf, exp } = timesOf(token);
  return (
    <>
      {nbf !== undefined && (
        <Text size="sm">
          {i18n.t("Token valid from {time} ({distance} by this computer's clock).", told(nbf, at))}
        </Text>
      )}
      {exp !== undefined && (
        <Text size="sm">
          {i18n.t("Token expires {time} ({distance} by this computer's clock).", told(exp, at))}
        </Text>
      )}
    </>
  );
}

const told = (seconds: number, at: number) => ({
  time: exactTime(seconds * 1000),
  distance: relativeTime(seconds * 1000, at, 'long'),
});

/** In seconds since the Unix epoch; nothing of what is no token. Whether it is signed is for the server to say. */
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
