/**
 * What was so in a list, for who comes back to it by the browser's history: kept by the entry there, as long as the
 * page lives. Whoever goes to the list anew begins anew.
 */
import { useRouter } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

/** Of so many lists. */
const most = 60;

const kept = new Map<string, unknown>();

/** @param what names it, each list's own */
export function useKept<Value>(what: string) {
  const router = useRouter();
  const [here] = useState(() => router.latestLocation.pathname);
  return useMemo(() => {
    const key = () => `${router.latestLocation.state.__TSR_key} ${what}`;
    return {
      recall: () => kept.get(key()) as Value | undefined,
      keep(value: Value) {
        // Whoever has gone on is at another entry already.
        if (router.latestLocation.pathname !== here) return;
        kept.delete(key());
        kept.set(key(), value);
        for (const oldest of kept.keys()) {
          if (kept.size <= most) break;
          kept.delete(oldest);
        }
      },
    };
  }, [router, here, what]);
}
