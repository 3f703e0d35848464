import { i18n } from '@lingui/core';
import { IconShieldCheck, IconShieldQuestion, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { eventVerificationQuery } from '../../../api/event-verification.ts';
import { useServer } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import classes from './EventIntegrity.module.css';
import { type Finding, hashFinding, signatureFinding } from './integrity-findings.ts';

const icons = { holds: IconShieldCheck, differs: IconShieldX, unknown: IconShieldQuestion };

/** Shows whether the event's hash and signature are valid or can't be checked. */
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
  return <FindingList findings={findings} />;
}

export function FindingList({ findings }: { findings: readonly Finding[] }) {
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
