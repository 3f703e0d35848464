/** `gatehouse://` links: another program, or a page in a browser, asks the app to show something. */
import { app, dialog } from 'electron';
import type { Connection } from '../../shared/connection.ts';
import { linkAmong, linkScheme, readLink, type Shown } from '../../shared/link.ts';
import { plainServerName } from '../../shared/plain-server-name.ts';
import { program } from '../program.ts';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';

type LinkOptions = {
  connections(): Connection[];
  show(connectionId: string, shown: Shown): void;
};

/** What came before the app was ready: an event may be the first of all, and a second start may follow at once. */
let early: string | undefined;
let receive = (link: string) => {
  early = link;
};

/** Has to be called before the app is ready. */
export function listenForLinks(): void {
  app.on('open-url', (event, link) => {
    event.preventDefault();
    receive(link);
  });
  app.on('second-instance', (_event, argv) => takeFrom(argv));
}

/** Follows the link that the app was started with, and those that come later. */
export function followLinks(options: LinkOptions): void {
  // What is being worked on must not take the links of what is used.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme, program(), ['--']);
  let isTelling = false;
  receive = (text) => {
    // The app that opens again afterwards follows it.
    if (isQuitting()) return;
    const problem = followed(text, options);
    // A page that gives many of them must not bury the person in windows.
    if (problem === undefined || isTelling) return;
    isTelling = true;
    void dialog
      .showMessageBox({ type: 'info', message: problem, buttons: [say(/*i18n*/ 'Close')] })
      .finally(() => {
        isTelling = false;
      });
  };
  takeFrom(process.argv);
  if (early !== undefined) receive(early);
}

function takeFrom(argv: readonly string[]): void {
  const link = linkAmong(argv);
  if (link !== undefined) receive(link);
}

/** What there is to say where nothing is shown. */
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

/** By its name first: its address may be that of another one's name. */
const findServer = (connections: readonly Connection[], server: string) =>
  connections.find((connection) => plainServerName(connection).toLowerCase() === server) ??
  connections.find(({ baseUrl }) => new URL(baseUrl).host === server);
