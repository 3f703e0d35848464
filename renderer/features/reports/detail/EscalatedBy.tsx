import { Trans } from '@lingui/react';
import { IconUrgent } from '@tabler/icons-react';
import { FoldedText } from '../../../components/FoldedText.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { shortId } from '../../../components/short-id.ts';
import { useServer } from '../../../console-context.ts';
import type { ReportKind } from '../../../team/entries.ts';
import { useMarks, useTeam } from '../../../team/use-team.ts';
import { serverName } from '../../../transport/server-name.ts';
import classes from './ReportDetail.module.css';

/** Says who escalated a report, when and why; nothing where it isn't escalated. */
export function EscalatedBy({ reportId, of = 'report' }: { reportId: number; of?: ReportKind }) {
  const { connection } = useServer();
  const team = useTeam();
  const mark = useMarks(of).get(reportId);
  if (mark?.state !== 'escalated') return null;
  const reason = team
    .timeline({ kind: of, id: reportId })
    .find((entry) => entry.type === 'note' && entry.escalation && entry.by === mark.by);
  return (
    <aside className={classes.escalated}>
      <IconUrgent size={16} stroke={1.7} aria-hidden />
      <div>
        <strong>
          <Trans
            id="Escalated by <0/>, <1/>"
            components={{
              0: <HazardText text={shortId(mark.by, serverName(connection))} />,
              1: <RelativeTime timestamp={mark.at} long />,
            }}
          />
        </strong>
        {reason?.type === 'note' && (
          <FoldedText text={reason.text}>
            {(shown) => (
              <p dir="auto">
                <HazardText text={shown} />
              </p>
            )}
          </FoldedText>
        )}
      </div>
    </aside>
  );
}
