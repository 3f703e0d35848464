/** What no content of the app can do, whichever window it is in: leave the console, open windows, embed. */
import { app, type WebContents } from 'electron';
import { isConsoleUrl } from './console-address.ts';
import { openExternalLink } from './external-links.ts';

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
