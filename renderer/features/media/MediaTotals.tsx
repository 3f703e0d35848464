import { i18n } from '@lingui/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { mediaStatistics, type StatisticsFilter, type UserTotal } from '../../api/media-statistics.ts';
import { DayField } from '../../components/DayField.tsx';
import { endOfDay, startOfDay } from '../../components/day.ts';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/paged-rows.ts';
import { useServer } from '../../console-context.ts';
import { ofUserMedia } from '../../subjects/uploads/whole-actions.ts';
import { number } from '../../words/format.ts';
import { MediaWays } from './MediaWays.tsx';
import { type TotalsSearch, totalsFilterOf } from './media-search.ts';
import { TotalsPlot } from './TotalsPlot.tsx';
import { totalsColumns } from './totals-columns.tsx';

/** So many are in the plot; the list below has everyone. */
const plotted = 10;

/** Everyone who uploaded something, by how much. */
export function MediaTotals() {
  const server = useServer();
  const address = useSearch({ from: '/frame/server/media' });
  const navigate = useNavigate({ from: '/media' });
  const change = (changes: Partial<TotalsSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  const filter = totalsFilterOf(address);
  const rows = usePagedRows(mediaStatistics(server, filter));
  const { from, until } = address;
  const columns = useMemo(() => totalsColumns({ from, until }), [from, until]);
  const isFiltered = [address.search, from, until].some((value) => value !== undefined);
  const isByAmount = filter.order === 'media_length' || filter.order === 'media_count';
  const shown = Array.from({ length: plotted }, (_, index) => rows.at(index)).filter(
    (row): row is UserTotal => row !== undefined,
  );

  return (
    <ListScreen
      id="media-by-user"
      title={i18n.t('Media by user')}
      columns={columns}
      rows={rows}
      idOf={({ user_id }) => user_id}
      sort={filter}
      onSort={({ order, dir }) => change({ order: order as StatisticsFilter['order'], dir })}
      search={{
        label: i18n.t('Search users'),
        value: address.search,
        onChange: (search) => change({ search }),
      }}
      filters={
        <>
          <DayField
            label={i18n.t('Uploaded from')}
            value={from}
            onChange={(day) => change({ from: startOfDay(day) === undefined ? undefined : day })}
          />
          <DayField
            label={i18n.t('until')}
            value={until}
            onChange={(day) => change({ until: endOfDay(day) === undefined ? undefined : day })}
          />
        </>
      }
      isFiltered={isFiltered}
      onClear={() => change({ search: undefined, from: undefined, until: undefined })}
      ways={() => <MediaWays />}
      above={() =>
        isByAmount &&
        filter.dir === 'b' &&
        shown.length > 1 && <TotalsPlot users={shown} {...{ from, until }} />
      }
      countOf={(count) =>
        i18n.t('{count, plural, one {{shown} uploader} other {{shown} uploaders}}', {
          count,
          shown: number(count),
        })
      }
      words={{
        loading: i18n.t('Loading media…'),
        failed: i18n.t("Couldn't load media"),
        none: i18n.t('No media'),
        noneNote: i18n.t('No one has uploaded media yet.'),
        noneMatches: i18n.t('No matching users'),
      }}
      actions={(selected, onActed) => (
        <ActionBar
          on={{ users: selected.map((userId) => ({ userId })) }}
          only={ofUserMedia}
          onActed={onActed}
        />
      )}
    />
  );
}
