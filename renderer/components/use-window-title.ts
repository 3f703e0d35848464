import { useEffect } from 'react';

let whole = '';
let part = '';

/** The number of what waits stays first. */
function show() {
  document.title = part === '' ? whole : whole.replace(/^(\(\d+\) )?/, `$1${part} · `);
}

/** What the window, its tab and whoever listens to the page are told that it shows. */
export function useWindowTitle(title: string) {
  useEffect(() => {
    whole = title;
    show();
  }, [title]);
}

/** Names the part of a screen that is shown, too, for as long as it is; an empty name is none. */
export function usePartTitle(name: string) {
  useEffect(() => {
    part = name;
    show();
    return () => {
      part = '';
      show();
    };
  }, [name]);
}
