import { IconShieldCheck, IconShieldQuestion, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/event-reports.ts';
import type { HashCheck, SignatureCheck } from '../../../../shared/event-verification.ts';
import { eventVerificationQuery } from '../../../api/event-verification.ts';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { useServer } from '../../../console-context.ts';
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
            sentence: `Hash and signature could not be checked: ${failureSentence(error)}`,
          },
        ]
      : [{ verdict: 'unknown', sentence: 'Checking hash and signature…' }];
  return (
    <ul className={classes.list} aria-label="Hash and signature">
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
      return { verdict: 'holds', sentence: 'The content is what its hash says.' };
    case 'differs':
      return {
        verdict: 'differs',
        sentence: 'The content is not what its hash says: it was changed or cut.',
      };
    case 'redacted':
      return { verdict: 'unknown', sentence: 'Redacted: what its hash was made of is gone.' };
    case 'impossible':
      return { verdict: 'unknown', sentence: `The hash cannot be checked: ${check.why}.` };
  }
}

function signatureFinding(check: SignatureCheck): Finding {
  switch (check.result) {
    case 'holds':
      return {
        verdict: 'holds',
        sentence: `Signed by ${check.server} with ${check.keyId}: the signature holds.`,
      };
    case 'differs':
      return {
        verdict: 'differs',
        sentence: `The signature of ${check.server} with ${check.keyId} does not fit this event.`,
      };
    case 'key_not_held':
      return {
        verdict: 'unknown',
        sentence: `Signed by ${check.server}, whose key this server doesn't hold: not checked.`,
      };
    case 'impossible':
      return { verdict: 'unknown', sentence: `The signature cannot be checked: ${check.why}.` };
  }
}
