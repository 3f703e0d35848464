/** Links that lead out of the app open in the system's browser, and only where they are https. */
import { shell } from 'electron';
import { ConnectionFailure } from '../shared/connection.ts';

/** @throws ConnectionFailure `refused` for anything but a plain https address */
export async function openExternalLink(address: string): Promise<void> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username || url.password) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Only https addresses are opened.');
  }
  // What was checked is what is opened: the parsed address, not the text that it came from.
  await shell.openExternal(url.href);
}
