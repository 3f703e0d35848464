import { i18n } from '@lingui/core';
import { Modal } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';
import { type UserUpload, userMediaList } from '../../api/user.ts';
import { byteSize } from '../../components/byte-size.ts';
import { RemoteImage } from '../../components/event/RemoteImage.tsx';
import { clipped } from '../../components/event/read-json.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { serverName } from '../../components/server-name.ts';
import type { Column } from '../../components/table/column.ts';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { usePagedRows } from '../../components/table/paged-rows.ts';
import { useRowSelection } from '../../components/table/row-selection.ts';
import { useServer } from '../../console-context.ts';
import { number } from '../../words/format.ts';
import classes from './Users.module.css';

/** What somebody uploaded, with its size; each picture waits for a click of its own. */
export default function UserMedia({ userId }: { userId: string }) {
  const server = useServer();
  const { order = 'created_ts', dir = 'b' } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const rows = usePagedRows(userMediaList(server, userId, { order, dir }));
  const selection = useRowSelection(rows.name);
  const [open, setOpen] = useState<UserUpload>();
  const opener = useRef(setOpen);
  const columns = useMemo(() => mediaColumns((upload) => opener.current(upload)), []);
  const addressOf = (id: string) => `mxc://${serverName(server.connection)}/${id}`;
  return (
    <>
      <ListScreen
        id="user-media"
        level={2}
        title={i18n.t('Media')}
        columns={columns}
        rows={rows}
        idOf={({ media_id }) => media_id}
        sort={{ order, dir }}
        onSort={(sort) => navigate({ search: (current) => ({ ...current, ...sort }) as typeof current })}
        selection={selection}
        isFiltered={false}
        onClear={() => {}}
        countOf={(count) =>
          i18n.t('{total, plural, one {{shown} upload} other {{shown} uploads}}', {
            total: count,
            shown: number(count),
          })
        }
        words={{
          loading: i18n.t('Counting uploads…'),
          failed: i18n.t('The uploads could not be loaded'),
          none: i18n.t('Uploaded nothing'),
          noneNote: i18n.t('What they upload is listed here.'),
          noneMatches: i18n.t('Uploaded nothing'),
        }}
        actions={
          <ActionBar
            quiet
            on={{ media: [...selection.selected].map((id) => ({ uri: addressOf(id), of: { userId } })) }}
            onActed={() => {
              selection.clear();
              rows.refetch();
            }}
          />
        }
      />
      <Modal opened={open !== undefined} onClose={() => setOpen(undefined)} title={i18n.t('An upload')}>
        {open && <Upload upload={open} uri={addressOf(open.media_id)} />}
      </Modal>
    </>
  );
}

function Upload({ upload, uri }: { upload: UserUpload; uri: string }) {
  const isPicture = /^image\/(png|jpeg|gif|webp)$/.test(upload.media_type ?? '');
  return (
    <div className={classes.form}>
      <code className={classes.secret}>
        <HazardText text={uri} />
      </code>
      {upload.quarantined_by ? (
        <p className={classes.text}>
          {i18n.t('Quarantined by')} <HazardText text={clipped(upload.quarantined_by, 200)} />
        </p>
      ) : isPicture ? (
        <RemoteImage uri={uri} name={clipped(upload.upload_name || upload.media_id, 200)} />
      ) : (
        <p className={classes.text}>{i18n.t('Not a picture: the console does not open it.')}</p>
      )}
    </div>
  );
}

const mediaColumns = (onOpen: (upload: UserUpload) => void): Column<UserUpload>[] => [
  {
    id: 'upload_name',
    name: i18n.t('Name'),
    width: 280,
    order: 'upload_name',
    cell: (upload) => (
      <button type="button" className={classes.open} onClick={() => onOpen(upload)}>
        <HazardText text={clipped(upload.upload_name || upload.media_id, 200)} />
      </button>
    ),
  },
  {
    id: 'media_length',
    name: i18n.t('Size'),
    width: 100,
    order: 'media_length',
    descending: true,
    cell: ({ media_length }) => (typeof media_length === 'number' ? byteSize(media_length) : '–'),
  },
  {
    id: 'media_type',
    name: i18n.t('Type'),
    width: 150,
    order: 'media_type',
    cell: ({ media_type }) => media_type && <HazardText text={clipped(media_type, 100)} />,
  },
  {
    id: 'created_ts',
    name: i18n.t('Uploaded'),
    width: 120,
    order: 'created_ts',
    descending: true,
    cell: ({ created_ts }) => (created_ts ? <RelativeTime timestamp={created_ts} /> : '–'),
  },
  {
    id: 'last_access_ts',
    name: i18n.t('Last opened'),
    width: 120,
    order: 'last_access_ts',
    descending: true,
    cell: ({ last_access_ts }) => (last_access_ts ? <RelativeTime timestamp={last_access_ts} /> : '–'),
  },
  {
    id: 'state',
    name: i18n.t('State'),
    width: 150,
    cell: ({ quarantined_by, safe_from_quarantine }) =>
      quarantined_by ? i18n.t('quarantined') : safe_from_quarantine ? i18n.t('protected') : '',
  },
];
