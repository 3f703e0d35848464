import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { type Medium, parseMxcUri } from '../../api/media.ts';
import { fileTime } from '../../components/file/table-file.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { States } from '../../components/State.tsx';
import cells from '../../components/table/cells.module.css';
import type { Column } from '../../components/table/columns.tsx';
import { TimeCell, timeColumn, timeColumnWidth } from '../../components/table/TimeCell.tsx';
import { byteSize } from '../../words/format.ts';
import { mediaStates } from '../media-states.ts';
import classes from './FileThumbnail.module.css';
import { FileThumbnail } from './FileThumbnail.tsx';

/** A file in a list; `medium` may be unknown or still loading. */
export type MediaRow = { uri: string; medium: Medium | undefined };

export const mediaName = ({ uri, medium }: MediaRow) => medium?.upload_name || parseMxcUri(uri).mediaId;

/** Returns the columns of a user's media, which the server sorts. */
export const mediaColumns = (): Column<MediaRow>[] => [
  {
    id: 'upload_name',
    name: i18n.t('Name'),
    width: 230,
    order: 'upload_name',
    value: ({ medium }) => medium?.upload_name,
    cell: (row) => <NamedFile {...row} />,
  },
  {
    id: 'media_type',
    name: i18n.t('Type'),
    width: 190,
    isMinor: true,
    order: 'media_type',
    value: ({ medium }) => medium?.media_type,
    cell: ({ medium }) => medium?.media_type && <HazardText text={medium.media_type} />,
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    width: 90,
    isNumeric: true,
    order: 'media_length',
    descending: true,
    value: ({ medium }) => medium?.media_length,
    cell: ({ medium }) => (typeof medium?.media_length === 'number' ? byteSize(medium.media_length) : '–'),
  },
  {
    id: 'created_ts',
    name: i18n.t('Uploaded'),
    width: 105,
    order: 'created_ts',
    ...timeColumn(({ medium }) => medium?.created_ts),
  },
  {
    id: 'last_access_ts',
    name: i18n.t('Last accessed'),
    width: 115,
    isMinor: true,
    comfortableWidth: timeColumnWidth,
    order: 'last_access_ts',
    value: ({ medium }) => fileTime(medium?.last_access_ts),
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
    width: 150,
    order: 'quarantined_by',
    descending: true,
    value: ({ medium }) => medium?.quarantined_by,
    cell: ({ medium }) => medium && <States states={mediaStates(medium, true)} />,
  },
  {
    id: 'safe_from_quarantine',
    name: i18n.t('Protected'),
    width: 100,
    hiddenByDefault: true,
    order: 'safe_from_quarantine',
    descending: true,
    value: ({ medium }) => medium?.safe_from_quarantine,
    cell: ({ medium }) => (medium?.safe_from_quarantine ? i18n.t('Yes') : ''),
  },
  uriColumn(),
];

export const uriColumn = (): Column<{ uri: string }> => ({
  id: 'uri',
  name: i18n.t('mxc URI'),
  width: 320,
  hiddenByDefault: true,
  value: ({ uri }) => uri,
  cell: ({ uri }) => (
    <span className={cells.mono}>
      <HazardText text={uri} />
    </span>
  ),
});

/** Renders a file by thumbnail and name. */
export const NamedFile = (row: MediaRow) => (
  <span className={classes.file}>
    <FileThumbnail {...row} />
    <MediaLink {...row} />
  </span>
);

/** Links to a file's page by its name. */
function MediaLink(row: MediaRow) {
  const { origin, mediaId } = parseMxcUri(row.uri);
  return (
    <Link
      to="/media/uploads/$origin/$mediaId"
      params={{ origin, mediaId }}
      className={row.medium?.upload_name ? cells.name : cells.id}
      title={row.uri}
    >
      <HazardText text={mediaName(row)} />
    </Link>
  );
}
