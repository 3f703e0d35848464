import { i18n } from '@lingui/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { isExpected } from '../../api/lenient.ts';
import { mediaStatistics } from '../../api/media.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { BarTable } from '../../components/plot/BarTable.tsx';
import { useServer } from '../../console-context.ts';
import { Loaded } from '../../subjects/Loaded.tsx';
import type { Server } from '../../transport/server.ts';
import { byteSize } from '../../words/format.ts';
import classes from './Home.module.css';
import { HomeCard } from './HomeCard.tsx';
import { LoadOnClick } from './LoadOnClick.tsx';

const barCount = 7;

/** Shows the users with the most media. */
export function MediaCard() {
  const title = i18n.t('Media');
  return (
    <HomeCard
      tall
      title={title}
      link={
        <Link to="/media" search={({ server }) => ({ server })} className={classes.way}>
          {title}
        </Link>
      }
    >
      <LoadOnClick name="media" costNote={i18n.t('Loading scans all media.')}>
        <LargestUploaders />
      </LoadOnClick>
    </HomeCard>
  );
}

const largestUploadersQuery = (server: Server) =>
  queryOptions({
    queryKey: [server.id, 'media', 'largest uploaders'],
    queryFn: ({ signal }) =>
      mediaStatistics(server, { order: 'media_length', dir: 'b' }).fetch(0, barCount, signal),
    staleTime: 5 * 60_000,
  });

function LargestUploaders() {
  const navigate = useNavigate();
  const query = useQuery(largestUploadersQuery(useServer()));
  return (
    <Loaded
      query={query}
      loading={i18n.t('Loading largest uploaders…')}
      notFound={i18n.t('Media statistics not available')}
      lines={6}
    >
      {({ rows: users, total }) =>
        users.length === 0 ? (
          <p className={classes.dim}>{i18n.t('No media')}</p>
        ) : (
          <>
            <p className={classes.dim}>
              {i18n.t('Users with media: {total} (largest shown)', {
                total,
              })}
            </p>
            <BarTable
              oneLine
              title={i18n.t('Media by size')}
              of={i18n.t('User')}
              bars={users.filter(isExpected).map(({ user_id: userId, media_length: bytes }) => ({
                key: userId,
                count: bytes,
                figure: byteSize(bytes),
                label: <HazardText text={userId} />,
                onChoose: () =>
                  navigate({
                    to: '/media/users/$userId',
                    params: { userId },
                    search: ({ server }) => ({ server, order: 'media_length' as const, dir: 'b' as const }),
                  }),
              }))}
            />
          </>
        )
      }
    </Loaded>
  );
}
