import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChartBar, IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useServer } from '../../console-context.ts';
import { useUnreviewed } from '../../team/unreviewed.ts';
import { ExportMenu } from './export/ExportMenu.tsx';
import { JumpMenu, type JumpTarget } from './JumpMenu.tsx';
import classes from './ListHeading.module.css';
import { isFiltered } from './narrowing.ts';
import type { ReportSearch } from './report-search.ts';
import type { ReportListState } from './rows/use-report-list.ts';

type Props = {
  list: ReportListState;
  search: ReportSearch;
  exportOpened: boolean;
  onOpenExport: (opened: boolean) => void;
  jumpOpened: boolean;
  onOpenJump: (opened: boolean) => void;
  onJump: (target: JumpTarget) => Promise<void>;
  onShowNew: () => void;
};

/** How many match, how fresh that is, and what leads elsewhere from here. */
export function ListHeading(props: Props) {
  const { list, search } = props;
  const { framed, dir } = list;
  const unreviewed = useUnreviewed(useServer());
  // What is looked through has no number before the first of it is there.
  const isCounted = framed.query.data && (!(list.isSieved || list.subjects) || list.walk.total !== undefined);
  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label={i18n.t('Reports that match')}>
        {isCounted &&
          (list.subjects
            ? i18n.t(
                '{groups, plural, one {# group} other {# groups}} of {count, plural, one {# report} other {# reports}}',
                {
                  groups: list.subjects.length,
                  count: list.sieved.found,
                },
              )
            : list.isSieved
              ? i18n.t('{count, plural, one {# report found} other {# reports found}}', {
                  count: list.sieved.found,
                })
              : search.queue
                ? unreviewedOf(framed.rows.count, isFiltered(search) ? undefined : unreviewed)
                : countOf(framed.rows.count, isFiltered(search)))}
      </output>
      {framed.missing || framed.stale ? (
        <span
          className={classes.stale}
          title={failureSentence(framed.missing ?? framed.stale?.error ?? new Error('no reply'))}
          role="alert"
        >
          {framed.missing || !framed.stale ? (
            i18n.t('More could not be loaded')
          ) : (
            <Trans
              id="Not up to date: last loaded <0/>"
              components={{ 0: <RelativeTime timestamp={framed.stale.since} /> }}
            />
          )}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => void framed.retry()}
          >
            {i18n.t('Try again')}
          </Button>
        </span>
      ) : (
        framed.isFetching && <Loader size={12} role="img" aria-label={i18n.t('Refreshing')} />
      )}
      <output>
        {framed.arrived > 0 && (
          <Button
            variant="light"
            size="compact-xs"
            leftSection={dir === 'b' ? <IconArrowUp size={12} /> : <IconArrowDown size={12} />}
            onClick={props.onShowNew}
          >
            {i18n.t('{count, plural, one {# new report} other {# new reports}}', { count: framed.arrived })}
          </Button>
        )}
      </output>
      <Tooltip label={i18n.t('Statistics of reports')}>
        <ActionIcon
          size={22}
          aria-label={i18n.t('Statistics of reports')}
          renderRoot={(attributes) => (
            <Link
              to="/reports/statistics"
              search={{ room: search.room, reporter: search.reporter, sender: search.sender }}
              {...attributes}
            />
          )}
        >
          <IconChartBar size={14} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
      <ExportMenu opened={props.exportOpened} onOpen={props.onOpenExport} search={search} list={list} />
      <JumpMenu
        opened={props.jumpOpened}
        onOpen={props.onOpenJump}
        byTime={!list.isSieved && !list.subjects}
        onJump={props.onJump}
      />
    </div>
  );
}

/** Of those that match filters no more is known than how many of the loaded have a mark. */
const unreviewedOf = (most: number, known: number | undefined) =>
  known === undefined
    ? i18n.t('{most, plural, one {At most # report} other {At most # reports}}', { most })
    : countOf(known, false);

const countOf = (total: number, filtered: boolean) =>
  filtered
    ? i18n.t('{total, plural, one {# report matches} other {# reports match}}', { total })
    : i18n.t('{total, plural, one {# report} other {# reports}}', { total });
