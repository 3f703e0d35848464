/** The app's data folder. */
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { endWithFault } from './fault.ts';
import { requireFolder } from './profile-file.ts';

/**
 * Called before anything is saved or locked. The development app has its own profile.
 *
 * @returns false if the folder can't be created: the app has reported that and exits
 */
export function chooseProfile(): boolean {
  // The installer's ID: Windows only shows notifications of known apps.
  if (process.platform === 'win32') app.setAppUserModelId('io.gatehouse.app');
  const given = app.commandLine.getSwitchValue('user-data-dir');
  if (given) app.setPath('userData', resolve(given));
  else if (!app.isPackaged) app.setPath('userData', join(app.getPath('appData'), 'Gatehouse Development'));
  try {
    // The single-instance lock is there too: without the folder, this would look like a second start and exit
    // silently.
    requireFolder(app.getPath('userData'));
    return true;
  } catch (error) {
    endWithFault(error);
    return false;
  }
}
