/** Asks before the first connection to an address. */
import { confirmInDialog } from '../ask.ts';
import { say } from '../words.ts';

/** Returns whether the user agreed. */
export const askToConnect = (origin: string): Promise<boolean> =>
  confirmInDialog({
    title: say(/*i18n*/ 'Connect to a server'),
    message: say(/*i18n*/ 'Connect to {host}?', { host: new URL(origin).host }),
    detail: isPrivate(origin)
      ? say(/*i18n*/ 'Gatehouse will sign in at {origin}.', { origin })
      : say(
          /*i18n*/ "Gatehouse will sign in at {origin}. The connection isn't encrypted. Others on the network can read it.",
          { origin },
        ),
    yes: say(/*i18n*/ 'Connect'),
  });

/** Encrypted, or on loopback. */
function isPrivate(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
