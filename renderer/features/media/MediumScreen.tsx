import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconTrashX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { actionLabel } from '../../actions/action-words.ts';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { type Medium, mediumQuery, roomMediaQuery } from '../../api/media.ts';
import { userQuery, userRoomsQuery } from '../../api/user.ts';
import { RemoteImage } from '../../components/event/RemoteImage.tsx';
import { FoldedText } from '../../components/FoldedText.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { FailureNote, StateMessage } from '../../components/LoadStates.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import { isImage } from '../../components/media/Thumbnail.tsx';
import { FactGroup, FactGroups, SubjectPage } from '../../components/page/SubjectPage.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { LoadedUserChip, RoomChip } from '../../subjects/chips.tsx';
import { Fact, Facts } from '../../subjects/DetailSection.tsx';
import { LoadedScreen } from '../../subjects/Loaded.tsx';
import { mediaFacts, mediaStates } from '../../subjects/media-states.ts';
import { FileTimeline } from '../../team/Timeline.tsx';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import { ellipsize } from '../../words/clip.ts';
import { byteSize, number } from '../../words/format.ts';
import classes from './Media.module.css';

/** Renders a file's page. */
export function MediumScreen() {
  const server = useServer();
  const navigate = useNavigate();
  const { origin, mediaId } = useParams({ from: '/frame/server/media/uploads/$origin/$mediaId' });
  const uri = `mxc://${origin}/${mediaId}`;
  const query = useQuery(mediumQuery(server, uri));
  const known = useMemo(() => mediaFacts(uri, query.data), [uri, query.data]);
  // Older servers can delete single files without reporting their details.
  const hasNoDetails = query.error instanceof NoSuchEndpoint;
  const data = query.data ?? (hasNoDetails ? { media_id: mediaId } : undefined);
  return (
    <LoadedScreen
      id={uri}
      query={{ ...query, data }}
      loading={i18n.t('Loading file…')}
      failed={i18n.t("Couldn't load file")}
      notFound={
        <StateMessage
          icon={<IconTrashX size={24} stroke={1.5} />}
          title={i18n.t('File not found')}
          description={i18n.t('Deleted, or belongs to another server.')}
        />
      }
    >
      {(medium: Medium) => {
        const userId = medium.user_id ?? undefined;
        return (
          <SubjectPage
            name={medium.upload_name || mediaId}
            id={uri}
            badges={mediaStates(medium)}
            query={query}
            actions={
              <ActionBar
                // Remote media has no known owner: logged under the admin's own ID.
                on={{ media: [{ uri, of: { userId: userId ?? server.connection.userId } }] }}
                {...(known && { known })}
                onActed={async () => {
                  const { data, error } = await query.refetch();
                  // Deleted: go to the uploader's list.
                  if (!data || error) {
                    if (userId) navigate({ to: '/media/users/$userId', params: { userId } });
                    else navigate({ to: '/media' });
                  }
                }}
              />
            }
            history={<FileTimeline uri={uri} actionLabel={actionLabel} />}
          >
            {hasNoDetails && <p>{i18n.t("This server doesn't provide file details.")}</p>}
            <FactGroups>
              {hasPreview(medium) && (
                <FactGroup title={i18n.t('Preview')}>
                  <MediaReveal>
                    <MediumPreview uri={uri} medium={medium} />
                  </MediaReveal>
                </FactGroup>
              )}
              <FactGroup title={i18n.t('Details')}>
                <MediumFacts medium={medium} origin={origin} />
              </FactGroup>
              {userId && <MediaUses key={uri} uri={uri} userId={userId} />}
            </FactGroups>
          </SubjectPage>
        );
      }}
    </LoadedScreen>
  );
}

function MediumFacts({ medium, origin }: { medium: Medium; origin: string }) {
  const { user_id, media_type, media_length, upload_name, created_ts, last_access_ts } = medium;
  return (
    <Facts>
      <Fact name={i18n.t('Uploader')}>
        {user_id && <LoadedUserChip kind={i18n.t('Uploader')} id={user_id} />}
      </Fact>
      <Fact name={i18n.t('Server')}>
        <HazardText text={origin} />
      </Fact>
      <Fact name={i18n.t('File name')}>
        {upload_name && <FoldedText text={upload_name}>{(shown) => <HazardText text={shown} />}</FoldedText>}
      </Fact>
      <Fact name={i18n.t('Type')}>{media_type && <HazardText text={media_type} />}</Fact>
      <Fact name={i18n.t('Size')}>
        {typeof media_length === 'number' &&
          (media_length < 1000
            ? byteSize(media_length)
            : i18n.t('{size} ({bytes} bytes)', {
                size: byteSize(media_length),
                bytes: number(media_length),
              }))}
      </Fact>
      <Fact name={i18n.t('Uploaded')}>{created_ts && <RelativeTime timestamp={created_ts} long />}</Fact>
      <Fact name={i18n.t('Last accessed')}>
        {last_access_ts ? <RelativeTime timestamp={last_access_ts} long /> : created_ts && i18n.t('Never')}
      </Fact>
      <Fact name={i18n.t('Access')}>
        {typeof medium.authenticated === 'boolean' || typeof medium.authenticated === 'number'
          ? medium.authenticated
            ? i18n.t('Signed-in users')
            : i18n.t('Anyone with the link')
          : undefined}
      </Fact>
      {!hasPreview(medium) && (
        <Fact name={i18n.t('Preview')}>{i18n.t('Only for PNG, JPEG, GIF and WebP')}</Fact>
      )}
      <Fact name="SHA-256">
        {medium.sha256 && (
          <span className={cells.mono}>
            <HazardText text={medium.sha256} />
          </span>
        )}
      </Fact>
    </Facts>
  );
}

