/** Starting at login, as the system keeps it: a person can change it there as well, so it is asked for each time. */
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { writeFileAtomically } from '../atomic-file.ts';
import { program } from '../program.ts';

/** Given at login: whoever lets the app run on without its window wants none then. */
const atLogin = '--at-login';

export const wasStartedAtLogin = (): boolean =>
  process.argv.includes(atLogin) ||
  (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);

export function startsAtLogin(): boolean {
  if (process.platform === 'linux') return isSwitchedOn(autostartFile());
  return app.getLoginItemSettings(item()).openAtLogin;
}

export function setStartsAtLogin(starts: boolean): void {
  if (process.platform !== 'linux') app.setLoginItemSettings({ openAtLogin: starts, ...item() });
  else if (starts) writeFileAtomically(autostartFile(), autostartEntry());
  else rmSync(autostartFile(), { force: true });
}

const item = () => ({ path: program(), args: [atLogin] });

/** An app that was moved is in another place, and so may be an update: what runs now is started. */
export function renewLoginItem(): void {
  if (process.platform === 'linux' && startsAtLogin()) setStartsAtLogin(true);
}

/** A desktop's own settings switch an entry off by a line in it. */
function isSwitchedOn(path: string): boolean {
  try {
    const entry = readFileSync(path, 'utf8');
    return !/^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(entry);
  } catch {
    return false;
  }
}

/** Electron doesn't do it on Linux. What is being worked on has an entry apart from what is used. */
function autostartFile(): string {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const name = app.isPackaged ? 'gatehouse' : 'gatehouse-development';
  return join(folder, 'autostart', `${name}.desktop`);
}

function autostartEntry(): string {
  const command = [program(), ...(app.isPackaged ? [] : [app.getAppPath()])].map(quoted);
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Gatehouse',
    `Exec=${[...command, atLogin].join(' ')}`,
    'Terminal=false',
    '',
  ].join('\n');
}

/** As the Desktop Entry Specification has arguments quoted, twice: for the command, and for a value in the file. */
function quoted(argument: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line's end would begin another entry
  if (/[\u0000-\u001f]/.test(argument))
    throw new Error(`Nothing can be started from ${JSON.stringify(argument)}`);
  const command = `"${argument.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return command.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
