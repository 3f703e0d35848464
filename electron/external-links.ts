/** Links that lead out of the app open in the system's browser, where they are https and the person says so. */
import { shell } from 'electron';
import { longestHost } from '../shared/address.ts';
import { ConnectionFailure } from '../shared/connection.ts';
import { askPerson } from './ask.ts';
import { askForPage } from './page-questions.ts';
import { say } from './words.ts';

/**
 * Asks in a window of the system's own, which no page can answer, and names the host there. Resolves when the
 * person has answered.
 *
 * @throws ConnectionFailure `refused` for anything but a plain https address, and where nothing may be asked
 */
export async function openExternalLink(address: string): Promise<void> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.hostname.length > longestHost || url.username || url.password) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Only https links can be opened.');
  }
  // What was checked is what is opened: the parsed address, not the text that it came from.
  if (await askForPage(() => isAgreedTo(url))) await shell.openExternal(url.href);
}

const isAgreedTo = ({ host, href }: URL): Promise<boolean> =>
  askPerson({
    message: say(/*i18n*/ 'Open {host} in the browser?', { host }),
    detail: href.length > longestShown ? `${href.slice(0, longestShown)}…` : href,
    yes: say(/*i18n*/ 'Open page'),
  });

/** In characters: a dialog grows with what it says, and its buttons have to stay on the screen. */
const longestShown = 300;
