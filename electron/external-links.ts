/** Links that lead out of the app open in the system's browser, where they are https and the person says so. */
import { shell } from 'electron';
import { ConnectionFailure } from '../shared/connection.ts';
import { longestHost } from '../shared/sign-in.ts';
import { askPerson } from './ask.ts';
import { say } from './words.ts';

/** A page that has been taken over must neither open what it likes nor bury the person in questions. */
let isAsking = false;

/**
 * Asks in a window of the system's own, which no page can answer, and names the host there. Resolves when the
 * person has answered.
 *
 * @throws ConnectionFailure `refused` for anything but a plain https address, and while another one is asked about
 */
export async function openExternalLink(address: string): Promise<void> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.hostname.length > longestHost || url.username || url.password) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Only https addresses are opened.');
  }
  if (isAsking) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Answer first whether the other link is to be opened.');
  }
  isAsking = true;
  try {
    // What was checked is what is opened: the parsed address, not the text that it came from.
    if (await isAgreedTo(url)) await shell.openExternal(url.href);
  } finally {
    isAsking = false;
  }
}

const isAgreedTo = ({ host, href }: URL): Promise<boolean> =>
  askPerson({
    message: say(/*i18n*/ 'Open {host} in the browser?', { host }),
    detail: href.length > longestShown ? `${href.slice(0, longestShown)}…` : href,
    yes: say(/*i18n*/ 'Open'),
  });

/** In characters: a dialog grows with what it says, and its buttons have to stay on the screen. */
const longestShown = 300;
