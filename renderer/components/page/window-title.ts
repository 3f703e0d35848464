export type WindowTitle = ReturnType<typeof windowTitle>;

/** Sets the document's title: the page's, with the name of its tab. */
export function windowTitle() {
  let page = '';
  let tab = '';
  /** Keeps the number of waiting reports first. */
  const update = () => {
    document.title = tab === '' ? page : page.replace(/^(\(\d+\) )?/, `$1${tab} · `);
  };
  return {
    setPage(title: string) {
      page = title;
      update();
    },
    setTab(name: string) {
      tab = name;
      update();
    },
  };
}
