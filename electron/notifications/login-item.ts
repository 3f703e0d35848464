/** Start at login, as stored by the system. Users can change it there, so it is read each time. */
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import { writeFileAtomically } from '../atomic-file.ts';
import { program } from '../program.ts';

/** Argument at login: with background mode on, no window opens. */
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

/** An app may be moved or updated, so the path of the running one is stored. */
export function renewLoginItem(): void {
  if (process.platform === 'linux' && startsAtLogin()) setStartsAtLogin(true);
}

/** Desktops disable an entry with a line in it. */
function isSwitchedOn(path: string): boolean {
  try {
    const entry = readFileSync(path, 'utf8');
    return !/^(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/im.test(entry);
  } catch {
    return false;
  }
}

/** Electron doesn't support this on Linux. The development app has its own entry. */
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

/** Quoted twice as the Desktop Entry Specification requires: for the command, and for the value. */
function quoted(argument: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would begin another entry
  if (/[\u0000-\u001f]/.test(argument))
    throw new Error(`Nothing can be started from ${JSON.stringify(argument)}`);
  const command = `"${argument.replaceAll(/["`$\\]/g, '\\$&')}"`;
  return command.replaceAll('\\', '\\\\').replaceAll('%', '%%');
}
