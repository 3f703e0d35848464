import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import type { UserTotal } from '../../api/media-statistics.ts';
import { byteSize } from '../../components/byte-size.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { GivenName } from '../../components/Identity.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/column.ts';
import { identifierWarning } from '../../components/text-hazards.ts';
import { Warning } from '../../components/Warning.tsx';
import { number } from '../../words/format.ts';

/** @param days within which it was uploaded: the user's own list shows the same */
export const totalsColumns = (days: {
  from: string | undefined;
  until: string | undefined;
}): Column<UserTotal>[] => [
  {
    id: 'user_id',
    name: i18n.t('User'),
    width: 300,
    order: 'user_id',
    cell: ({ user_id }) => {
      const warning = identifierWarning(user_id);
      return (
        <Link
          to="/media/users/$userId"
          params={{ userId: user_id }}
          search={({ server }) => ({ server, ...days })}
          className={cells.id}
          title={user_id}
        >
          <HazardText text={user_id} />
          {warning && <Warning reason={warning} />}
        </Link>
      );
    },
  },
  {
    id: 'displayname',
    name: i18n.t('Display name'),
    width: 200,
    order: 'displayname',
    cell: ({ displayname }) => displayname && <GivenName name={displayname} />,
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    width: 110,
    order: 'media_length',
    descending: true,
    cell: ({ media_length }) => byteSize(media_length),
  },
  {
    id: 'media_count',
    name: i18n.t('Files'),
    width: 100,
    order: 'media_count',
    descending: true,
    cell: ({ media_count }) => number(media_count),
  },
  {
    id: 'average',
    name: i18n.t('Average'),
    width: 110,
    cell: ({ media_length, media_count }) =>
      media_count > 0 ? byteSize(Math.round(media_length / media_count)) : '–',
  },
];
