/** What starts this app once it has ended. */
import { app } from 'electron';
import { appImage } from './updates/app-image.ts';

/**
 * The file of a portable program for Windows that this app was unpacked from; undefined where it was installed. Whatever
 * is started from such a program, a terminal for example, says the same to what it starts: so it has to be this app's.
 */
export function portableProgram(): string | undefined {
  const { PORTABLE_EXECUTABLE_FILE: file, PORTABLE_EXECUTABLE_APP_FILENAME: name } = process.env;
  return app.isPackaged && name?.toLowerCase() === app.getName().toLowerCase() ? file : undefined;
}

/** What an AppImage and a portable program unpack is gone when they end: the file that holds it is what can be started. */
export const program = (): string => (appImage() ?? portableProgram()) || process.execPath;
