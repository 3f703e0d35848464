/** Chromium's sandbox: what servers and strangers send is shown in it, and nowhere else. */
import { app } from 'electron';
import { say } from './words.ts';

/** @throws Error where the app was started without it, as an AppImage is on systems that let it have none */
export function requireSandbox(): void {
  if (!app.commandLine.hasSwitch('no-sandbox')) return;
  throw new Error(
    say(
      /*i18n*/ 'It was started without a sandbox, which keeps what others send away from this machine. Where the system gives an AppImage none, install the package for its package manager.',
    ),
  );
}
