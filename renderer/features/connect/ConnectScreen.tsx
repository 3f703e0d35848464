import { Alert, Button, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconServerBolt } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type Connection, ConnectionFailure } from '../../../shared/connection.ts';
import { connectionsQuery } from '../../api/connections.ts';
import { Mark } from '../../components/Mark.tsx';
import { useConsole } from '../../console-context.ts';
import { ConnectForm } from './ConnectForm.tsx';
import classes from './ConnectScreen.module.css';
import { failureTitle } from './failure-title.ts';

/** The way in: the homeserver in the box in one click, another server by its address. */
export function ConnectScreen() {
  const { host, queryClient, reachability, linkFailure } = useConsole();
  const router = useRouter();
  const { next } = useSearch({ from: '/connect' });
  const { data: connections = [] } = useQuery(connectionsQuery(host));

  const connect = useMutation({
    mutationFn: (open: () => Promise<Connection>) => open(),
    onSuccess: async (connection) => {
      reachability.forget(connection.id);
      queryClient.removeQueries({ queryKey: [connection.id] });
      await queryClient.invalidateQueries(connectionsQuery(host));
      const target = new URL(next ?? '/console/reports', location.origin);
      target.searchParams.set('server', connection.id);
      router.history.push(target.pathname.replace(/^(?!\/console)/, '/console') + target.search);
    },
  });

  const failure = connect.error instanceof ConnectionFailure ? connect.error : undefined;

  return (
    <main className={classes.page}>
      <div className={classes.panel}>
        <header className={classes.brand}>
          <Mark size={34} />
          <div>
            <Title order={1}>Gatehouse</Title>
            <Text c="dimmed" size="sm">
              The admin console for your homeserver
            </Text>
          </div>
        </header>

        {(failure || (connect.isIdle && linkFailure)) && (
          <Alert
            color="red"
            variant="light"
            role="alert"
            title={failure ? failureTitle[failure.code] : 'The link did not work'}
            mb="md"
          >
            {failure?.message ?? linkFailure}
          </Alert>
        )}

        {host.shell && (
          <section className={classes.local}>
            <div>
              <Title order={2}>Local server</Title>
              <Text c="dimmed" size="sm">
                The homeserver in the box, on this machine.
              </Text>
            </div>
            <Button
              size="sm"
              fullWidth
              autoFocus
              leftSection={<IconServerBolt size={16} />}
              loading={connect.isPending}
              onClick={() => host.shell && connect.mutate(host.shell.connectLocal)}
            >
              Open local server
            </Button>
          </section>
        )}

        <section>
          <Title order={2} mb="sm">
            {host.shell ? 'Another server' : 'Sign in to a server'}
          </Title>
          <ConnectForm
            initialAddress={host.shell ? '' : location.origin}
            primary={!host.shell}
            busy={connect.isPending}
            onConnect={(address, credentials) => connect.mutate(() => host.connect(address, credentials))}
          />
        </section>

        {connections.length > 0 && (
          <Link to="/reports" search={{ server: connections[0]?.id }} className={classes.back}>
            <IconArrowLeft size={14} /> Back to {connections[0]?.id}
          </Link>
        )}
      </div>
    </main>
  );
}
