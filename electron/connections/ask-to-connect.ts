/** The question before the app talks to an address for the first time. */
import { askPerson } from '../ask.ts';
import { say } from '../words.ts';

/** Resolves with whether the person agrees. */
export const askToConnect = (origin: string): Promise<boolean> =>
  askPerson({
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

/** Encrypted, or not leaving this machine. */
function isPrivate(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
