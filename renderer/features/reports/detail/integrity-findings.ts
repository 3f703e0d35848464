/** Results of checking an event's hash and signature, as sentences. */
import { i18n } from '@lingui/core';
import type { HashCheck, SignatureCheck } from '../../../../shared/event-verification.ts';

export type Finding = { verdict: 'holds' | 'differs' | 'unknown'; sentence: string };

/** Says whether the content hash is valid. */
export function hashFinding(check: HashCheck): Finding {
  switch (check.result) {
    case 'holds':
      return { verdict: 'holds', sentence: i18n.t('Hash matches the content.') };
    case 'differs':
      return {
        verdict: 'differs',
        sentence: i18n.t('Hash mismatch: content changed or truncated.'),
      };
    case 'redacted':
      return { verdict: 'unknown', sentence: i18n.t("Redacted, so the hash can't be checked.") };
    case 'impossible':
      return {
        verdict: 'unknown',
        sentence: i18n.t("Can't check hash: {why}.", { why: i18n.t(check.why, check.values) }),
      };
  }
}

/** Says whether the signature is valid. */
export function signatureFinding(check: SignatureCheck): Finding {
  switch (check.result) {
    case 'holds':
      return {
        verdict: 'holds',
        sentence: i18n.t('Valid signature by {server} ({keyId}).', {
          server: check.server,
          keyId: check.keyId,
        }),
      };
    case 'differs':
      return {
        verdict: 'differs',
        sentence: i18n.t('Invalid signature by {server} ({keyId}).', {
          server: check.server,
          keyId: check.keyId,
        }),
      };
    case 'key_not_held':
      return {
        verdict: 'unknown',
        sentence: i18n.t('Signed by {server}. Not checked: signing key unavailable.', {
          server: check.server,
        }),
      };
    case 'impossible':
      return {
        verdict: 'unknown',
        sentence: i18n.t("Can't check signature: {why}.", { why: i18n.t(check.why, check.values) }),
      };
  }
}
