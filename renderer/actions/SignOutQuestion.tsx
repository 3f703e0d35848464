import { i18n } from '@lingui/core';
import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../shared/connection.ts';
import { connectionsQuery } from '../api/shell.ts';
import { forgetAccount } from '../components/saved-accounts.ts';
import { useConsole, useServerIfAny } from '../console-context.ts';
import { forgetTeam } from '../team/team-store.ts';
import { jobsOf } from './jobs/job-store.ts';
import classes from './SignOutQuestion.module.css';

type Props = {
  connection: Connection;
  /** What the server is called. */
  label: string | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Asks before a session is ended, wherever that is chosen. */
export function SignOutQuestion({ connection, label, opened, onClose }: Props) {
  const signOut = useSignOut();
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Sign out of {name}?', { name: label })} size="sm">
      <p className={classes.text}>
        {i18n.t(
          'Signs out {userId} and removes its server data from this device. Unshared statuses and notes stay.',
          { userId: connection.userId },
        )}
      </p>
      <div className={classes.buttons}>
        <Button
          data-autofocus
          loading={signOut.isPending}
          onClick={() => signOut.mutate(connection, { onSettled: onClose })}
        >
          {i18n.t('Sign out')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </Modal>
  );
}

/** Ends the session and removes what this device keeps of its server. */
function useSignOut() {
  const { host, kept, queryClient, servers } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();
  return useMutation({
    // Before other tabs hear of it: none of them offers to sign in there again.
    onMutate: (connection: Connection) => forgetAccount(kept, connection),
    mutationFn: ({ id }) => host.disconnect(id),
    // Removed in any case, also where the server couldn't be told, and after its screens are left: they would load it again.
    onSettled: async (_data, _error, connection) => {
      const { id } = connection;
      try {
        await queryClient.invalidateQueries(connectionsQuery(host));
        if (id === server?.id) {
          const [other] = await queryClient.ensureQueryData(connectionsQuery(host));
          await (other
            ? navigate({ to: '/', search: { server: other.id } })
            : navigate({ to: '/connect', search: { server: undefined } }));
        }
      } finally {
        // A screen that was opened meanwhile has remembered it again.
        forgetAccount(kept, connection);
        const left = servers.of(connection);
        jobsOf(left).clear();
        servers.forget(id);
        forgetTeam(left);
        kept.forgetServer(id);
        queryClient.removeQueries({ queryKey: [id] });
      }
    },
  });
}
