import type { QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Offered } from '../../api/offered.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { type Screen, screens } from './screens.ts';

/** The screens that there are here: without what the connected server is known not to have. Nothing is asked for it. */
export function useShownScreens(): Screen[] {
  const { host } = useConsole();
  const server = useServerIfAny();
  const offered = useKnown<Offered>([server?.id, 'offered']);
  const bench = useKnown<boolean>([server?.id, 'workbench']);
  return screens.filter(
    ({ shellOnly, needs, rare }) =>
      (!shellOnly || host.shell || bench) && (!needs || (offered?.has(needs) ?? !rare)),
  );
}

/** What others asked for. As one more query it would take away the function by which those ask once more. */
function useKnown<Data>(key: QueryKey): Data | undefined {
  const { queryClient } = useConsole();
  return useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueryData<Data>(key),
  );
}
