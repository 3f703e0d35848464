import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { roomMediaQuery } from '../../api/media.ts';
import { userQuery } from '../../api/user.ts';
import { userRoomsQuery } from '../../api/user-rooms.ts';
import cells from '../../components/table/cells.module.css';
import { useServer } from '../../console-context.ts';
import { RoomChip } from '../../subjects/chips.tsx';
import { failureSentence } from '../../transport/failure-sentence.ts';
import { number } from '../../words/format.ts';
import classes from './Media.module.css';

type Search = { looked: number; rooms: number; found: string[]; state: 'looking' | 'done' | 'stopped' };

/**
 * Where an upload is used, as far as that can be known: in its uploader's profile, and by a click in the rooms that
 * its uploader is in. No server tells it the other way round.
 */
export function MediumUses({ uri, userId }: { uri: string; userId: string }) {
  const server = useServer();
  const queryClient = useQueryClient();
  const user = useQuery(userQuery(server, userId));
  const [search, setSearch] = useState<Search>();
  const [error, setError] = useState<Error>();
  const [stopper, setStopper] = useState<AbortController>();
  // Whoever has left wants no more rooms looked through.
  useEffect(() => () => stopper?.abort(), [stopper]);

  async function look() {
    const stop = new AbortController();
    setStopper(stop);
    setError(undefined);
    const found: string[] = [];
    try {
      const { joined_rooms: rooms } = await queryClient.fetchQuery(userRoomsQuery(server, userId));
      let looked = 0;
      const say = (state: Search['state']) =>
        setSearch({ looked, rooms: rooms.length, found: [...found], state });
      say('looking');
      for (const roomId of rooms) {
        if (stop.signal.aborted) return say('stopped');
        const { local, remote } = await queryClient.fetchQuery(roomMediaQuery(server, roomId));
        if (local.includes(uri) || remote.includes(uri)) found.push(roomId);
        looked += 1;
        say('looking');
      }
      say('done');
    } catch (failure) {
      setError(failure as Error);
      setSearch((before) => before && { ...before, state: 'stopped' });
    } finally {
      setStopper(undefined);
    }
  }

  return (
    <section className={classes.section} aria-label={i18n.t('Used in')}>
      <h2>{i18n.t('Used in')}</h2>
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
                looked: number(search.looked),
                rooms: number(search.rooms),
              },
            )}
      </output>
      {error && (
        <p className={classes.failure} role="alert">
          {failureSentence(error)}
        </p>
      )}
      <div>
        {stopper ? (
          <Button variant="default" onClick={() => stopper.abort()}>
            {i18n.t('Stop')}
          </Button>
        ) : (
          search?.state !== 'done' && (
            <Button variant="default" onClick={look}>
              {i18n.t("Scan uploader's rooms")}
            </Button>
          )
        )}
      </div>
    </section>
  );
}
