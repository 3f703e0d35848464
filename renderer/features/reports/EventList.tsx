import { lazy, Suspense, useMemo } from 'react';
import type { EventReportItem } from '../../../shared/api/reports.ts';
import { ReportList } from './desk/ReportList.tsx';
import { ReportListSkeleton } from './desk/ReportListSkeleton.tsx';
import type { ReportDesk } from './desk/use-report-desk.ts';
import { isWhole } from './narrowing.ts';
import { ReportRow } from './ReportRow.tsx';
import type { ReportSearch } from './report-search.ts';
import { wordsOf } from './rows/sieve.ts';
import type { ReportListState } from './rows/use-report-list.ts';
import { SoughtWords } from './SoughtWords.tsx';
import type { Subject } from './subjects/subjects.ts';

const SubjectList = lazy(async () => ({ default: (await import('./subjects/SubjectList.tsx')).SubjectList }));

type Props = {
  list: ReportListState;
  search: ReportSearch;
  desk: ReportDesk<EventReportItem>;
  onChange: (changes: Partial<ReportSearch>) => void;
  onSelectGroup: (subject: Subject, isSelected: boolean) => Promise<void>;
};

/** The reports one by one or in groups, with the words in them that were searched for. */
export function EventList({ list, search, desk, onChange, onSelectGroup }: Props) {
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
