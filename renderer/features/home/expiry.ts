/** Whether signing keys and certificate must be renewed. All times in milliseconds since the Unix epoch. */

/** Below this remaining validity, remote servers may soon reject the key. */
const keyWarningMs = 60 * 60_000;
/** Automatic renewal happens well before this. */
const renewalMs = 14 * 24 * 60 * 60_000;

export const isKeyExpiring = (validUntil: number, now: number): boolean => validUntil < now + keyWarningMs;

export const certificateState = (end: number, now: number): 'valid' | 'expiring' | 'expired' =>
  end < now ? 'expired' : end < now + renewalMs ? 'expiring' : 'valid';
