import { i18n } from '@lingui/core';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Medium, mediumQuery, parseMxcUri } from '../../api/media.ts';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { useServer } from '../../console-context.ts';
import { LoadedUserLink } from '../UserCell.tsx';
import { mediaColumns, NamedFile, uriColumn } from './media-columns.tsx';

// Cells and columns of lists of URIs: details load for visible rows.

/** Rendered before the details load: keyboard navigation needs the row's link. */
function FileOfUri({ uri }: { uri: string }) {
  const { data } = useQuery(mediumQuery(useServer(), uri));
  return <NamedFile uri={uri} medium={data} />;
}

type Props = { uri: string; children: (medium: Medium) => ReactNode };

export function MediaDetail({ uri, children }: Props) {
  const { data, isPending } = useQuery(mediumQuery(useServer(), uri));
  if (data) return children(data);
  return isPending ? <Skeleton height={10} width="60%" /> : <span className={cells.quiet}>–</span>;
}

/** Returns the columns with these IDs, in this order. */
export function columnsOfUris(ids: readonly string[]): Column<{ uri: string }>[] {
  /** The first of an ID counts. */
  const columns: Column<{ uri: string }>[] = [
    {
      id: 'upload_name',
      name: i18n.t('Name'),
      width: 280,
      value: null,
      cell: ({ uri }) => <FileOfUri uri={uri} />,
    },
    {
      id: 'user_id',
      name: i18n.t('Uploader'),
      width: 200,
      isMinor: true,
      value: null,
      cell: ({ uri }) => (
        <MediaDetail uri={uri}>{({ user_id }) => user_id && <LoadedUserLink userId={user_id} />}</MediaDetail>
      ),
    },
    {
      id: 'origin',
      name: i18n.t('Server'),
      width: 160,
      isMinor: true,
      value: ({ uri }) => parseMxcUri(uri).origin,
      cell: ({ uri }) => <HazardText text={parseMxcUri(uri).origin} />,
    },
    uriColumn(),
    ...mediaColumns().map(
      ({ cell, ...column }): Column<{ uri: string }> => ({
        ...column,
        value: null,
        cell: ({ uri }) => <MediaDetail uri={uri}>{(medium) => cell({ uri, medium })}</MediaDetail>,
      }),
    ),
  ];
  return ids.flatMap((id) => columns.find((column) => column.id === id) ?? []);
}
