import { useQuery } from '@tanstack/react-query';
import type { Offered } from '../../api/offered.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { type Screen, screens } from './screens.ts';

/** The screens that there are here: without what the connected server is known not to have. Nothing is asked for it. */
export function useShownScreens(): Screen[] {
  const { host } = useConsole();
  const server = useServerIfAny();
  const { data: offered } = useQuery<Offered>({ queryKey: [server?.id, 'offered'], enabled: false });
  const { data: bench } = useQuery<boolean>({ queryKey: [server?.id, 'workbench'], enabled: false });
  return screens.filter(
    ({ shellOnly, needs, rare }) =>
      (!shellOnly || host.shell || bench) && (!needs || (offered?.has(needs) ?? !rare)),
  );
}
