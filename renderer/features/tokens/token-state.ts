import { i18n } from '@lingui/core';
import type { RegistrationToken } from '../../api/registration-tokens.ts';

export type TokenState = 'valid' | 'used' | 'expired' | 'revoked';

/** Whether one more person can register with it, at a time in milliseconds since the Unix epoch. */
export function stateOf(token: RegistrationToken, now: number): TokenState {
  const { uses_allowed: allowed, pending, completed, expiry_time: expiry } = token;
  if (token.mas?.revoked) return 'revoked';
  if (expiry !== null && expiry <= now) return 'expired';
  return allowed !== null && completed + pending >= allowed ? 'used' : 'valid';
}

export function stateName(state: TokenState): string {
  switch (state) {
    case 'valid':
      return i18n.t('Valid');
    case 'used':
      return i18n.t('Used up');
    case 'expired':
      return i18n.t('Expired');
    case 'revoked':
      return i18n.t('Revoked');
  }
}
