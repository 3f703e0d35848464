import { useEffect, useState } from 'react';
import type { ActionPanel } from './ActionPanel.tsx';

type Panel = typeof ActionPanel;

let panel: Panel | undefined;

const load = async (): Promise<Panel> => {
  panel ??= (await import('./ActionPanel.tsx')).ActionPanel;
  return panel;
};

// After the first scripts, which don't wait for it.
load().catch(() => {});

/**
 * Returns the panel once its script has loaded.
 *
 * @param isNeeded loads it again if that failed
 */
export function useActionPanel(isNeeded: boolean): Panel | undefined {
  const [, setLoaded] = useState(false);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (isNeeded && !panel) load().then(() => setLoaded(true), setError);
  }, [isNeeded]);
  // Distinguishes the failure from an error of the panel itself.
  if (error) throw new Error(`Missing: ${error.message}`);
  return panel;
}
