import { useEffect, useState } from 'react';

type NameOfAction = (entry: { action: string }) => string;

/** What the log's actions are called, once the words are there. */
export function useActionNames(): NameOfAction | undefined {
  const [names, setNames] = useState<{ nameOfAction: NameOfAction }>();
  useEffect(() => {
    let isWanted = true;
    import('./action-name.ts').then((loaded) => isWanted && setNames(loaded)).catch(() => {});
    return () => {
      isWanted = false;
    };
  }, []);
  return names?.nameOfAction;
}
