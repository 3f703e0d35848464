import { useEffect, useState } from 'react';

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta']);

/**
 * Defers a shortcut's action until its data has loaded. Any other key or click, or another target, cancels it.
 *
 * @param state of the data
 * @param about identifies the target
 * @param onFailed called if the data couldn't be loaded
 */
export function useDeferredAction<What>(
  state: 'awaited' | 'known' | 'failed',
  onReady: (what: What) => void,
  about?: string,
  onFailed?: (what: What) => void,
) {
  const [pending, setPending] = useState<{ what: What; label: string; about: string | undefined }>();
  const deferred = pending && pending.about === about ? pending : undefined;

  useEffect(() => {
    if (!pending) return;
    const cancel = (event: Event) => {
      if (event instanceof KeyboardEvent && (event.repeat || modifiers.has(event.key))) return;
      setPending(undefined);
    };
    // In the capture phase, before other handlers.
    window.addEventListener('keydown', cancel, true);
    window.addEventListener('pointerdown', cancel, true);
    return () => {
      window.removeEventListener('keydown', cancel, true);
      window.removeEventListener('pointerdown', cancel, true);
    };
  }, [pending]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the data has loaded
  useEffect(() => {
    if (!pending || (deferred && state === 'awaited')) return;
    setPending(undefined);
    if (!deferred) return;
    if (state === 'known') onReady(deferred.what);
    else onFailed?.(deferred.what);
  }, [pending, deferred, state]);

  return { awaited: deferred, defer: (what: What, label: string) => setPending({ what, label, about }) };
}
