import { ConnectionFailure } from '../../shared/connection.ts';

/** An undo takes back what one did oneself, and not what a colleague did after it. */
export const changedSince = () =>
  new ConnectionFailure('refused', /*i18n*/ 'Somebody has changed it since then: it is left as it is now.');

/** Lost answers: whether it was one's own request that made it so, or a colleague's, nobody can tell. */
export const perhapsOthers = () =>
  new ConnectionFailure(
    'refused',
    /*i18n*/ 'Its answer was lost: somebody else may have done it. Try it again by itself to take it back.',
  );
