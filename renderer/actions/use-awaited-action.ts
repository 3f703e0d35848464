import { useEffect, useState } from 'react';

/** Keys that do nothing by themselves. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * What was asked for by its key before it is known what the server lets one do: it is done then, unless whoever asked
 * has pressed something else meanwhile, or it can't be found out.
 *
 * @param goOn is called with it once it is known
 */
export function useAwaitedAction(offers: 'awaited' | 'known' | 'failed', goOn: (key: string) => void) {
  const [awaited, setAwaited] = useState<{ key: string; label: string }>();

  useEffect(() => {
    if (!awaited) return;
    const forget = (event: Event) => {
      if (event instanceof KeyboardEvent && (event.repeat || modifiers.has(event.key))) return;
      setAwaited(undefined);
    };
    // Before what is pressed does anything.
    window.addEventListener('keydown', forget, true);
    window.addEventListener('pointerdown', forget, true);
    return () => {
      window.removeEventListener('keydown', forget, true);
      window.removeEventListener('pointerdown', forget, true);
    };
  }, [awaited]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes on once, when it is known
  useEffect(() => {
    if (!awaited || offers === 'awaited') return;
    setAwaited(undefined);
    if (offers === 'known') goOn(awaited.key);
  }, [awaited, offers]);

  return { awaited, wait: setAwaited };
}
