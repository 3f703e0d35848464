import { i18n } from '@lingui/core';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { IconFlag, IconPhoto } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { readLink } from '../../../shared/link.ts';
import { uploadIn } from '../../components/pasted-id.ts';
import { useServerIfAny } from '../../console-context.ts';
import { serverName } from '../../transport/server-name.ts';

/** Returns the report whose number, or link from the desktop app, is typed, or the media whose address is. */
export function useFoundById(query: string): SpotlightActionGroupData[] {
  const server = useServerIfAny();
  const navigate = useNavigate();
  if (!server) return [];
  const typed = query.trim();
  const open = (group: string, action: SpotlightActionData, run: () => void): SpotlightActionGroupData[] => [
    { group, actions: [{ ...action, keywords: [typed], onClick: () => setTimeout(run, 0) }] },
  ];

  const upload = uploadIn(typed);
  if (upload) {
    const { origin, mediaId } = upload;
    return open(
      i18n.t('Media'),
      {
        id: `open ${origin}/${mediaId}`,
        label: `mxc://${origin}/${mediaId}`,
        leftSection: <IconPhoto size={17} stroke={1.6} />,
      },
      () =>
        navigate({
          to: '/media/uploads/$origin/$mediaId',
          params: upload,
          search: ({ server: from }) => ({ server: from }),
        }),
    );
  }

  const linked = readLink(typed);
  const isHere = linked?.server === serverName(server.connection).toLowerCase();
  const number = reportNumber(typed, i18n.t('Report {id}', { id: '' }));
  const id = isHere && linked.shown.kind === 'report' ? linked.shown.id : number;
  if (id === undefined) return [];
  return open(
    i18n.t('Reports'),
    {
      id: `report ${id}`,
      label: i18n.t('Report {id}', { id }),
      leftSection: <IconFlag size={17} stroke={1.6} />,
    },
    () => navigate({ to: '/reports', search: ({ server: from }) => ({ server: from, report: id }) }),
  );
}

/** Reads `12`, `#12` or `report 12`, the word also in the console's language. */
function reportNumber(typed: string, localWord: string): number | undefined {
  const [, word, number] = /^(?:(\p{L}+)\s*)?#?([1-9]\d{0,14})$/u.exec(typed) ?? [];
  const words = ['report', localWord.trim().toLowerCase()];
  return number && (!word || words.includes(word.toLowerCase())) ? Number(number) : undefined;
}
