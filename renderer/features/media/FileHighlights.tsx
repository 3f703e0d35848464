import { i18n } from '@lingui/core';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import { localUri, parseMxcUri } from '../../api/media.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { maxNameLength } from '../../components/Identity.tsx';
import { Thumbnail } from '../../components/media/Thumbnail.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import { useIsSpacious } from '../../components/use-spacious.ts';
import { useServer } from '../../console-context.ts';
import { useAccountName } from '../../team/account-names.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import { ellipsize, shortId } from '../../words/clip.ts';
import { byteSize } from '../../words/format.ts';
import classes from './FileHighlights.module.css';
import { highlightsQuery, type OwnedFile } from './media-highlights.ts';

type Props = {
  title: string;
  /** Describes the owners of the files. */
  note: string;
  /** The users whose files are compared; undefined while that is loading. */
  userIds: readonly string[] | undefined;
  /** Why the users couldn't be loaded. */
  error?: Error | null;
};

const shownRows = 8;
/** In two columns. */
const spaciousRows = 16;
/** In pixels: a tile with its gap, as in the style sheet. */
const tileWidth = 100;
const tileGap = 12;

/** Renders the newest files of some users as tiles: as many as fit in two lines. */
export function RecentFiles(props: Props) {
  const { ref, width } = useElementSize();
  const shownTiles = 2 * Math.max(1, Math.floor((width + tileGap) / tileWidth));
  return (
    <Highlight
      {...props}
      contentRef={ref}
      order="created_ts"
      placeholder={<div className={classes.tiles}>{tileSkeletons.slice(0, shownTiles)}</div>}
    >
      {(files) => (
        <ul className={classes.tiles}>
          {files.slice(0, shownTiles).map((file) => (
            <li key={file.media_id}>
              <FileLink file={file} className={classes.tile}>
                <span className={classes.picture}>
                  <FileThumb file={file} size={88} />
                  <Avatar id={file.owner} size={20} />
                  <VisuallyHidden>
                    <Owner id={file.owner} />{' '}
                  </VisuallyHidden>
                </span>
                <span className={classes.name}>
                  <HazardText text={nameOf(file)} />
                </span>
                <span className={classes.quiet}>
                  {file.created_ts && <RelativeTime timestamp={file.created_ts} />}
                </span>
              </FileLink>
            </li>
          ))}
        </ul>
      )}
    </Highlight>
  );
}

/** Renders the largest files of some users as rows. */
export function LargestFiles(props: Props) {
  const count = useIsSpacious() ? spaciousRows : shownRows;
  return (
    <Highlight
      {...props}
      order="media_length"
      placeholder={<div className={classes.rows}>{rowSkeletons.slice(0, count)}</div>}
    >
      {(files) => (
        <ul className={classes.rows}>
          {files.slice(0, count).map((file) => (
            <li key={file.media_id}>
              <FileLink file={file} className={classes.row}>
                <FileThumb file={file} size={22} />
                <span className={classes.name}>
                  <HazardText text={nameOf(file)} />
                </span>
                <NamedOwner id={file.owner} />
                <span className={classes.size}>{byteSize(file.media_length ?? 0)}</span>
              </FileLink>
            </li>
          ))}
        </ul>
      )}
    </Highlight>
  );
}

type HighlightProps = Props & {
  order: 'created_ts' | 'media_length';
  placeholder: ReactNode;
  contentRef?: Ref<HTMLDivElement>;
  children: (files: readonly OwnedFile[]) => ReactNode;
};

function Highlight({
  title,
  note,
  userIds,
  order,
  placeholder,
  contentRef,
  children,
  ...props
}: HighlightProps) {
  const query = useQuery({
    ...highlightsQuery(useServer(), userIds ?? [], order),
    enabled: userIds !== undefined,
  });
  const error = props.error ?? query.error;
  function content() {
    if (query.data) return query.data.length > 0 ? children(query.data) : <p>{i18n.t('No media')}</p>;
    if (!error) return placeholder;
    return (
      <p className={classes.failure} role="alert">
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        {failureSentence(error)}
      </p>
    );
  }
  return (
    <section className={classes.highlight} aria-label={title}>
      <h2>
        {title} <span className={classes.quiet}>{note}</span>
      </h2>
      <div ref={contentRef}>{content()}</div>
    </section>
  );
}

const nameOf = (file: OwnedFile) => ellipsize(file.upload_name || file.media_id, 200);

type FileProps = { file: OwnedFile };

function FileLink({ file, ...props }: FileProps & { className: string | undefined; children: ReactNode }) {
  const { origin, mediaId } = parseMxcUri(localUri(useServer(), file.media_id));
  return (
    <Link
      to="/media/uploads/$origin/$mediaId"
      params={{ origin, mediaId }}
      title={`${nameOf(file)} · ${ellipsize(file.owner, 255)}`}
      {...props}
    />
  );
}

const FileThumb = ({ file, size }: FileProps & { size: number }) => (
  <Thumbnail
    uri={localUri(useServer(), file.media_id)}
    type={file.media_type ?? '/'}
    isQuarantined={Boolean(file.quarantined_by)}
    size={size}
  />
);

const Owner = ({ id }: { id: string }) => (
  <HazardText text={ellipsize(shortId(id, serverName(useServer().connection)), 60)} />
);

/** The owners are few: their names load at once. */
const NamedOwner = ({ id }: { id: string }) => {
  const name = useAccountName(id);
  return (
    <span className={classes.owner}>
      <Avatar id={id} name={name} size={18} />
      <span className={classes.ownerName}>
        {name ? <HazardText text={ellipsize(name, maxNameLength)} /> : <Owner id={id} />}
      </span>
    </span>
  );
};

const tileSkeletons = Array.from({ length: 32 }, (_, index) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
  <Skeleton key={index} width={88} height={124} />
));

const rowSkeletons = Array.from({ length: spaciousRows }, (_, index) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
  <Skeleton key={index} height={14} />
));
