import { useEffect, useState } from 'react';

/** Keys that do nothing by themselves. */
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * What was asked for by its key before there is what it needs: it is done then, unless whoever asked has pressed
 * something else meanwhile or has gone on to something else, or it can't be had.
 *
 * @param offers of what it needs: what the server lets one do, a list, a report
 * @param goOn is called with it once that is known
 * @param about names what it was asked of
 * @param onFailed is called with it where that can't be known
 */
export function useAwaitedAction<What>(
  offers: 'awaited' | 'known' | 'failed',
  goOn: (what: What) => void,
  about?: string,
  onFailed?: (what: What) => void,
) {
  const [kept, setKept] = useState<{ what: What; label: string; about: string | undefined }>();
  const awaited = kept && kept.about === about ? kept : undefined;

  useEffect(() => {
    if (!kept) return;
    const forget = (event: Event) => {
      if (event instanceof KeyboardEvent && (event.repeat || modifiers.has(event.key))) return;
      setKept(undefined);
    };
    // Before what is pressed does anything.
    window.addEventListener('keydown', forget, true);
    window.addEventListener('pointerdown', forget, true);
    return () => {
      window.removeEventListener('keydown', forget, true);
      window.removeEventListener('pointerdown', forget, true);
    };
  }, [kept]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it goes on once, when it is known
  useEffect(() => {
    if (!kept || (awaited && offers === 'awaited')) return;
    setKept(undefined);
    if (!awaited) return;
    if (offers === 'known') goOn(awaited.what);
    else onFailed?.(awaited.what);
  }, [kept, awaited, offers]);

  return { awaited, wait: (what: What, label: string) => setKept({ what, label, about }) };
}
