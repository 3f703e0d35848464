import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addressParts, type Medium, mediumQuery } from '../../api/media.ts';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/column.ts';
import { useServer } from '../../console-context.ts';
import { MediumLink, uploadColumns } from '../../subjects/uploads/upload-columns.tsx';

const fromInfo = ['media_type', 'media_length', 'created_ts', 'last_access_ts', 'quarantined_by'];

/** The columns of a room's media: what is not the address is asked for each row that is on screen. */
export const roomMediaColumns = (): Column<string>[] => [
  {
    id: 'upload_name',
    name: i18n.t('Name'),
    width: 280,
    cell: (uri) => <Name uri={uri} />,
  },
  ...uploadColumns()
    .filter(({ id }) => fromInfo.includes(id))
    .map(
      ({ id, name, width, cell }): Column<string> => ({
        id,
        name,
        width,
        cell: (uri) => <Told uri={uri}>{(medium) => cell({ uri, medium })}</Told>,
      }),
    ),
  {
    id: 'user_id',
    name: i18n.t('Uploader'),
    width: 220,
    cell: (uri) => (
      <Told uri={uri}>
        {({ user_id }) =>
          user_id && (
            <span className={cells.mono}>
              <HazardText text={user_id} />
            </span>
          )
        }
      </Told>
    ),
  },
  {
    id: 'origin',
    name: i18n.t('Server'),
    width: 160,
    cell: (uri) => <HazardText text={addressParts(uri).origin} />,
  },
];

/** There from the beginning, as the row's link is what keys go by. */
function Name({ uri }: { uri: string }) {
  const { data } = useQuery(mediumQuery(useServer(), uri));
  return <MediumLink uri={uri} medium={data} />;
}

type Props = { uri: string; children: (medium: Medium) => ReactNode };

function Told({ uri, children }: Props) {
  const { data, isPending } = useQuery(mediumQuery(useServer(), uri));
  if (data) return children(data);
  return isPending ? <Skeleton height={10} width="60%" /> : <span className={cells.quiet}>–</span>;
}
