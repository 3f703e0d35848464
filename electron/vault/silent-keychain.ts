/** A keychain may wait for a hidden prompt or never respond: then no window would open, without explanation. */
import { app, dialog } from 'electron';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';
import { type Keychain, systemKeychain } from './keychain.ts';
import { openVault, type Vault } from './vault.ts';

const answersWithinMs = 20_000;
const without = 0;

/** Opens the vault with the keychain; as with a locked one if the user doesn't want to wait any longer. */
export function openPatiently(path: string): Promise<Vault> {
  const answered = new AbortController();
  let isWithout = false;
  /** A late reply doesn't change the vault, because a failure could no longer be reported. */
  const inTime = async <Answer>(answer: Promise<Answer>): Promise<Answer | 'locked'> => {
    const [result] = await Promise.allSettled([answer]);
    if (isWithout) return 'locked';
    if (result.status === 'rejected') throw result.reason;
    return result.value;
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

/** Resolves when the user may notice the delay, or when the wait has ended. */
async function untilMissed(answered: AbortSignal): Promise<void> {
  const missed = Promise.withResolvers<void>();
  const miss = () => missed.resolve();
  const timer = setTimeout(miss, answersWithinMs);
  // A user who sees nothing starts the app again.
  app.once('second-instance', miss);
  answered.addEventListener('abort', miss);
  await missed.promise;
  clearTimeout(timer);
  app.off('second-instance', miss);
}
