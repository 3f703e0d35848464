/** The app's settings: most in a file of the profile, some in the system. */
import { Value } from 'typebox/value';
import { ConnectionFailure } from '../../shared/connection.ts';
import { DesktopSettings, nothingChosen } from '../../shared/desktop-settings.ts';
import { jsonFile } from '../json-file.ts';
import { log } from '../log.ts';
import { renewLoginItem, setStartsAtLogin, startsAtLogin } from './login-item.ts';

export type Settings = ReturnType<typeof openSettings>;

export function openSettings(path: string) {
  const kept = jsonFile(path, DesktopSettings, nothingChosen);
  const read = (): DesktopSettings => ({ ...kept.read(), startsAtLogin: startsAtLogin() });
  /** The return value has the current state. */
  const tryToSet = (set: () => void) => {
    try {
      set();
    } catch (error) {
      log.warn("settings: couldn't set start at login:", error);
    }
  };
  tryToSet(renewLoginItem);
  return {
    read,

    write(settings: DesktopSettings): DesktopSettings {
      if (settings.startsAtLogin !== startsAtLogin()) {
        tryToSet(() => setStartsAtLogin(settings.startsAtLogin));
      }
      // Unknown fields would be kept forever.
      kept.write(Value.Clean(DesktopSettings, { ...settings }) as DesktopSettings);
      return read();
    },

    /** @throws ConnectionFailure `refused` if the change couldn't be saved and lasts until the app exits */
    requireKept(): void {
      const fault = kept.fault();
      if (fault === undefined) return;
      throw new ConnectionFailure(
        'refused',
        /*i18n*/ "Couldn't save this setting ({reason}). It lasts until you quit. Free up disk space and retry.",
        { reason: fault instanceof Error ? fault.message : String(fault) },
      );
    },
  };
}
