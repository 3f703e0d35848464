/** The only permission of the page: writing text to the clipboard. */
import { app, type DownloadItem, type Session, shell, type WebContents } from 'electron';
import { longestHost } from '../../shared/address.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { confirmInDialog } from '../ask.ts';
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
    // The console creates its exports itself; other downloads would be requests to anywhere.
    if (!item.getURL().startsWith('blob:app://gatehouse/') || !isOnlyRequest(item)) event.preventDefault();
  });
}

/** Each has a save dialog, limited like other questions of the page. */
function isOnlyRequest(item: DownloadItem): boolean {
  try {
    const end = beginQuestion();
    item.once('done', (_event, state) => end(state === 'completed'));
    return true;
  } catch {
    return false;
  }
}

/** External links open in the system browser if they are https and the user agrees. */

/**
 * Shows the host in a native dialog, which no page can answer, and resolves with the answer.
 *
 * @throws ConnectionFailure `refused` for anything but a plain https address, and when questions are limited
 */
export async function openExternalLink(address: string): Promise<void> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.hostname.length > longestHost || url.username || url.password) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Only https links can be opened.');
  }
  // Opens the parsed address that was checked, not its source text.
  if (await askForPage(() => isAgreedTo(url))) await shell.openExternal(url.href);
}

const isAgreedTo = ({ host, href }: URL): Promise<boolean> =>
  confirmInDialog({
    message: say(/*i18n*/ 'Open {host} in the browser?', { host }),
    detail: href.length > longestShown ? `${href.slice(0, longestShown)}…` : href,
    yes: say(/*i18n*/ 'Open page'),
  });

/** In characters: a dialog grows with its text, and its buttons have to stay visible. */
const longestShown = 300;

/** Restrictions for all web contents: no navigation away from the console, no new windows, no embedding. */

export function lockContents(): void {
  app.on('web-contents-created', (_event, contents) => lock(contents));
}

function lock(contents: WebContents): void {
  contents.on('will-navigate', keepInConsole);
  contents.on('will-redirect', keepInConsole);
  contents.on('will-frame-navigate', (details) => {
    // The console has no frames, so a frame that navigates isn't its own.
    if (!details.isMainFrame) details.preventDefault();
    else keepInConsole(details);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // A refused link isn't reported: the console doesn't create such links.
    openExternalLink(url).catch(() => {});
    return { action: 'deny' };
  });
}

function keepInConsole(details: { url: string; preventDefault(): void }): void {
  if (!isConsoleUrl(details.url)) details.preventDefault();
}
