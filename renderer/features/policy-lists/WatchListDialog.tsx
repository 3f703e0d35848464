import { i18n } from '@lingui/core';
import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ownPermissionsQuery } from '../../api/memberships.ts';
import { joinList, policyListQuery, viaOf } from '../../api/policy-lists/policy-lists.ts';
import { getRoom } from '../../api/room.ts';
import { roomOfAlias } from '../../api/room-list.ts';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { parsePastedId } from '../../components/pasted-id.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { policyListKind } from '../../team/policy-lists.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence, NotFound } from '../../transport/refusal.ts';
import { truncate } from '../../words/clip.ts';
import classes from './PolicyLists.module.css';

type Props = { onWatched: (roomId: string) => void; onClose: () => void };

/** Adds a list by ID, alias or link. */
export function WatchListDialog({ onWatched, onClose }: Props) {
  const server = useServer();
  const { queryClient } = useConsole();
  const team = useTeam();
  const [typed, setTyped] = useState('');
  const room = parsePastedId(typed.trim());
  const isRoom = /^[!#]\S+$/.test(room);
  const watch = useMutation({
    async mutationFn() {
      const isAlias = room.startsWith('#');
      const known = isAlias ? await roomOfAlias(server, room) : room;
      const isHere =
        known !== undefined &&
        (await getRoom(server, known).then(
          ({ joined_local_members }) => joined_local_members !== 0,
          (error) => {
            if (error instanceof NotFound) return false;
            throw error;
          },
        ));
      const roomId = isHere && known ? known : await joinList(server, room, viaOf(typed, room, server));
      const { name } = await queryClient.fetchQuery(policyListQuery(server, roomId));
      const { rules: mayPublish } = await queryClient.fetchQuery(ownPermissionsQuery(server, roomId));
      team.putDocument(policyListKind, roomId, {
        name: truncate(name ?? room, 255).toWellFormed(),
        ...(mayPublish && { publish: true }),
      });
      team.record({
        action: 'watch-policy-list',
        subject: { kind: 'room', roomId },
        reports: [],
        outcome: 'done',
      });
      return roomId;
    },
    onSuccess: onWatched,
  });
  return (
    <Modal opened onClose={onClose} title={i18n.t('Watch policy list')}>
      <ConfirmForm
        label={i18n.t('Watch list')}
        failure={watch.error ? failureSentence(watch.error) : undefined}
        busy={watch.isPending}
        disabled={!isRoom}
        onSubmit={() => watch.mutate()}
        onCancel={onClose}
      >
        <TextInput
          size="xs"
          label={i18n.t('Room ID, alias or link')}
          description={i18n.t('Such as #list:example.org or a matrix.to link')}
          data-autofocus
          value={typed}
          error={typed.trim() !== '' && !isRoom && i18n.t('Enter a room ID (!…) or alias (#…).')}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <p className={classes.note}>
          {i18n.t(
            "If no local user is in the list's room, {userId} joins it. Members of the room see that. Lists on other servers need federation.",
            { userId: server.connection.userId },
          )}
        </p>
        <p className={classes.note}>
          {i18n.t('Your team also sees the list. Its rules are only applied when you choose to.')}
        </p>
      </ConfirmForm>
    </Modal>
  );
}
