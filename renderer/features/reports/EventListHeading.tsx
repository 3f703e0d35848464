import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { ActionIcon } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { Hint } from '../../components/Hint.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { useUnreviewed } from '../../team/unreviewed.ts';
import { ListHeading } from './desk/ListHeading.tsx';
import { ExportMenu } from './export/ExportMenu.tsx';
import { JumpMenu, type JumpTarget } from './JumpMenu.tsx';
import type { ReportSearch } from './report-search.ts';
import { isFiltered } from './report-search.ts';
import type { ReportListState } from './rows/use-report-list.ts';

type Props = {
  list: ReportListState;
  search: ReportSearch;
  exportOpened: boolean;
  onOpenExport: (opened: boolean) => void;
  jumpOpened: boolean;
  onOpenJump: (opened: boolean) => void;
  onJump: (target: JumpTarget) => Promise<void>;
  onShowNew: () => unknown;
};

/** How many match, how fresh that is, and what leads elsewhere from here. */
export function EventListHeading(props: Props) {
  const { list, search } = props;
  const { framed, dir } = list;
  const unreviewed = useUnreviewed(useServer());
  // What is looked through has no number before the first of it is there.
  const isCounted = framed.query.data && (!list.isWalked || list.walk.total !== undefined);
  return (
    <ListHeading
      count={isCounted && countOf(list, search, unreviewed)}
      trouble={troubleOf(list)}
      onRetry={framed.retry}
      isFetching={framed.isFetching}
      arrived={framed.arrived}
      end={dir === 'b' ? 'top' : 'bottom'}
      onShowNew={props.onShowNew}
    >
      <StatisticsLink search={search} />
      <ExportMenu
        opened={props.exportOpened}
        onOpen={props.onOpenExport}
        search={search}
        filter={list.filter}
        dir={dir}
        messages={list.messages.read}
        total={framed.total}
      />
      <JumpMenu
        opened={props.jumpOpened}
        onOpen={props.onOpenJump}
        byTime={!list.isWalked}
        onJump={props.onJump}
      />
    </ListHeading>
  );
}

const StatisticsLink = memo(function StatisticsLink({ search }: { search: ReportSearch }) {
  const { room, reporter, sender } = search;
  return (
    <Hint label={i18n.t('Report statistics')}>
      <ActionIcon
        size={22}
        aria-label={i18n.t('Report statistics')}
        renderRoot={(attributes) => (
          <Link to="/reports/statistics" search={{ room, reporter, sender }} {...attributes} />
        )}
      >
        <IconChartBar size={14} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
});

function troubleOf({ framed: { missing, stale } }: ReportListState) {
  if (missing) return { what: i18n.t("Couldn't load more"), why: missing };
  if (!stale) return undefined;
  return {
    what: (
      <Trans
        id="Couldn't refresh. Last loaded <0/>"
        components={{ 0: <RelativeTime timestamp={stale.since} /> }}
      />
    ),
    why: stale.error,
  };
}

function countOf(list: ReportListState, search: ReportSearch, unreviewed: number | undefined): string {
  const { subjects, sieved, isSieved, framed } = list;
  if (subjects) {
    return i18n.t(
      '{groups, plural, one {# group} other {# groups}}, {count, plural, one {# report} other {# reports}}',
      { groups: subjects.length, count: sieved.found },
    );
  }
  if (isSieved) {
    return i18n.t('{count, plural, one {# report} other {# reports}} found', { count: sieved.found });
  }
  const filtered = isFiltered(search);
  const { count } = framed.rows;
  return search.queue ? unreviewedOf(count, filtered ? undefined : unreviewed) : totalOf(count, filtered);
}

/** Of those that match filters no more is known than how many of the loaded have a mark. */
const unreviewedOf = (most: number, known: number | undefined) =>
  known === undefined
    ? i18n.t('At most {most, plural, one {# report} other {# reports}}', { most })
    : totalOf(known, false);

const totalOf = (total: number, filtered: boolean) =>
  filtered
    ? i18n.t('{total, plural, one {# match} other {# matches}}', { total })
    : i18n.t('{total, plural, one {# report} other {# reports}}', { total });
