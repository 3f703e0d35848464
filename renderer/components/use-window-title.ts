import { useEffect } from 'react';

/** What the window, its tab and whoever listens to the page are told that it shows. */
export function useWindowTitle(title: string) {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
