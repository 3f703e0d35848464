import { i18n } from '@lingui/core';
import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../shared/connection.ts';
import { connectionsQuery } from '../api/shell.ts';
import { forgetExposure } from '../components/exposure.ts';
import { forgetAccount } from '../components/saved-accounts.ts';
import { useConsole, useServerIfAny } from '../console-context.ts';
import { deleteTeamData } from '../team/team-store.ts';
import { jobsOf } from './jobs/job-store.ts';
import classes from './SignOutQuestion.module.css';

type Props = {
  connection: Connection;
  /** Server label. */
  label: string | undefined;
  onClose: () => void;
};

/** Confirms signing out. */
export function SignOutQuestion({ connection, label, onClose }: Props) {
  const signOut = useSignOut();
  return (
    <Modal opened onClose={onClose} title={i18n.t('Sign out of {name}?', { name: label })} size="sm">
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

/** Ends the session and removes the server's data from this device. */
function useSignOut() {
  const { host, deviceStorage, queryClient, servers } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();
  return useMutation({
    // Before other tabs learn of it, so that none offers to sign in again.
    onMutate: (connection: Connection) => forgetAccount(deviceStorage, connection),
    mutationFn: ({ id }) => host.disconnect(id),
    // Also if the request failed. After navigating away, because the server's screens would reload its data.
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
        // A screen may have saved it again.
        forgetAccount(deviceStorage, connection);
        const left = servers.of(connection);
        jobsOf(left).clear();
        servers.forget(id);
        deleteTeamData(left);
        deviceStorage.forgetServer(id);
        forgetExposure(deviceStorage, id);
        queryClient.removeQueries({ queryKey: [id] });
      }
    },
  });
}
