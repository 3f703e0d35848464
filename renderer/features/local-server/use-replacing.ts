import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useConsole } from '../../console-context.ts';
import type { Replacing } from '../../transport/local-host.ts';
import type { Workbench } from '../../transport/workbench.ts';
import { type HostWork, hostWork } from './host-work.ts';
import { untilItIsReplaced } from './until-it-runs.ts';

/**
 * Has the data of the server replaced, and signs in to what is there then. Its result is where the data from before is
 * kept; null where the person thought better of it.
 */
export function useReplacing<Input = void>(
  bench: Workbench,
  work: HostWork,
  replace: (input: Input) => Promise<Replacing | undefined>,
): UseMutationResult<string | null, Error, Input> {
  const { host } = useConsole();
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationKey: hostWork(work),
    gcTime: Number.POSITIVE_INFINITY,
    mutationFn: async (input: Input) => {
      const begun = await replace(input);
      if (!begun) return null;
      const { kept_at, login_token } = begun;
      if (host.shell) await host.shell.connectLocal();
      else if ((await untilItIsReplaced(bench, kept_at)) === 'signed out' && login_token !== undefined) {
        await host.connect(bench.connection.baseUrl, { type: 'login_token', token: login_token });
      }
      return kept_at;
    },
    onSuccess: async (keptAt) => {
      if (keptAt === null) return;
      queryClient.removeQueries({ queryKey: [bench.connection.id] });
      await queryClient.invalidateQueries();
      await router.invalidate();
    },
  });
}
