/** Questions that the page triggers: a compromised page must not flood the user with dialogs. */
import { ConnectionFailure } from '../../shared/connection.ts';

/** After this many refusals within the period, no more questions are shown until it has ended. */
const mostNoes = 6;
const restMs = 60_000;

let isAsking = false;
let noes: number[] = [];

/**
 * Starts a question, one at a time.
 *
 * @returns call it at the end with the user's decision
 * @throws ConnectionFailure `refused` while another is open, or after many refusals
 */
export function beginQuestion(): (agreed: boolean) => void {
  if (isAsking) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Answer the other dialog first.');
  }
  const now = Date.now();
  noes = noes.filter((time) => now - time < restMs);
  if (noes.length >= mostNoes) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'You declined {count} times within a minute. Retry in a minute.',
      { count: mostNoes },
    );
  }
  isAsking = true;
  return (agreed) => {
    isAsking = false;
    if (agreed) noes = [];
    else noes.push(Date.now());
  };
}

/**
 * @param ask returns whether the user agreed
 * @throws ConnectionFailure as `beginQuestion`
 */
export async function askForPage(ask: () => Promise<boolean>): Promise<boolean> {
  const end = beginQuestion();
  let agreed = false;
  try {
    agreed = await ask();
    return agreed;
  } finally {
    end(agreed);
  }
}
