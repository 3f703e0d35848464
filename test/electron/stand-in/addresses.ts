/**
 * Chromium by itself knows no `app://`: inside the page, `app://gatehouse/…` is a secure origin of its own
 * that never reaches a network. Everyone on the main side sees the real address.
 */

const suffix = 'scheme.stand-in.test';

/** The address under which the page loads what the main process calls `app://host/…`. */
export function toPage(address: string, schemes: Iterable<string>): string {
  const match = /^([a-z][a-z0-9+-]*):\/\/([^/?#]+)(.*)$/i.exec(address);
  const [, scheme = '', host = '', rest = ''] = match ?? [];
  if (![...schemes].includes(scheme)) return address;
  return `https://${host}.${scheme}.${suffix}${rest}`;
}

/** The other way round; an address of the wide world stays what it is. */
export function fromPage(address: string): string {
  return address.replace(
    /^(blob:)?https:\/\/([^/?#]+)\.([a-z0-9+-]+)\.scheme\.stand-in\.test(?=[/?#]|$)/,
    (_all, blob = '', host, scheme) => `${blob}${scheme}://${host}`,
  );
}
