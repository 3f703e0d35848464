import { i18n } from '@lingui/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isExpected } from '../../api/lenient.ts';
import { mediaStatistics } from '../../api/media.ts';
import { BarTable } from '../../components/plot/BarTable.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { shortId } from '../../words/clip.ts';
import { byteSize } from '../../words/format.ts';
import { BarLabel } from './BarLabel.tsx';
import { accountsQuery, loadedCount, useHalfListedCount } from './figures.ts';
import classes from './Home.module.css';
import { HomeCard, isUnsupported } from './HomeCard.tsx';
import { LoadOnClick } from './LoadOnClick.tsx';

/** Shows the users with the most media. */
export function MediaCard() {
  const server = useServer();
  const accounts = useQuery(accountsQuery(server));
  const uploaders = useQuery({ ...largestUploadersQuery(server), enabled: false });
  if (isUnsupported(uploaders)) return null;
  return (
    <HomeCard title={i18n.t('Media')} link={{ to: '/media' }}>
      <Loaded
        query={accounts}
        loading={i18n.t('Loading largest uploaders…')}
        notFound={i18n.t('Media statistics not available')}
        lines={8}
      >
        {(total) => (
          <LoadOnClick name="media" accounts={total} costNote={i18n.t('Largest uploaders. Scans all media.')}>
            <LargestUploaders />
          </LoadOnClick>
        )}
      </Loaded>
    </HomeCard>
  );
}

const largestUploadersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'largest uploaders'],
    queryFn: ({ signal }) =>
      mediaStatistics(server, { order: 'media_length', dir: 'b' }).fetch(0, loadedCount, signal),
    staleTime: 5 * 60_000,
  });

function LargestUploaders() {
  const server = useServer();
  const navigate = useNavigate();
  const query = useQuery(largestUploadersQuery(server));
  const ownServer = serverName(server.connection);
  const listedCount = useHalfListedCount();
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading largest uploaders…')}
      notFound={i18n.t('Media statistics not available')}
      lines={8}
    >
      {({ rows: users, total }) =>
        users.length === 0 ? (
          <p className={classes.dim}>{i18n.t('No media')}</p>
        ) : (
          <>
            <p className={classes.figure}>
              {total}{' '}
              <span className={classes.unit}>
                {i18n.t('{total, plural, one {user} other {users}} with media', { total })}
              </span>
            </p>
            <p className={classes.dim}>{i18n.t('Largest uploaders')}</p>
            <BarTable
              oneLine
              title={i18n.t('Media by size')}
              of={i18n.t('User')}
              bars={users
                .filter(isExpected)
                .slice(0, listedCount)
                .map(({ user_id: userId, displayname, media_length: bytes }) => ({
                  key: userId,
                  count: bytes,
                  figure: byteSize(bytes),
                  label: <BarLabel id={userId} name={displayname || shortId(userId, ownServer)} />,
                  onChoose: () =>
                    navigate({
                      to: '/media/users/$userId',
                      params: { userId },
                      search: { order: 'media_length', dir: 'b' },
                    }),
                }))}
            />
          </>
        )
      }
    </Loaded>
  );
}
