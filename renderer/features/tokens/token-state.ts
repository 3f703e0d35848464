import { i18n } from '@lingui/core';
import type { RegistrationToken } from '../../api/registration-tokens.ts';

export type TokenState = 'valid' | 'used' | 'expired';

/** Whether one more person can register with it, at a time in milliseconds since the Unix epoch. */
export function stateOf(token: RegistrationToken, now: number): TokenState {
  const { uses_allowed: allowed, pending, completed, expiry_time: expiry } = token;
  if (expiry !== null && expiry <= now) return 'expired';
  return allowed !== null && completed + pending >= allowed ? 'used' : 'valid';
}

export const stateName = (state: TokenState): string =>
  state === 'valid' ? i18n.t('Valid') : state === 'used' ? i18n.t('Used up') : i18n.t('Expired');
