/** Questions that the page has the app ask: a page that has been taken over must not bury the person in them. */
import { ConnectionFailure } from '../shared/connection.ts';

/** Whoever says no so many times within the time is asked nothing more until it is over. */
const mostNoes = 6;
const restMs = 60_000;

let isAsking = false;
let noes: number[] = [];

/**
 * One question at a time.
 *
 * @param ask resolves with whether the person says yes
 * @throws ConnectionFailure `refused` while another one is open, and after many noes
 */
export async function askForPage(ask: () => Promise<boolean>): Promise<boolean> {
  if (isAsking) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Answer first what the app asks in its other window.');
  }
  const now = Date.now();
  noes = noes.filter((time) => now - time < restMs);
  if (noes.length >= mostNoes) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'You said no {count} times within a minute, so nothing is asked for a while. Try again in a minute.',
      { count: mostNoes },
    );
  }
  isAsking = true;
  try {
    const agreed = await ask();
    if (agreed) noes = [];
    else noes.push(Date.now());
    return agreed;
  } finally {
    isAsking = false;
  }
}
