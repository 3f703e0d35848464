/** Chromium's sandbox: what servers and strangers send is shown in it, and nowhere else. */
import { app } from 'electron';
import { say } from '../words.ts';

/** @throws Error where the app was started without it, as an AppImage is on systems that let it have none */
export function requireSandbox(): void {
  if (!app.commandLine.hasSwitch('no-sandbox')) return;
  throw new Error(
    say(
      /*i18n*/ "Gatehouse can't start without the Chromium sandbox, which protects this computer from untrusted content. If AppImages can't use it, install the distribution package.",
    ),
  );
}
