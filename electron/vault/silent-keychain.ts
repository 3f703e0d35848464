/** A keychain may wait for a person who sees nothing of it, or never answer: no window would open, and nobody know why. */
import { app, dialog } from 'electron';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';
import { type Keychain, systemKeychain } from './keychain.ts';
import { openVault, type Vault } from './vault.ts';

const answersWithinMs = 20_000;
const without = 0;

/** The vault as the keychain opens it; as with a locked one where the person does not want to wait any longer. */
export function openPatiently(path: string): Promise<Vault> {
  const answered = new AbortController();
  let isWithout = false;
  /** What it says when it was given up leaves the vault as it is: nobody would hear that it can't be read. */
  const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer | 'locked'> => {
    const [said] = await Promise.allSettled([answer]);
    if (isWithout) return 'locked';
    if (said.status === 'rejected') throw said.reason;
    return said.value;
  };
  const keychain: Keychain = {
    ...systemKeychain,
    state: () => inTime(systemKeychain.state()),
    decrypt: (encrypted) => inTime(systemKeychain.decrypt(encrypted)),
  };
  const opened = openVault(path, keychain).finally(() => answered.abort());
  const given = isGivenUp(answered.signal).then((isSo) => {
    isWithout = isSo;
    return isSo ? openWithout(path) : opened;
  });
  return Promise.race([opened, given]);
}

const openWithout = (path: string) => openVault(path, { ...systemKeychain, state: async () => 'locked' });

async function isGivenUp(signal: AbortSignal): Promise<boolean> {
  await untilMissed(signal);
  if (signal.aborted || isQuitting()) return false;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: say(/*i18n*/ "The system keychain isn't responding"),
    detail: say(
      /*i18n*/ 'Gatehouse stores sessions in the keychain. Unlock it to continue, or sign in again until you quit. Saved sessions are kept.',
    ),
    buttons: [say(/*i18n*/ 'Continue without keychain'), say(/*i18n*/ 'Quit Gatehouse')],
    defaultId: without,
    cancelId: without,
    noLink: true,
    signal,
  });
  if (signal.aborted) return false;
  if (response !== without) app.quit();
  return response === without;
}

/** Resolves when the person may miss the app, or when nobody has to wait any more. */
async function untilMissed(answered: AbortSignal): Promise<void> {
  const missed = Promise.withResolvers<void>();
  const miss = () => missed.resolve();
  const timer = setTimeout(miss, answersWithinMs);
  // Who sees nothing of it starts it again.
  app.once('second-instance', miss);
  answered.addEventListener('abort', miss);
  await missed.promise;
  clearTimeout(timer);
  app.off('second-instance', miss);
}
