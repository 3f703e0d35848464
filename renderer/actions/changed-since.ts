import { ConnectionFailure } from '../../shared/connection.ts';

/** An undo takes back what one did oneself, and not what a colleague did after it. */
export const changedSince = () =>
  new ConnectionFailure('refused', /*i18n*/ 'Somebody has changed it since then: it is left as it is now.');
