/** Asks the user before the first connection to an address. */
import { ConnectionFailure } from '../../shared/connection.ts';
import { askForPage } from '../window/page-questions.ts';
import { askToConnect } from './ask-to-connect.ts';

/**
 * Resolves if the user agrees.
 *
 * @throws ConnectionFailure `cancelled`
 */
export type Consent = (origin: string) => Promise<void>;

/** @throws ConnectionFailure also `refused`, like all questions of the page */
export const askInDialog: Consent = async (origin) => {
  if (await askForPage(() => askToConnect(origin))) return;
  const { host } = new URL(origin);
  throw new ConnectionFailure('cancelled', /*i18n*/ 'Connection to {host} canceled', { host });
};
