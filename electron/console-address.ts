/** Where the console is found inside the app: the same path as in a browser, under a scheme of its own. */

export const scheme = 'app';
export const consoleOrigin = 'app://gatehouse';
export const consoleBase = '/console/';
export const consoleUrl = consoleOrigin + consoleBase;

/** Whether an address is one of the console's own pages. */
export function isConsoleUrl(address: string): boolean {
  const url = URL.parse(address);
  // `origin` is "null" for a scheme that the parser does not know, so its parts are compared.
  return (
    url?.protocol === `${scheme}:` &&
    url.host === 'gatehouse' &&
    !url.username &&
    !url.password &&
    url.pathname.startsWith(consoleBase)
  );
}
