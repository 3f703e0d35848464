/** What the page may use of the machine: to put text on the clipboard, nothing else. */
import type { DownloadItem, Session } from 'electron';
import { isConsoleUrl } from './console-address.ts';
import { beginQuestion } from './page-questions.ts';

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
