import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconLock, IconPlugConnected, IconTool } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { type Connection, ConnectionFailure } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { getInspector } from '../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { connectionsQuery, thisMachine } from '../../api/shell.ts';
import { FailureMessage, LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { useConsole } from '../../console-context.ts';
import type { ConsoleHost, Shell } from '../../transport/host.ts';
import { failureSentence, NoSuchEndpoint } from '../../transport/refusal.ts';
import { workbenchOf } from '../../transport/workbench.ts';
import { Bench } from './bench.ts';
import classes from './LocalServer.module.css';
import { ShellOverview } from './ShellOverview.tsx';

type Props = {
  /** Undefined where nobody is signed in to the server of this machine. */
  connection: Connection | undefined;
  isOverview: boolean;
  children: ReactNode;
};

/** The parts of the screen, with the workbench that they look through; why there is none, where there is none. */
export function BenchOf(props: Props) {
  const { connection } = props;
  const { host } = useConsole();
  if (connection) return <AskedBench {...props} connection={connection} />;
  return (
    <WithoutBench {...props}>
      {host.shell ? (
        <SignInLocally shell={host.shell} />
      ) : (
        <StateMessage
          icon={<IconPlugConnected size={24} stroke={1.5} />}
          title={i18n.t('Sign in to a server on this computer')}
          description={i18n.t('npm run gatehouse -- serve starts one and prints how to sign in.')}
        >
          <Button component={Link} to="/connect">
            {i18n.t('Sign in')}
          </Button>
        </StateMessage>
      )}
    </WithoutBench>
  );
}

function AskedBench({ connection, children, ...props }: Props & { connection: Connection }) {
  const { host } = useConsole();
  const bench = useMemo(() => workbenchOf(host, connection), [host, connection]);
  const isHere = thisMachine.test(new URL(connection.baseUrl).hostname);
  const query = useQuery({
    queryKey: [connection.id, 'workbench', 'inspector'],
    queryFn: async ({ signal }) => {
      try {
        return await bench.get(getInspector.response[200], workbenchPaths.inspector, signal);
      } catch (error) {
        // A server lets no page of another origin read that it doesn't know a path; others of its paths it does.
        const answers = isUnreachable(error) && (await speaks(host, connection, signal));
        throw answers ? new NoSuchEndpoint() : error;
      }
    },
    enabled: isHere,
  });
  const { error } = query;
  if (query.data && isHere) return <Bench value={bench}>{children}</Bench>;
  return (
    <WithoutBench {...props} connection={connection}>
      {!isHere ? (
        <StateMessage
          icon={<IconTool size={24} stroke={1.5} />}
          title={i18n.t('Only for servers on this computer')}
          description={i18n.t(
            "{address} isn't on this computer. Run a local server with npm run gatehouse -- serve.",
            { address: connection.baseUrl },
          )}
        />
      ) : error instanceof NoSuchEndpoint ? (
        <StateMessage
          icon={<IconTool size={24} stroke={1.5} />}
          title={i18n.t('This server has no developer tools')}
          description={i18n.t('May be different or older software. Other admin features still work.')}
        />
      ) : error && isForbidden(error) ? (
        <StateMessage
          role="alert"
          icon={<IconLock size={24} stroke={1.5} />}
          title={i18n.t('Developer tools not allowed')}
          description={failureSentence(error)}
        />
      ) : error ? (
        <FailureMessage
          title={i18n.t("The local server didn't respond")}
          error={error}
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <LoadingNote text={i18n.t('Loading local server…')} />
      )}
    </WithoutBench>
  );
}

const isUnreachable = (error: unknown) => error instanceof ConnectionFailure && error.code === 'unreachable';

const speaks = (host: ConsoleHost, { id, dialect }: Connection, signal: AbortSignal): Promise<boolean> =>
  host.request(id, { method: 'GET', path: `${dialects[dialect].chat}/client/versions` }, { signal }).then(
    () => true,
    () => false,
  );

/** The server knows the question, and this person or this machine may not ask it. Any other error comes with its code. */
const isForbidden = (error: Error) =>
  error instanceof ConnectionFailure &&
  (error.code === 'not_administrator' || (error.code === 'refused' && error.values.errcode === undefined));

/** In the desktop app the server can be started and stopped whether it answers or not. */
function WithoutBench({ isOverview, children }: Props) {
  const { shell } = useConsole().host;
  return (
    <div className={classes.page}>
      {isOverview && shell && (
        <div className={classes.column}>
          <ShellOverview shell={shell} />
        </div>
      )}
      {children}
    </div>
  );
}

function SignInLocally({ shell }: { shell: Shell }) {
  const { host } = useConsole();
  const queryClient = useQueryClient();
  const router = useRouter();
  const connect = useMutation({
    mutationFn: () => shell.connectLocal(),
    onSuccess: async () => {
      await queryClient.invalidateQueries(connectionsQuery(host));
      await router.invalidate();
    },
  });
  return (
    <StateMessage
      icon={<IconPlugConnected size={24} stroke={1.5} />}
      title={i18n.t('Not signed in to the local server')}
      description={
        connect.error
          ? failureSentence(connect.error)
          : i18n.t('View requests, create users and tokens, and change the configuration.')
      }
    >
      <Button onClick={() => connect.mutate()} loading={connect.isPending}>
        {i18n.t('Sign in')}
      </Button>
    </StateMessage>
  );
}
