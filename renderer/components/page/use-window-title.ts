import { useEffect } from 'react';

let pageTitle = '';
let tab = '';

/** Keeps the number of waiting reports first. */
function update() {
  document.title = tab === '' ? pageTitle : pageTitle.replace(/^(\(\d+\) )?/, `$1${tab} · `);
}

/** Sets the document's title. */
export function useWindowTitle(title: string) {
  useEffect(() => {
    pageTitle = title;
    update();
  }, [title]);
}

/** Adds the name of a tab to the title while mounted; empty adds none. */
export function useTabTitle(name: string) {
  useEffect(() => {
    tab = name;
    update();
    return () => {
      tab = '';
      update();
    };
  }, [name]);
}
