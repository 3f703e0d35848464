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
import { connectionsQuery, loopbackHost } from '../../api/shell.ts';
import { FailureMessage, LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { useConsole } from '../../console-context.ts';
import type { ConsoleHost, Shell } from '../../transport/host.ts';
import { failureSentence, NoSuchEndpoint } from '../../transport/refusal.ts';
import { workbenchOf } from '../../transport/workbench.ts';
import classes from './LocalServer.module.css';
import { ShellOverview } from './ShellOverview.tsx';
import { WorkbenchContext } from './workbench-context.ts';

type Props = {
  /** Undefined if the user isn't signed in to the local server. */
  connection: Connection | undefined;
  isOverview: boolean;
  children: ReactNode;
};

/** Provides the server's workbench to its children, or explains why there is none. */
export function WorkbenchGate(props: Props) {
  const { connection } = props;
  const { host } = useConsole();
  if (connection) return <WorkbenchLoader {...props} connection={connection} />;
  return (
    <NoWorkbench {...props}>
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
    </NoWorkbench>
  );
}

function WorkbenchLoader({ connection, children, ...props }: Props & { connection: Connection }) {
  const { host } = useConsole();
  const workbench = useMemo(() => workbenchOf(host, connection), [host, connection]);
  const isLocal = loopbackHost.test(new URL(connection.baseUrl).hostname);
  const query = useQuery({
    queryKey: [connection.id, 'workbench', 'inspector'],
    queryFn: async ({ signal }) => {
      try {
        return await workbench.get(getInspector.response[200], workbenchPaths.inspector, signal);
      } catch (error) {
        // A 404 without CORS headers looks unreachable. Other paths then still respond.
        const responds = isUnreachable(error) && (await isMatrixServer(host, connection, signal));
        throw responds ? new NoSuchEndpoint() : error;
      }
    },
    enabled: isLocal,
  });
  const { error } = query;
  if (query.data && isLocal) return <WorkbenchContext value={workbench}>{children}</WorkbenchContext>;
  return (
    <NoWorkbench {...props} connection={connection}>
      {!isLocal ? (
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
        <FailureMessage title={i18n.t("The local server didn't respond")} query={query} />
      ) : (
        <LoadingNote text={i18n.t('Loading local server…')} />
      )}
    </NoWorkbench>
  );
}

const isUnreachable = (error: unknown) => error instanceof ConnectionFailure && error.code === 'unreachable';

const isMatrixServer = (
  host: ConsoleHost,
  { id, dialect }: Connection,
  signal: AbortSignal,
): Promise<boolean> =>
  host.request(id, { method: 'GET', path: `${dialects[dialect].chat}/client/versions` }, { signal }).then(
    () => true,
    () => false,
  );

/** True if the endpoint exists but refuses this user or computer; other refusals have an `errcode`. */
const isForbidden = (error: Error) =>
  error instanceof ConnectionFailure &&
  (error.code === 'not_administrator' || (error.code === 'refused' && error.values.errcode === undefined));

/** In the desktop app, the overview can start and stop the server even if it doesn't respond. */
function NoWorkbench({ isOverview, children }: Props) {
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
