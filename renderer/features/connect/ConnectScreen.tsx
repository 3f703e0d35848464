import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Alert, Button, Code, Text, Title } from '@mantine/core';
import {
  IconArrowLeft,
  IconFlag,
  IconServer2,
  IconServerBolt,
  IconStairsUp,
  IconUsers,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { SignInCode } from '../../../shared/code-sign-in.ts';
import { type Connection, ConnectionFailure, type Credentials } from '../../../shared/connection.ts';
import { readJson } from '../../../shared/read-json.ts';
import { connectionsQuery } from '../../api/shell.ts';
import { Mark } from '../../components/Logo.tsx';
import { useWindowTitle } from '../../components/page/use-window-title.ts';
import { lastBaseUrl, savedAccounts } from '../../components/saved-accounts.ts';
import { sessionPersistenceQuery, sessionPersistenceTexts } from '../../components/session-persistence.ts';
import { exactTime, relativeTime } from '../../components/time.ts';
import { storedLooks, useConnections } from '../../connection-look.ts';
import { useConsole } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import type { Shell } from '../../transport/host.ts';
import { screenOf } from '../../transport/screen-of.ts';
import { ConnectForm } from './ConnectForm.tsx';
import classes from './ConnectScreen.module.css';
import { failureTitle } from './login-link.ts';

type Attempt = { open: () => Promise<Connection>; credentials?: Credentials };

/** Signs in to the built-in homeserver, or to another server by its address. */
export function ConnectScreen() {
  const { host, deviceStorage, queryClient, reachability, entryFailure } = useConsole();
  const router = useRouter();
  const { next, again } = useSearch({ from: '/connect' });
  const navigate = useNavigate({ from: '/connect' });
  const { connections, isPending, labelOf } = useConnections();
  const { data: persistence } = useQuery(sessionPersistenceQuery(host.shell));
  useWindowTitle(`${i18n.t('Sign in')} · Gatehouse`);
  const connectionId = again ?? serverOf(next);
  const signedIn = connections.find(({ id }) => id === again);
  const accounts = useStoreValue(savedAccounts(deviceStorage), savedAccounts(deviceStorage).read);
  const ended = signedIn ?? accounts.find(({ id }) => id === connectionId);
  const isConnectedHere = connections.some(({ baseUrl }) => baseUrl === location.origin);
  const localpart = connectionId === undefined ? '' : localpartHere(connectionId);

  const ownAddress = host.shell || localpart === undefined || isConnectedHere ? '' : location.origin;
  const last = lastBaseUrl(deviceStorage).read();
  const isLastConnected = connections.some(({ baseUrl }) => baseUrl === last);
  const initialAddress = connectionId === undefined && last && !isLastConnected ? last : ownAddress;

  const [isFirst, setFirst] = useState(true);
  const connect = useMutation({
    mutationFn: ({ open }: Attempt) => open(),
    onMutate: () => setFirst(false),
    onSuccess: async (connection) => {
      reachability.reset(connection.id);
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

  const back = connections[0];
  const failure = connect.error instanceof ConnectionFailure ? connect.error : undefined;
  const credentials = connect.variables?.credentials;

  return (
    <main className={classes.page}>
      <Intro />
      <div className={classes.panel}>
        {(failure || (isFirst && entryFailure)) && (
          <Alert
            classNames={{ root: classes.alert, title: classes.alertTitle }}
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
            {!ended && <SampleServer busy={connect.isPending} onOpen={(open) => connect.mutate({ open })} />}
          </section>
        )}

        {!isPending && !ended?.local && (
          <section>
            <Title order={2} mb="sm">
              {ended
                ? i18n.t('Sign in to {name} again', { name: labelOf(ended) })
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
                if (credentials.type === 'browser') lastBaseUrl(deviceStorage).write(address);
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
              id="No server yet? Try one with sample data: run <0>npm start -- --browser</0> in Gatehouse's folder."
              components={{ 0: <Code /> }}
            />
          </Text>
        )}

        {!host.shell && !ended && (
          <Text c="dimmed" size="sm" mt="xs">
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
              <IconArrowLeft size={14} /> {i18n.t('Back to {name}', { name: labelOf(back) })}
            </Link>
          )
        )}
      </div>
    </main>
  );
}

const features = [
  { icon: IconFlag, text: /*i18n*/ 'Moderate reports, alone or as a team' },
  { icon: IconUsers, text: /*i18n*/ 'Manage users, rooms, media and tokens' },
  { icon: IconStairsUp, text: /*i18n*/ 'Plan Synapse upgrades with rollback' },
  { icon: IconServer2, text: /*i18n*/ 'Test on a built-in homeserver' },
];

/** Introduces Gatehouse. */
function Intro() {
  return (
    <header className={classes.intro}>
      <div className={classes.brand}>
        <Mark size={44} />
        <div>
          <Title order={1}>Gatehouse</Title>
          <Text c="dimmed">{i18n.t('Admin console for Matrix homeservers')}</Text>
        </div>
      </div>
      <ul className={classes.features}>
        {features.map(({ icon: FeatureIcon, text }) => (
          <li key={text}>
            <FeatureIcon size={18} stroke={1.6} aria-hidden /> {i18n.t(text)}
          </li>
        ))}
      </ul>
    </header>
  );
}

type SampleServerProps = { busy: boolean; onOpen: (open: () => Promise<Connection>) => void };

const sampleName = 'sample';

/** Starts a temporary server with sample data, in the desktop app. */
function SampleServer({ busy, onOpen }: SampleServerProps) {
  const { host, deviceStorage } = useConsole();
  const { shell } = host;
  if (!shell) return null;
  async function open() {
    const { program } = shell as Shell;
    const running = (await program.temporaryServers()).find(({ name }) => name === sampleName);
    const { url, access_token: accessToken } =
      running ?? (await program.startTemporaryServer(sampleName, true));
    const connection = await host.connect(url, { type: 'access_token', accessToken });
    const looks = storedLooks(deviceStorage);
    const { of, order } = looks.read();
    looks.write({ of: { ...of, [connection.id]: { label: i18n.t('Sample server') } }, order });
    return connection;
  }
  return (
    <div>
      <Button variant="default" size="sm" fullWidth disabled={busy} onClick={() => onOpen(open)}>
        {i18n.t('Try with sample data')}
      </Button>
      <Text c="dimmed" size="xs" mt={4}>
        {i18n.t('Temporary server with fictional users, rooms and reports, deleted when you quit')}
      </Text>
    </div>
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

/** Reads a token's `nbf` and `exp` in seconds since 1970, without verifying it; empty if it isn't a token. */
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
