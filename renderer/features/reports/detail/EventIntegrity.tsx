import { i18n } from '@lingui/core';
import { IconShieldCheck, IconShieldQuestion, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import type { HashCheck, SignatureCheck } from '../../../../shared/event-verification.ts';
import { eventVerificationQuery } from '../../../api/event-verification.ts';
import { useServer } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import classes from './EventIntegrity.module.css';

type Verdict = 'holds' | 'differs' | 'unknown';
type Finding = { verdict: Verdict; sentence: string };

const icons = { holds: IconShieldCheck, differs: IconShieldX, unknown: IconShieldQuestion };

/** Says in a line each whether the event's hash and signature hold, or honestly that nobody can tell. */
export function EventIntegrity({ report }: { report: EventReportDetail }) {
  const server = useServer();
  const { data, error } = useQuery(eventVerificationQuery(server, report.id, report.event_json));
  const findings: Finding[] = data
    ? [hashFinding(data.hash), signatureFinding(data.signature)]
    : error
      ? [
          {
            verdict: 'unknown',
            sentence: i18n.t("Couldn't check hash and signature: {why}", {
              why: failureSentence(error),
            }),
          },
        ]
      : [{ verdict: 'unknown', sentence: i18n.t('Checking hash and signature…') }];
  return (
    <ul className={classes.list} aria-label={i18n.t('Hash and signature')}>
      {findings.map(({ verdict, sentence }) => {
        const Icon = icons[verdict];
        return (
          <li key={sentence} className={classes.finding} data-verdict={verdict}>
            <Icon size={15} stroke={1.7} aria-hidden />
            {sentence}
          </li>
        );
      })}
    </ul>
  );
}

function hashFinding(check: HashCheck): Finding {
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

function signatureFinding(check: SignatureCheck): Finding {
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
