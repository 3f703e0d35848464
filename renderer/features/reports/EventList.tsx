import { i18n } from '@lingui/core';
import { useQueries } from '@tanstack/react-query';
import { type ComponentProps, lazy, Suspense, useMemo } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { actedOnReports, type Reported } from '../../actions/acted-on-reports.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { eventReportQuery } from '../../api/event-reports.ts';
import { useServer } from '../../console-context.ts';
import { ReportList } from './desk/ReportList.tsx';
import { ReportListSkeleton } from './desk/Row.tsx';
import classes from './desk/SelectionBar.module.css';
import { SelectionBar } from './desk/SelectionBar.tsx';
import type { ReportDesk } from './desk/use-report-desk.ts';
import { ReportRow } from './ReportRow.tsx';
import { isWhole, type ReportSearch } from './report-search.ts';
import { wordsOf } from './rows/sieve.ts';
import type { ReportListState } from './rows/use-report-list.ts';
import { SoughtWords } from './SoughtWords.tsx';
import type { Subject } from './subjects/subjects.ts';

const SubjectList = lazy(async () => ({ default: (await import('./subjects/SubjectList.tsx')).SubjectList }));

type EventListProps = {
  list: ReportListState;
  search: ReportSearch;
  desk: ReportDesk<EventReportItem>;
  onChange: (changes: Partial<ReportSearch>) => void;
  onSelectGroup: (subject: Subject, isSelected: boolean) => Promise<void>;
};

/** The reports one by one or in groups, with the words in them that were searched for. */
export function EventList({ list, search, desk, onChange, onSelectGroup }: EventListProps) {
  const { selection } = desk;
  const messages = list.messages.read;
  const words = useMemo(() => wordsOf(search.text), [search.text]);
  const sought = useMemo(() => (words.length > 0 ? { words, messages } : undefined), [words, messages]);
  return (
    <SoughtWords value={sought}>
      {list.subjects ? (
        <Suspense fallback={<ReportListSkeleton />}>
          <SubjectList
            name={desk.list.name}
            subjects={list.subjects}
            isWhole={isWhole(search)}
            asked={list.areGroupsAsked ? list.dir : undefined}
            currentId={search.report}
            selectedIds={selection.selected}
            marks={desk.marks}
            listRef={desk.keepList}
            onPress={selection.press}
            onSelect={selection.set}
            onSelectGroup={onSelectGroup}
            onChange={onChange}
            onHold={list.standing.hold}
          />
        </Suspense>
      ) : (
        <ReportList key={desk.list.name} {...desk.list} Row={ReportRow} />
      )}
    </SoughtWords>
  );
}

/** A list holds no messages: those of so many are read for the media in them. */
const mostRead = 50;

type Props = Omit<ComponentProps<typeof SelectionBar>, 'children'> & {
  reports: readonly Reported[];
  onActed: (how: { reviewed: boolean }) => void;
};

/** What can be done with the reports that are selected, and with their events, senders, rooms and media. */
export function EventSelection({ reports, onActed, ...props }: Props) {
  const server = useServer();
  const isTooMany = reports.length > mostRead;
  const whole = useQueries({
    queries: isTooMany ? [] : reports.map(({ id }) => eventReportQuery(server, id)),
    combine: (results) => results.map(({ data }) => data),
  });
  return (
    <SelectionBar {...props}>
      <ActionBar
        on={actedOnReports(reports.map((report, index) => whole[index] ?? report))}
        onActed={onActed}
      />
      {isTooMany && (
        <p className={classes.note}>
          {i18n.t('Media actions cover up to {mostRead} reports.', { mostRead })}
        </p>
      )}
    </SelectionBar>
  );
}
