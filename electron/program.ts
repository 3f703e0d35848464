/** Determines the executable that starts this app again. */
import { app } from 'electron';
import { appImage } from './updates/app-image.ts';

/**
 * The portable Windows executable that this app was unpacked from; undefined if installed. Child processes of such a
 * program inherit its variables, so the path has to be this app's.
 */
export function portableProgram(): string | undefined {
  const { PORTABLE_EXECUTABLE_FILE: file, PORTABLE_EXECUTABLE_APP_FILENAME: name } = process.env;
  return app.isPackaged && name?.toLowerCase() === app.getName().toLowerCase() ? file : undefined;
}

/** AppImages and portable executables delete their unpacked files on exit: only the file itself can be started. */
export const program = (): string => (appImage() ?? portableProgram()) || process.execPath;
