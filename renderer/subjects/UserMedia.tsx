import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { localUri, type Medium } from '../api/media.ts';
import { userMediaQuery } from '../api/user.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { RemoteImage } from '../components/event/RemoteImage.tsx';
import { HazardText } from '../components/HazardText.tsx';
import { isImage } from '../components/media/Thumbnail.tsx';
import { RelativeTime } from '../components/RelativeTime.tsx';
import { useServer } from '../console-context.ts';
import { failureSentence } from '../transport/refusal.ts';
import { ellipsize } from '../words/clip.ts';
import { byteSize } from '../words/format.ts';
import { Loaded } from './Loaded.tsx';
import classes from './subjects.module.css';

/** Lists a user's media; each image loads on click. */
export function UserMedia({ userId, isOpen = false }: { userId: string; isOpen?: boolean }) {
  const query = useInfiniteQuery(userMediaQuery(useServer(), userId));
  return (
    <Loaded query={query} loading={i18n.t('Loading media…')} notFound={i18n.t('No known media')}>
      {({ pages }) => {
        const total = pages.at(-1)?.total ?? 0;
        if (total === 0) return <span className={classes.dim}>{i18n.t('No media')}</span>;
        return (
          <Disclosure
            isOpenAtFirst={isOpen}
            label={i18n.t('{total, plural, one {# file} other {# files}}', { total })}
          >
            <ul className={classes.entries}>
              {pages
                .flatMap(({ media }) => media)
                .map((upload) => (
                  <MediaEntry key={upload.media_id} upload={upload} />
                ))}
            </ul>
            <Link to="/media/users/$userId" params={{ userId }} className={classes.link}>
              {i18n.t('View all media')}
            </Link>
            {query.hasNextPage && (
              <Button
                variant="subtle"
                size="compact-xs"
                loading={query.isFetchingNextPage}
                onClick={() => query.fetchNextPage()}
              >
                {i18n.t('Show more')}
              </Button>
            )}
            {query.isFetchNextPageError && <p role="alert">{failureSentence(query.error)}</p>}
          </Disclosure>
        );
      }}
    </Loaded>
  );
}

function MediaEntry({ upload }: { upload: Medium }) {
  const server = useServer();
  const type = ellipsize(upload.media_type ?? '', 100);
  const name = ellipsize(upload.upload_name || upload.media_id, 200);
  const size = upload.media_length ? byteSize(upload.media_length) : undefined;
  const isShown = isImage(type) && !upload.quarantined_by;
  return (
    <li>
      {isShown ? (
        <RemoteImage
          uri={localUri(server, upload.media_id)}
          name={name}
          preview
          {...(size && { facts: size })}
        />
      ) : (
        <span>
          <HazardText text={name} />{' '}
          <span className={classes.dim}>
            <HazardText text={[type, size].filter(Boolean).join(' · ')} />
          </span>
        </span>
      )}
      <span className={classes.dim}>
        {upload.created_ts && <RelativeTime timestamp={upload.created_ts} long />}
        {upload.quarantined_by && <> · {i18n.t('quarantined')}</>}
      </span>
    </li>
  );
}
