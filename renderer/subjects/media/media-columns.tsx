import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { type Medium, parseMxcUri } from '../../api/media.ts';
import { HazardText } from '../../components/HazardText.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { TimeCell, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { byteSize } from '../../words/format.ts';
import { mediaStates } from '../media-states.ts';

/** A file in a list; `medium` may be unknown or still loading. */
export type MediaRow = { uri: string; medium: Medium | undefined };

export const mediaName = ({ uri, medium }: MediaRow) => medium?.upload_name || parseMxcUri(uri).mediaId;

/** Returns the columns of a user's media, which the server sorts. */
export const mediaColumns = (): Column<MediaRow>[] => [
  {
    id: 'upload_name',
    name: i18n.t('Name'),
    width: 240,
    order: 'upload_name',
    cell: (row) => <MediaLink {...row} />,
  },
  {
    id: 'media_type',
    name: i18n.t('Type'),
    width: 190,
    order: 'media_type',
    cell: ({ medium }) => medium?.media_type && <HazardText text={medium.media_type} />,
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    width: 90,
    isNumeric: true,
    order: 'media_length',
    descending: true,
    cell: ({ medium }) => (typeof medium?.media_length === 'number' ? byteSize(medium.media_length) : '–'),
  },
  {
    id: 'created_ts',
    name: i18n.t('Uploaded'),
    width: 105,
    comfortableWidth: timeColumnWidth,
    order: 'created_ts',
    descending: true,
    cell: ({ medium }) => (medium?.created_ts ? <TimeCell timestamp={medium.created_ts} /> : '–'),
  },
  {
    id: 'last_access_ts',
    name: i18n.t('Last accessed'),
    width: 115,
    comfortableWidth: timeColumnWidth,
    order: 'last_access_ts',
    cell: ({ medium }) =>
      medium?.last_access_ts ? (
        <TimeCell timestamp={medium.last_access_ts} />
      ) : (
        <span className={cells.quiet}>{medium ? i18n.t('Never') : '–'}</span>
      ),
  },
  {
    id: 'quarantined_by',
    name: i18n.t('Status'),
    width: 220,
    order: 'quarantined_by',
    descending: true,
    cell: ({ medium }) => medium && <MediaStates medium={medium} />,
  },
  {
    id: 'safe_from_quarantine',
    name: i18n.t('Protected'),
    width: 100,
    hiddenByDefault: true,
    order: 'safe_from_quarantine',
    descending: true,
    cell: ({ medium }) => (medium?.safe_from_quarantine ? i18n.t('Yes') : ''),
  },
  {
    id: 'address',
    name: i18n.t('mxc URI'),
    width: 320,
    hiddenByDefault: true,
    cell: ({ uri }) => (
      <span className={cells.mono}>
        <HazardText text={uri} />
      </span>
    ),
  },
];

/** Links to a file's page by its name. */
export function MediaLink(row: MediaRow) {
  const { origin, mediaId } = parseMxcUri(row.uri);
  return (
    <Link
      to="/media/uploads/$origin/$mediaId"
      params={{ origin, mediaId }}
      search={({ server }) => ({ server })}
      className={row.medium?.upload_name ? cells.name : cells.id}
      title={row.uri}
    >
      <HazardText text={mediaName(row)} />
    </Link>
  );
}

const MediaStates = ({ medium }: { medium: Medium }) =>
  mediaStates(medium).map(({ words, grave }) => (
    <span key={words} className={cells.state} data-grave={grave || undefined}>
      {words}
    </span>
  ));