/** An unknown type may be an image. */
const hasPreview = ({ media_type: type }: Medium) => !type || isImage(type);

/** Renders the image on click. */
function MediumPreview({ uri, medium }: { uri: string; medium: Medium }) {
  const { media_length: length, quarantined_by: quarantined } = medium;
  return (
    <div className={classes.preview}>
      {quarantined && <p className={cells.quiet}>{i18n.t('Visible to admins only, on click.')}</p>}
      <RemoteImage
        key={String(quarantined)}
        quarantined={Boolean(quarantined)}
        isQuarantineStated
        uri={uri}
        name={ellipsize(medium.upload_name || medium.media_id, 200)}
        glimpse
        {...(typeof length === 'number' && { facts: byteSize(length) })}
      />
    </div>
  );
}

type RoomScan = { scanned: number; rooms: number; found: string[]; state: 'looking' | 'done' | 'stopped' };

/**
 * Finds where a file is used: in its uploader's profile, and on click in the uploader's rooms. No server can look it
 * up.
 */
function MediaUses({ uri, userId }: { uri: string; userId: string }) {
  const server = useServer();
  const queryClient = useQueryClient();
  const user = useQuery(userQuery(server, userId));
  const [search, setSearch] = useState<RoomScan>();
  const [error, setError] = useState<Error>();
  const [abortController, setAbortController] = useState<AbortController>();
  // Stops the scan on unmount.
  useEffect(() => () => abortController?.abort(), [abortController]);

  async function scan() {
    const stop = new AbortController();
    setAbortController(stop);
    setError(undefined);
    const found: string[] = [];
    try {
      const { joined_rooms: rooms } = await queryClient.fetchQuery(userRoomsQuery(server, userId));
      let scanned = 0;
      const update = (state: RoomScan['state']) =>
        setSearch({ scanned, rooms: rooms.length, found: [...found], state });
      update('looking');
      for (const roomId of rooms) {
        if (stop.signal.aborted) return update('stopped');
        const { local, remote } = await queryClient.fetchQuery(roomMediaQuery(server, roomId));
        if (local.includes(uri) || remote.includes(uri)) found.push(roomId);
        scanned += 1;
        update('looking');
      }
      update('done');
    } catch (failure) {
      setError(failure as Error);
      setSearch((before) => before && { ...before, state: 'stopped' });
    } finally {
      setAbortController(undefined);
    }
  }

  return (
    <FactGroup title={i18n.t('Used in')}>
      {user.data && user.data.avatar_url === uri && <p>{i18n.t("Used as the uploader's avatar.")}</p>}
      {search && search.found.length > 0 && (
        <ul className={classes.used} aria-label={i18n.t('Rooms using this file')}>
          {search.found.map((roomId) => (
            <li key={roomId}>
              <RoomChip kind={i18n.t('Room')} id={roomId} />
            </li>
          ))}
        </ul>
      )}
      <output className={cells.quiet}>
        {search === undefined
          ? i18n.t("Unknown. Scan the uploader's rooms to find out.")
          : i18n.t(
              '{found, plural, =0 {Found in none} other {Found in #}} of {looked} scanned rooms ({rooms} total). Excludes encrypted messages and rooms the uploader left.',
              {
                found: search.found.length,
                looked: number(search.scanned),
                rooms: number(search.rooms),
              },
            )}
      </output>
      <FailureNote className={classes.failure} error={error} />
      <div>
        {abortController ? (
          <Button variant="default" onClick={() => abortController.abort()}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          search?.state !== 'done' && (
            <Button variant="default" onClick={scan}>
              {i18n.t("Scan uploader's rooms")}
            </Button>
          )
        )}
      </div>
    </FactGroup>
  );
}
