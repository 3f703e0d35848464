import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../../shared/connection.ts';
import { connectionsQuery } from '../../api/connections.ts';
import { forgetServer } from '../../components/remembered-server.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { forgetTeam } from '../../team/team-store.ts';
import { serverLabel, serverName } from '../../transport/server-name.ts';
import classes from './ConnectionRow.module.css';

export function ConnectionRow({ connection, all }: { connection: Connection; all: readonly Connection[] }) {
  const { host, queryClient } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();

  const signOut = useMutation({
    // Before other tabs hear of it: none of them offers to sign in there again.
    onMutate: () => forgetServer(connection.id),
    mutationFn: () => host.disconnect(connection.id),
    // Forgotten here in any case, also where the server couldn't be told.
    onSettled: async () => {
      await forgetTeam(connection.id);
      queryClient.removeQueries({ queryKey: [connection.id] });
      await queryClient.invalidateQueries(connectionsQuery(host));
      if (connection.id !== server?.id) return;
      const [other] = await queryClient.ensureQueryData(connectionsQuery(host));
      await (other
        ? navigate({ to: '/', search: { server: other.id } })
        : navigate({ to: '/connect', search: { server: undefined } }));
    },
  });

  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <strong>{serverName(connection)}</strong>
        {connection.local && ` (${i18n.t('local server')})`}
        <div className={classes.detail}>
          {connection.userId} · {connection.baseUrl} · {connection.dialect}
        </div>
      </div>
      <Button
        variant="default"
        loading={signOut.isPending}
        onClick={() => signOut.mutate()}
        aria-label={i18n.t('Sign out of {name}', { name: serverLabel(connection, all) })}
      >
        {i18n.t('Sign out')}
      </Button>
    </div>
  );
}
