/** The folder of the app's own data. */
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { endWithFault } from './fault.ts';
import { requireFolder } from './profile-file.ts';

/**
 * Has to be called before anything is kept or locked. What is being worked on has a profile apart from what is used.
 *
 * @returns whether there is one; without it the app ends, and has said why
 */
export function chooseProfile(): boolean {
  // As the installer names it: Windows shows notifications of programs that it knows by their name alone.
  if (process.platform === 'win32') app.setAppUserModelId('io.gatehouse.app');
  const given = app.commandLine.getSwitchValue('user-data-dir');
  if (given) app.setPath('userData', resolve(given));
  else if (!app.isPackaged) app.setPath('userData', join(app.getPath('appData'), 'Gatehouse Development'));
  try {
    // The lock is kept there, too: without it this would pass for a second start, and end without a word.
    requireFolder(app.getPath('userData'));
    return true;
  } catch (error) {
    endWithFault(error);
    return false;
  }
}
