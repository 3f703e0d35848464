/** Questions that the page has the app ask: a page that has been taken over must not bury the person in them. */
import { ConnectionFailure } from '../../shared/connection.ts';

/** Whoever says no so many times within the time is asked nothing more until it is over. */
const mostNoes = 6;
const restMs = 60_000;

let isAsking = false;
let noes: number[] = [];

/**
 * One question at a time.
 *
 * @returns what is to be called at its end, with whether the person said yes
 * @throws ConnectionFailure `refused` while another one is open, and after many noes
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
 * @param ask resolves with whether the person says yes
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
