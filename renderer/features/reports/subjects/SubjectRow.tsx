import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Checkbox, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import type { Mark, ReportState } from '../../../../shared/team/entries.ts';
import { eventReportQuery } from '../../../api/reports/event-reports.ts';
import { reportSubjectQuery, type SubjectSummary, summaryOf } from '../../../api/reports/report-subjects.ts';
import { eventContent } from '../../../components/event/event-content.ts';
import { text } from '../../../components/event/read-json.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useServer } from '../../../console-context.ts';
import { excerptOf } from '../../../subjects/conversation/conversation-events.ts';
import { serverName } from '../../../transport/server-name.ts';
import { shortId } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { StateSign } from '../desk/Row.tsx';
import type { ReportGroup } from '../list/groups.ts';
import type { Grouping } from '../report-search.ts';
import { Severity } from '../Severity.tsx';
import classes from './SubjectList.module.css';

/** More than a person reads within an hour. */
const manyInAnHour = 20;
/** Minimum number of reports for the share of one reporter to be meaningful. */
const manyOnOne = 10;

/**
 * Detects floods of reports: many within an hour by one reporter, or most of a subject's by one user. `by` is that
 * user, unless the row is about them.
 */
function flooding(
  grouping: Grouping,
  { covered, reporters, mostInAnHour }: Pick<SubjectSummary, 'covered' | 'reporters' | 'mostInAnHour'>,
): { count: number; by: string | undefined } | undefined {
  if (grouping === 'reporter') {
    return mostInAnHour >= manyInAnHour ? { count: mostInAnHour, by: undefined } : undefined;
  }
  const [first] = reporters;
  if (!first || covered < manyOnOne || first.count < covered / 2) return undefined;
  return { count: first.count, by: first.id };
}

type Props = {
  subject: ReportGroup;
  isWhole: boolean;
  isUnfolded: boolean;
  selectedIds: ReadonlySet<number>;
  marks: ReadonlyMap<number, Mark>;
  onToggle: () => void;
  onSelect: (isSelected: boolean) => Promise<void>;
};

/** Scanned reports of the group, with which the others are selected. */
export const isAllSelected = ({ reports }: ReportGroup, selectedIds: ReadonlySet<number>) =>
  reports.every(({ id }) => selectedIds.has(id));

/** A reported subject or a reporter: number of reports and reporters, scores, and first and last time. */
export function SubjectRow({ subject, isWhole, isUnfolded, selectedIds, marks, ...props }: Props) {
  const server = useServer();
  const { data } = useQuery({
    ...reportSubjectQuery(server, subject.subject ?? { filter: {} }),
    enabled: subject.subject !== undefined && isWhole,
  });
  const summary = (isWhole && data) || summaryOfLooked(subject);
  const isKnown = Boolean(isWhole && data);
  const Chevron = isUnfolded ? IconChevronDown : IconChevronRight;
  const all = isAllSelected(subject, selectedIds);
  const some = all || (selectedIds.size > 0 && subject.reports.some(({ id }) => selectedIds.has(id)));
  const { state, reviewed } = useMemo(() => statesOf(subject, marks), [subject, marks]);
  const [selecting, setSelecting] = useState(false);

  async function select() {
    if (selecting) return;
    setSelecting(true);
    await props.onSelect(!all);
    setSelecting(false);
  }

  return (
    <div className={classes.group} data-selected={some || undefined} data-state={state}>
      <Checkbox
        size="xs"
        className={classes.select ?? ''}
        aria-label={i18n.t('Select group')}
        aria-busy={selecting}
        checked={all}
        indeterminate={some && !all}
        onChange={select}
      />
      <UnstyledButton
        className={classes.subject}
        data-subject={subject.key}
        aria-expanded={isUnfolded}
        onClick={props.onToggle}
      >
        <Chevron size={14} className={classes.chevron} aria-hidden />
        <span className={classes.state}>
          <StateSign state={state} />
        </span>
        <span className={classes.body}>
          <span className={classes.line}>
            <span className={classes.name} data-long>
              <SubjectName subject={subject} />
            </span>
            <span className={classes.count} data-known={isKnown || undefined}>
              {isWhole
                ? countOf(summary, isKnown)
                : i18n.t('{count, plural, one {# report} other {# reports}} found', {
                    count: summary.count,
                  })}
            </span>
          </span>
          <span className={classes.line}>
            <span className={classes.facts}>
              {subject.grouping === 'event' && (
                <>
                  <SentIn example={subject.example} />
                  {' · '}
                </>
              )}
              {subject.grouping === 'reporter'
                ? i18n.t('against {count, plural, one {# user} other {# users}}', {
                    count: summary.senders.length,
                  })
                : i18n.t('by {count, plural, one {# user} other {# users}}', {
                    count: summary.reporters.length,
                  })}
              {' · '}
              <Trans
                id="first <0/>, last <1/>"
                components={{
                  0: <RelativeTime timestamp={summary.first} />,
                  1: <RelativeTime timestamp={summary.last} />,
                }}
              />
              {reviewed > 0 && ` · ${i18n.t('{count, plural, other {# resolved}}', { count: reviewed })}`}
              {summary.covered < summary.count &&
                ` · ${i18n.t('users and score from newest {covered}', { covered: number(summary.covered) })}`}
            </span>
            <Severity score={summary.worst} />
          </span>
          <Flood subject={subject} summary={summary} />
        </span>
      </UnstyledButton>
    </div>
  );
}

