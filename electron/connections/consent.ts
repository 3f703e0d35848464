/** Asks the person before the app talks to an address for the first time. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { askForPage } from '../window/page-questions.ts';
import { askToConnect } from './ask-to-connect.ts';

/** Resolves where the person agrees. @throws ConnectionFailure `cancelled` */
export type Consent = (origin: string) => Promise<void>;

/** @throws ConnectionFailure also `refused`, as all that the page has asked */
export const askInDialog: Consent = async (origin) => {
  if (await askForPage(() => askToConnect(origin))) return;
  const { host } = new URL(origin);
  throw new ConnectionFailure('cancelled', /*i18n*/ 'Connection to {host} canceled', { host });
};
