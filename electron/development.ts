/** Development mode: the console comes from a dev server, and windows reload on changes. */
import { watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { app, BrowserWindow, net, protocol } from 'electron';
import { contentSecurityPolicy } from '../shared/content-security-policy.ts';
import { isConsoleUrl, scheme } from './window/protocol.ts';

/** URL of the development console; installed apps ignore it. */
export const developedAt = (): string | undefined =>
  app.isPackaged ? undefined : app.commandLine.getSwitchValue('console-from') || undefined;

/** Instead of the built console. */
export function serveDevelopedConsole(address: string): void {
  const { host } = new URL(address);
  // The page's reload script connects to that server.
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

/** Windows keep the preload script they were loaded with, so they reload when it changes. */
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
