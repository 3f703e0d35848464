/** Asks the person before the app talks to an address for the first time. */
import { ConnectionFailure } from '../shared/connection.ts';
import { askPerson } from './ask.ts';
import { askForPage } from './page-questions.ts';
import { say } from './words.ts';

/** Resolves where the person agrees. @throws ConnectionFailure `cancelled` */
export type Consent = (origin: string) => Promise<void>;

/** Encrypted, or not leaving this machine. */
function isPrivate(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** @throws ConnectionFailure also `refused`, as all that the page has asked */
export const askInDialog: Consent = async (origin) => {
  const { host } = new URL(origin);
  const agreed = await askForPage(() =>
    askPerson({
      title: say(/*i18n*/ 'Connect to a server'),
      message: say(/*i18n*/ 'Connect to {host}?', { host }),
      detail: isPrivate(origin)
        ? say(/*i18n*/ 'Gatehouse will sign in at {origin}.', { origin })
        : say(
            /*i18n*/ 'Gatehouse will sign in at {origin}. The connection is not encrypted: others on the network can read what is sent.',
            { origin },
          ),
      yes: say(/*i18n*/ 'Connect'),
    }),
  );
  if (!agreed) {
    throw new ConnectionFailure('cancelled', /*i18n*/ 'You chose not to connect to {host}.', { host });
  }
};
