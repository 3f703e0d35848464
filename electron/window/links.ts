/** `gatehouse://` links: another program or a page in a browser opens something in the app. */
import { app, dialog } from 'electron';
import type { Connection } from '../../shared/connection.ts';
import { type LinkTarget, linkAmong, linkScheme, readLink } from '../../shared/link.ts';
import { plainServerName } from '../../shared/plain-server-name.ts';
import { program } from '../program.ts';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';

type LinkOptions = {
  connections(): Connection[];
  show(connectionId: string, shown: LinkTarget): void;
};

/** Links that arrive before the app is ready: the event may be the first of all, and a second start may follow. */
let early: string | undefined;
let receive = (link: string) => {
  early = link;
};

/** Called before the app is ready. */
export function listenForLinks(): void {
  app.on('open-url', (event, link) => {
    event.preventDefault();
    receive(link);
  });
  app.on('second-instance', (_event, argv) => takeFrom(argv));
}

/** Opens the link that the app was started with, and later ones. */
export function followLinks(options: LinkOptions): void {
  // The development app doesn't register for links of the installed one.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, program(), ['--']);
  let isShowing = false;
  receive = (text) => {
    // The reopened app opens it.
    if (isQuitting()) return;
    const problem = followed(text, options);
    // Many links from a page must not open many windows.
    if (problem === undefined || isShowing) return;
    isShowing = true;
    void dialog
      .showMessageBox({ type: 'info', message: problem, buttons: [say(/*i18n*/ 'Close')] })
      .finally(() => {
        isShowing = false;
      });
  };
  takeFrom(process.argv);
  if (early !== undefined) receive(early);
}

function takeFrom(argv: readonly string[]): void {
  const link = linkAmong(argv);
  if (link !== undefined) receive(link);
}

/** Message for links that can't be opened. */
function followed(text: string, { connections, show }: LinkOptions): string | undefined {
  const link = readLink(text);
  if (!link) return say(/*i18n*/ "Gatehouse can't open this link.");
  const connection = findServer(connections(), link.server);
  if (!connection) {
    return say(/*i18n*/ "This link opens {server}. You're not signed in there.", {
      server: link.server,
    });
  }
  show(connection.id, link.shown);
  return undefined;
}

/** By connection name first, because another connection may have that name as its address. */
const findServer = (connections: readonly Connection[], server: string) =>
  connections.find((connection) => plainServerName(connection).toLowerCase() === server) ??
  connections.find(({ baseUrl }) => new URL(baseUrl).host === server);
