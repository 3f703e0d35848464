/**
 * Chromium doesn't know `app://` URLs. In the page, `app://gatehouse/…` becomes an HTTPS origin that's intercepted
 * and never reaches the network. The main process sees the real URL.
 */

const suffix = 'scheme.stand-in.test';

/** Returns the URL that the page loads for `app://host/…` in the main process. */
export function toPage(address: string, schemes: Iterable<string>): string {
  const match = /^([a-z][a-z0-9+-]*):\/\/([^/?#]+)(.*)$/i.exec(address);
  const [, scheme = '', host = '', rest = ''] = match ?? [];
  if (![...schemes].includes(scheme)) return address;
  return `https://${host}.${scheme}.${suffix}${rest}`;
}

/** Inverts `toPage`. Other URLs are unchanged. */
export function fromPage(address: string): string {
  return address.replace(
    /^(blob:)?https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.scheme\.stand-in\.test(?=[/?#]|$)/,
    (_all, blob = '', host, scheme) => `${blob}${scheme}://${host}`,
  );
}
