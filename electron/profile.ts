/** The folder of the app's own data. */
import { join, resolve } from 'node:path';
import { app } from 'electron';

/** Has to be called before anything is kept or locked. What is being worked on has a profile apart from what is used. */
export function chooseProfile(): void {
  // As the installer names it: Windows shows notifications of programs that it knows by their name alone.
  if (process.platform === 'win32') app.setAppUserModelId('io.gatehouse.app');
  const given = app.commandLine.getSwitchValue('user-data-dir');
  if (given) app.setPath('userData', resolve(given));
  else if (!app.isPackaged) app.setPath('userData', join(app.getPath('appData'), 'Gatehouse Development'));
}