/** Escalated if one of them is, open if one of them is; and the number of reviewed ones. */
function statesOf({ reports }: ReportGroup, marks: ReadonlyMap<number, Mark>) {
  let [reviewed, escalated] = [0, 0];
  for (const { id } of reports) {
    const state = marks.get(id)?.state;
    if (state === 'reviewed') reviewed++;
    else if (state === 'escalated') escalated++;
  }
  const rest: ReportState = reviewed === reports.length ? 'reviewed' : 'open';
  return { state: escalated > 0 ? 'escalated' : rest, reviewed } as const;
}

function countOf({ count, isComplete }: SubjectSummary, isKnown: boolean): string {
  if (!isKnown) return i18n.t('{count, plural, other {# scanned}}', { count });
  return isComplete
    ? i18n.t('{count, plural, one {# report} other {# reports}}', { count })
    : i18n.t('at least {count, plural, one {# report} other {# reports}}', { count });
}

/** Number of scanned reports, until the server has replied, or if only the console filters. */
function summaryOfLooked({ reports, example }: ReportGroup): SubjectSummary {
  const times = reports.map(({ received_ts }) => received_ts);
  return {
    ...summaryOf(reports),
    count: reports.length,
    isComplete: false,
    covered: reports.length,
    first: times.reduce((first, time) => Math.min(first, time), example.received_ts),
    last: times.reduce((last, time) => Math.max(last, time), example.received_ts),
  };
}

function SubjectName({ subject: { grouping, example } }: { subject: ReportGroup }) {
  const { connection } = useServer();
  const name = (id: string) => shortId(id, serverName(connection));
  const room = example.name ?? example.canonical_alias ?? example.room_id;
  switch (grouping) {
    case 'room':
      return <HazardText text={room} />;
    case 'reporter':
      return <HazardText text={name(example.user_id)} />;
    case 'sender':
      return <HazardText text={example.sender === null ? i18n.t('Unknown sender') : name(example.sender)} />;
    case 'event':
      return <Message example={example} />;
  }
}

/** The first line of a reported message; of other events, the type. */
function Message({ example }: { example: EventReportItem }) {
  const { data } = useQuery(eventReportQuery(useServer(), example.id));
  const content = data && eventContent(data.event_json);
  const words =
    excerptOf(data?.event_json) ??
    (content && 'media' in content ? content.media.name : text(data?.event_json.type));
  return <HazardText text={words ?? i18n.t('Message')} />;
}

/** The sender of a message, and its room. */
function SentIn({ example: { sender, name, canonical_alias, room_id } }: { example: EventReportItem }) {
  const { connection } = useServer();
  return (
    <>
      <HazardText
        text={sender === null ? i18n.t('unknown sender') : shortId(sender, serverName(connection))}
      />
      {' · '}
      <HazardText text={name ?? canonical_alias ?? room_id} />
    </>
  );
}

/**
 * Shows the number of reports by one user, if there are many. Not as a warning, since reporting a spam wave looks the
 * same.
 */
function Flood({ subject, summary }: { subject: ReportGroup; summary: SubjectSummary }) {
  const { connection } = useServer();
  const found = flooding(subject.grouping, summary);
  if (!found) return null;
  return (
    <span className={classes.flood}>
      {found.by === undefined
        ? i18n.t('{count} reports in an hour', { count: number(found.count) })
        : i18n.t('{count} of {of} by {who}', {
            count: number(found.count),
            of: number(summary.covered),
            who: shortId(found.by, serverName(connection)),
          })}
    </span>
  );
}
