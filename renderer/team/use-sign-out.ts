import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../shared/connection.ts';
import { connectionsQuery } from '../api/connections.ts';
import { forgetServer } from '../components/remembered-server.ts';
import { useConsole, useServerIfAny } from '../console-context.ts';
import { forgetTeam } from './team-store.ts';

/** Ends a session, and forgets what this machine keeps of its server. */
export function useSignOut() {
  const { host, queryClient } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();
  return useMutation({
    // Before other tabs hear of it: none of them offers to sign in there again.
    onMutate: (connection: Connection) => forgetServer(connection),
    mutationFn: ({ id }) => host.disconnect(id),
    // Forgotten here in any case, also where the server couldn't be told.
    onSettled: async (_data, _error, { id }) => {
      await forgetTeam(id);
      queryClient.removeQueries({ queryKey: [id] });
      await queryClient.invalidateQueries(connectionsQuery(host));
      if (id !== server?.id) return;
      const [other] = await queryClient.ensureQueryData(connectionsQuery(host));
      await (other
        ? navigate({ to: '/', search: { server: other.id } })
        : navigate({ to: '/connect', search: { server: undefined } }));
    },
  });
}
