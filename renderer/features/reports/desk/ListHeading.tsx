import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button, Kbd, Loader } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AnyReport } from '../../../api/reports/report-source.ts';
import { useViewedToday } from '../../../components/exposure.ts';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { number } from '../../../words/format.ts';
import type { ReportList } from '../list/use-report-list.ts';
import type { WindowSource } from '../list/window-source.ts';
import classes from './ListHeading.module.css';

type Props<Report extends AnyReport> = {
  list: ReportList<Report>;
  /** Number of groups if the list is in groups. */
  groups: number | undefined;
  onShowNew: () => unknown;
  /** Links and menus. */
  children: ReactNode;
};

/** The number of matches, and how fresh the list is. */
export function ListHeading<Report extends AnyReport>({ list, groups, onShowNew, children }: Props<Report>) {
  const { commands } = useConsole();
  const { window, strategy, more } = list;
  const { arrived, isFetching } = window;
  const label = i18n.t('{count, plural, one {# new report} other {# new reports}}', { count: arrived });
  useCommands(
    arrived > 0
      ? [
          {
            id: 'show new',
            label: i18n.t('Load {count, plural, one {# new report} other {# new reports}}', {
              count: arrived,
            }),
            group: i18n.t('Reports'),
            keys: ['.'],
            icon: <IconRefresh size={17} stroke={1.6} />,
            run: () => void onShowNew(),
          },
        ]
      : [],
  );
  const viewed = useViewedToday();
  const trouble = troubleOf(window);
  const isCounted = window.query.data && strategy && (!more || more.total !== undefined);
  return (
    <div className={classes.heading}>
      <output className={classes.count} aria-label={i18n.t('Matching reports')}>
        {isCounted && countOf(list, groups)}
      </output>
      {viewed !== undefined && viewed > 0 && (
        <span className={classes.viewed}>{i18n.t('{count} viewed today', { count: number(viewed) })}</span>
      )}
      {trouble ? (
        <span className={classes.stale} title={failureSentence(trouble.why)} role="alert">
          {trouble.what}
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRefresh size={12} />}
            onClick={() => void window.retry()}
          >
            {i18n.t('Retry')}
          </Button>
        </span>
      ) : (
        isFetching && <Loader size={12} role="img" aria-label={i18n.t('Refreshing')} />
      )}
      <output>
        {arrived > 0 && (
          <Button
            variant="light"
            size="compact-xs"
            leftSection={list.dir === 'b' ? <IconArrowUp size={12} /> : <IconArrowDown size={12} />}
            rightSection={
              commands.keyWorks('.') && (
                <Kbd size="xs" aria-hidden>
                  .
                </Kbd>
              )
            }
            onClick={() => void onShowNew()}
          >
            {label}
          </Button>
        )}
      </output>
      {children}
    </div>
  );
}

function troubleOf<Report extends AnyReport>({ missing, stale }: WindowSource<Report>) {
  if (missing) return { what: i18n.t("Couldn't load more"), why: missing };
  if (!stale) return undefined;
  return {
    what: (
      <Trans
        id="Couldn't refresh. Last loaded <0/>"
        components={{ 0: <RelativeTime timestamp={stale.since} long /> }}
      />
    ),
    why: stale.error,
  };
}

function countOf<Report extends AnyReport>(
  { rows, strategy, isFiltered, counts: { matching } }: ReportList<Report>,
  groups: number | undefined,
): string {
  const { count } = rows;
  if (groups !== undefined) {
    return i18n.t(
      '{groups, plural, one {# group} other {# groups}}, {count, plural, one {# report} other {# reports}}',
      { groups, count },
    );
  }
  if (strategy?.kind !== 'window') {
    return i18n.t('{count, plural, one {# report} other {# reports}} found', { count });
  }
  // The number of marks among reports that aren't loaded is unknown.
  if (matching === undefined) {
    return i18n.t('At most {most, plural, one {# report} other {# reports}}', { most: count });
  }
  return isFiltered
    ? i18n.t('{total, plural, one {# match} other {# matches}}', { total: matching })
    : i18n.t('{total, plural, one {# report} other {# reports}}', { total: matching });
}
