import { i18n } from '@lingui/core';
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { IconFlag } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { readLink } from '../../../shared/link.ts';
import { useServerIfAny } from '../../console-context.ts';
import { serverName } from '../../transport/server-name.ts';

/** The report that is meant by its number, with or without a sign before it, or by a link of the desktop app. */
export function useReportByNumber(query: string): SpotlightActionGroupData[] {
  const server = useServerIfAny();
  const navigate = useNavigate();
  if (!server) return [];
  const typed = query.trim();
  const linked = readLink(typed);
  const isHere = linked?.server === serverName(server.connection).toLowerCase();
  const [, number] = /^#?([1-9]\d{0,14})$/.exec(typed) ?? [];
  const id = isHere && linked.shown.kind === 'report' ? linked.shown.id : number ? Number(number) : undefined;
  if (id === undefined) return [];
  return [
    {
      group: i18n.t('Reports'),
      actions: [
        {
          id: `report ${id}`,
          label: i18n.t('Report {id}', { id }),
          keywords: [typed],
          leftSection: <IconFlag size={17} stroke={1.6} />,
          onClick: () =>
            setTimeout(
              () =>
                navigate({ to: '/reports', search: ({ server: from }) => ({ server: from, report: id }) }),
              0,
            ),
        },
      ],
    },
  ];
}
