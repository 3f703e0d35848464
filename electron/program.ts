/** What starts this app once it has ended. */
import { app } from 'electron';
import { appImage } from './app-image.ts';

/** What an AppImage and a portable program unpack is gone when they end: the file that holds it is what can be started. */
export const program = (): string =>
  (appImage() ?? (app.isPackaged && process.env.PORTABLE_EXECUTABLE_FILE)) || process.execPath;
