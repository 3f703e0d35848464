/** So long after a page has something to do it is waited for a moment in which it has nothing, at most. */
const latestMs = 5_000;

/**
 * Loads scripts that will be wanted, while nothing else is to be done: when they are wanted, the server that has
 * them may be away. Where one can't be had, whoever wants it says so.
 */
export function soon(...scripts: (() => Promise<unknown>)[]): void {
  const load = async () => {
    for (const script of scripts) await script().catch(() => {});
  };
  // Safari knows no idle time.
  if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: latestMs });
  else setTimeout(load, latestMs);
}
