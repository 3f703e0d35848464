import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { eventReportsQuery, eventReportTotalQuery, type LoadedReports } from '../../api/event-reports.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { directionOf, filterOf } from './report-search.ts';

/** Offers reports that came in since the list was loaded; they don't push away what is being read. */
export function NewReports() {
  const { queryClient, deletedReports } = useConsole();
  const server = useServer();
  const search = useSearch({ from: '/frame/server/reports' });
  const list = eventReportsQuery(server, deletedReports, filterOf(search), directionOf(search));
  const { data: latest } = useQuery({
    ...eventReportTotalQuery(server, filterOf(search)),
    refetchInterval: 20_000,
  });
  const loaded = queryClient.getQueryData<LoadedReports>(list.queryKey);
  const newest = loaded?.pages[0]?.newestId ?? 0;
  const arrived =
    loaded && directionOf(search) === 'b' && latest?.newestId !== undefined && latest.newestId > newest;
  if (!arrived) return null;

  async function show() {
    // Only the first page is asked for again: the others come as one scrolls.
    queryClient.setQueryData<LoadedReports>(
      list.queryKey,
      (current) =>
        current && { pages: current.pages.slice(0, 1), pageParams: current.pageParams.slice(0, 1) },
    );
    await queryClient.invalidateQueries({ queryKey: list.queryKey });
  }

  return (
    <Button variant="light" size="compact-xs" leftSection={<IconArrowUp size={12} />} onClick={show}>
      {i18n.t('New reports')}
    </Button>
  );
}
