/** What the page may use of the machine: to put text on the clipboard, nothing else. */
import { app, type DownloadItem, type Session, shell, type WebContents } from 'electron';
import { longestHost } from '../../shared/address.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { askPerson } from '../ask.ts';
import { say } from '../words.ts';
import { askForPage, beginQuestion } from './page-questions.ts';
import { isConsoleUrl } from './protocol.ts';

const granted = ['clipboard-sanitized-write'];

export function denyPermissions(session: Session): void {
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return granted.includes(permission) && isConsoleUrl(`${origin.replace(/\/$/, '')}/console/`);
  });
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    answer(granted.includes(permission) && isConsoleUrl(requestingUrl));
  });
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event, item) => {
    // What the console exports it makes itself; a download from elsewhere would be a request to anywhere.
    if (!item.getURL().startsWith('blob:app://gatehouse/') || !isAskedAlone(item)) event.preventDefault();
  });
}

/** The system asks where each is to go: no more at once, and after many noes, than of what the page asks otherwise. */
function isAskedAlone(item: DownloadItem): boolean {
  try {
    const end = beginQuestion();
    item.once('done', (_event, state) => end(state === 'completed'));
    return true;
  } catch {
    return false;
  }
}

/** Links that lead out of the app open in the system's browser, where they are https and the person says so. */

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

/** What no content of the app can do, whichever window it is in: leave the console, open windows, embed. */

export function lockContents(): void {
  app.on('web-contents-created', (_event, contents) => lock(contents));
}

function lock(contents: WebContents): void {
  contents.on('will-navigate', keepInConsole);
  contents.on('will-redirect', keepInConsole);
  contents.on('will-frame-navigate', (details) => {
    // The console has no frames: one that goes anywhere was not made by it.
    if (!details.isMainFrame) details.preventDefault();
    else keepInConsole(details);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A link that is refused has nothing to tell the person: it was not one that the console makes.
    openExternalLink(url).catch(() => {});
    return { action: 'deny' };
  });
}

function keepInConsole(details: { url: string; preventDefault(): void }): void {
  if (!isConsoleUrl(details.url)) details.preventDefault();
}
