import { i18n } from '@lingui/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import {
  type CSSProperties,
  lazy,
  Suspense,
  useCallback,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { FiledKind } from '../../../api/filed-reports.ts';
import { SearchField } from '../../../components/table/SearchField.tsx';
import { WidthEdge } from '../../../components/WidthEdge.tsx';
import { useCommands } from '../../../console-context.ts';
import { useTeam } from '../../../team/use-team.ts';
import detailClasses from '../detail/ReportDetail.module.css';
import { listWidth, narrowestList, widestList } from '../list-width.ts';
import { NothingOpen } from '../NothingOpen.tsx';
import { QueueTabs } from '../QueueTabs.tsx';
import { ReportKinds } from '../ReportKinds.tsx';
import { type ListControl, ReportList } from '../ReportList.tsx';
import classes from '../ReportsScreen.module.css';
import { useReportSelection } from '../report-selection.ts';
import { affectedBy, triageCommands } from '../triage-commands.tsx';
import { commonState, useTriage } from '../use-triage.ts';
import { FiledBody } from './FiledBody.tsx';
import { FiledHeading } from './FiledHeading.tsx';
import { FiledReportDetail } from './FiledReportDetail.tsx';
import own from './FiledReports.module.css';
import { FiledRow } from './FiledRow.tsx';
import { FiledSelectionBar } from './FiledSelectionBar.tsx';
import { type FiledReportSearch, isFiltered, noFilters } from './filed-report-search.ts';
import { useFiledList } from './use-filed-list.ts';

const TeamOffer = lazy(() => import('../TeamOffer.tsx').catch(() => ({ default: () => null })));

/** Reports on whole users. */
export const UserReportsScreen = () => <FiledReportsScreen kind="user" from="/frame/server/reports/users" />;

/** Reports on whole rooms. */
export const RoomReportsScreen = () => <FiledReportsScreen kind="room" from="/frame/server/reports/rooms" />;

type Props = { kind: FiledKind; from: '/frame/server/reports/users' | '/frame/server/reports/rooms' };

const nothingDeleted = new Map();

/** The list on the left, the report on the right, as reports on events are worked through. */
function FiledReportsScreen({ kind, from }: Props) {
  const search: FiledReportSearch = useSearch({ from });
  const { reportId } = useParams({ strict: false });
  const currentId = reportId === undefined ? undefined : Number(reportId);
  const navigate = useNavigate();
  const { areMarksKnown } = useTeam();
  const list = useFiledList(kind, search);
  const { rows, marks } = list;
  const width = useSyncExternalStore(listWidth().subscribe, listWidth().read);
  const listElement = useRef<HTMLDivElement>(null);
  const listControl = useRef<ListControl>(null);
  const detailElement = useRef<HTMLElement>(null);
  const filterElement = useRef<HTMLInputElement>(null);
  const name = `${kind} ${JSON.stringify(search)}`;
  const firstName = useRef(name);
  const isOnUsers = kind === 'user';

  const open = useCallback(
    (id: number | undefined, step: 'click' | 'key') => {
      const replace = step === 'key';
      if (id === undefined) {
        return navigate({ to: isOnUsers ? '/reports/users' : '/reports/rooms', search: true, replace });
      }
      const to = isOnUsers ? '/reports/users/$reportId' : '/reports/rooms/$reportId';
      return navigate({ to, params: { reportId: String(id) }, search: true, replace });
    },
    [navigate, isOnUsers],
  );
  const change = useCallback(
    (changes: Partial<FiledReportSearch>) =>
      navigate({ to: '.', search: (current) => ({ ...current, ...changes }) }),
    [navigate],
  );
  const selection = useReportSelection({
    name,
    rows,
    currentId,
    tombstones: nothingDeleted,
    open,
    scrollToRow: useCallback((row: number) => listControl.current?.scrollToRow(row, 'nearest'), []),
  });
  const triage = useTriage({
    of: `${kind}_report`,
    rows,
    queue: search.queue,
    selection,
    onRestored: useCallback((ids: readonly number[]) => open(ids[0], 'key'), [open]),
  });
  const focusList = useCallback(() => listElement.current?.focus({ preventScroll: true }), []);
  const clearFilters = isFiltered(search) ? () => void change(noFilters) : undefined;

  useCommands(
    triageCommands(
      {
        selection,
        triage,
        focusFilter: () => filterElement.current?.focus(),
        focusDetail: () => detailElement.current?.focus(),
        focusList,
        isInDetail: () => detailElement.current?.contains(document.activeElement) === true,
        clearFilters,
      },
      [],
    ),
  );

  // Each report is read from its beginning, however far down the one before it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another report is the reason
  useLayoutEffect(() => {
    detailElement.current?.scrollTo(0, 0);
  }, [currentId]);

  return (
    <div className={classes.screen} style={{ '--list-width': `${width}px` } as CSSProperties}>
      <div className={classes.list}>
        <h1 className={classes.hidden}>
          {isOnUsers ? i18n.t('Reports on users') : i18n.t('Reports on rooms')}
        </h1>
        <ReportKinds />
        <QueueTabs queue={search.queue} counts={list.counts} onChange={change} />
        <search className={own.filters} aria-label={i18n.t('Filters')}>
          <SearchField
            label={isOnUsers ? i18n.t('Reported user, in full') : i18n.t('Reported room, in full')}
            value={search.about}
            inputRef={filterElement}
            onChange={(about) => change({ about })}
          />
          <SearchField
            label={i18n.t('Filed by, in full')}
            value={search.by}
            onChange={(by) => change({ by })}
          />
        </search>
        {selection.selected.size > 0 ? (
          <FiledSelectionBar
            kind={kind}
            selection={selection}
            state={commonState([...selection.selected], marks)}
            onMark={(state) => triage.toggle(affectedBy(selection), state)}
            onActed={() => {
              selection.clear();
              focusList();
            }}
          />
        ) : (
          <FiledHeading list={list} search={search} onChange={change} />
        )}
        <Suspense>
          <TeamOffer />
        </Suspense>
        <FiledBody
          kind={kind}
          list={list}
          search={search}
          areMarksKnown={areMarksKnown}
          onClear={clearFilters}
        >
          <ReportList
            key={name}
            name={name}
            opensAtCurrent={name === firstName.current}
            rows={rows}
            Row={FiledRow}
            currentId={currentId}
            selectedIds={selection.selected}
            marks={marks}
            areMarksKnown={areMarksKnown}
            listRef={listElement}
            controlRef={listControl}
            onPress={selection.press}
            onToggle={selection.toggle}
          />
        </FiledBody>
      </div>
      <WidthEdge
        label={i18n.t('Width of the list')}
        width={width}
        narrowest={narrowestList}
        widest={widestList(width)}
        className={classes.edge}
        onResize={listWidth().write}
      />
      <div className={classes.detail}>
        <section
          ref={detailElement}
          className={detailClasses.detail}
          aria-label={i18n.t('Report')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by key
          tabIndex={0}
        >
          {currentId === undefined ? (
            list.total !== 0 && <NothingOpen />
          ) : (
            <FiledReportDetail
              key={currentId}
              kind={kind}
              id={currentId}
              state={marks.get(currentId)?.state ?? 'open'}
              onMark={(state) => triage.toggle([currentId], state)}
              onActed={() => {
                triage.nextUnreviewed();
                focusList();
              }}
              selecting={selection.selected.size > 0}
            />
          )}
        </section>
      </div>
    </div>
  );
}
