import { useEffect } from 'react';
import { useConsole } from '../../console-context.ts';

/** Sets the document's title. */
export function useWindowTitle(title: string) {
  const { title: shown } = useConsole();
  useEffect(() => shown.setPage(title), [shown, title]);
}

/** Adds the name of a tab to the title while mounted; empty adds none. */
export function useTabTitle(name: string) {
  const { title } = useConsole();
  useEffect(() => {
    title.setTab(name);
    return () => title.setTab('');
  }, [title, name]);
}
