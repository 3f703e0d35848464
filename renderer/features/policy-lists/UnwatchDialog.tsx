import { i18n } from '@lingui/core';
import { Checkbox, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveRoom } from '../../api/memberships.ts';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { inSentence } from '../../components/text-hazards.ts';
import { useServer } from '../../console-context.ts';
import { policyListKind } from '../../team/policy-lists.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { OpenList } from './open-list.ts';
import classes from './PolicyLists.module.css';

type Props = { list: OpenList; onUnwatched: () => void; onClose: () => void };

export function UnwatchDialog({ list: { roomId, name }, onUnwatched, onClose }: Props) {
  const server = useServer();
  const team = useTeam();
  const [leaves, setLeaves] = useState(false);
  const unwatch = useMutation({
    async mutationFn() {
      if (leaves) await leaveRoom(server, roomId);
      team.putDocument(policyListKind, roomId, null);
      team.record({
        action: 'unwatch-policy-list',
        subject: { kind: 'room', roomId },
        reports: [],
        outcome: 'done',
      });
    },
    onSuccess: onUnwatched,
  });
  return (
    <Modal opened onClose={onClose} title={i18n.t('Unwatch {name}?', { name: inSentence(name) })}>
      <ConfirmForm
        label={i18n.t('Unwatch')}
        failure={unwatch.error ? failureSentence(unwatch.error) : undefined}
        busy={unwatch.isPending}
        onSubmit={() => unwatch.mutate()}
        onCancel={onClose}
      >
        <p className={classes.note}>
          {i18n.t('Removes the list for your team. Bans and blocks that you applied stay.')}
        </p>
        <Checkbox
          size="xs"
          label={i18n.t('Leave the room')}
          description={i18n.t("If you're the last local member, this server gets no more updates.")}
          checked={leaves}
          onChange={(event) => setLeaves(event.currentTarget.checked)}
        />
      </ConfirmForm>
    </Modal>
  );
}
