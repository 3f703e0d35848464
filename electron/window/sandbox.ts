/** Requires Chromium's sandbox, because content from servers and strangers is displayed. */
import { app } from 'electron';
import { say } from '../words.ts';

/** @throws Error if the app runs without it, as AppImages do on systems that don't allow it */
export function requireSandbox(): void {
  if (!app.commandLine.hasSwitch('no-sandbox')) return;
  throw new Error(
    say(
      /*i18n*/ "Gatehouse can't start without the Chromium sandbox, which protects this computer from untrusted content. If AppImages can't use it, install the distribution package.",
    ),
  );
}
