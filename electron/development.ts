/** While the app is worked on: its console comes from a server that knows of changes, and windows follow them. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { app, BrowserWindow, net, protocol } from 'electron';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { isConsoleUrl, scheme } from './window/protocol.ts';

/** Where the console is served while it is worked on; an app that is installed has its own and no other. */
export const developedAt = (): string | undefined =>
  app.isPackaged ? undefined : app.commandLine.getSwitchValue('console-from') || undefined;

/** In the place of the built console. */
export function serveDevelopedConsole(address: string): void {
  const { host } = new URL(address);
  // What follows changes is a script in the page, and hears of them from that server.
  const policy = contentSecurityPolicy("'self'")
    .replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", `connect-src 'self' ws://${host} http://${host}`);
  protocol.handle(scheme, async ({ method, url }) => {
    if (method !== 'GET' || !isConsoleUrl(url)) return new Response(null, { status: 404 });
    const { pathname, search } = new URL(url);
    const reply = await net.fetch(address + pathname + search);
    const headers = new Headers(reply.headers);
    headers.set('content-security-policy', policy);
    return new Response(reply.body, { status: reply.status, headers });
  });
}

const settledAfterMs = 300;

/** A window has its preload script from when it was loaded: it is loaded again when there is another. */
export function reloadWithPreload(preload: string): void {
  let settled: NodeJS.Timeout | undefined;
  watch(dirname(preload), (_event, name) => {
    if (name !== basename(preload)) return;
    clearTimeout(settled);
    settled = setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.reload();
    }, settledAfterMs);
  });
}
