import { i18n } from '@lingui/core';
import { Button, Modal, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { useServer } from '../../../console-context.ts';
import { longestReason } from '../../../team/entries.ts';
import { useTeam } from '../../../team/use-team.ts';
import classes from './EscalatePanel.module.css';

export type Escalation = {
  reportIds: readonly number[];
  opened: boolean;
  onEscalate: (reason: string) => void;
  onClose: () => void;
};

/** Asks why reports are escalated, and whom to notify; both are optional. */
export function EscalatePanel({ reportIds, opened, onEscalate, onClose }: Escalation) {
  const [id = 0, ...others] = reportIds;
  const title =
    others.length === 0
      ? i18n.t('Escalate report {id}', { id })
      : i18n.t('Escalate {count} reports', { count: reportIds.length });
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <Reason onEscalate={onEscalate} onClose={onClose} />
    </Modal>
  );
}

/** So many colleagues are offered; others can be typed. */
const mostOffered = 8;

function Reason({ onEscalate, onClose }: Pick<Escalation, 'onEscalate' | 'onClose'>) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const colleagues = useColleagues();

  function mention(name: string) {
    setReason((now) => `${now}${now === '' || now.endsWith(' ') ? '' : ' '}${name} `);
    field.current?.focus();
  }
  return (
    <ConfirmForm
      label={i18n.t('Escalate')}
      failure={undefined}
      onSubmit={() => onEscalate(reason.trim())}
      onCancel={onClose}
    >
      <TextInput
        ref={field}
        data-autofocus
        label={i18n.t('Reason (optional)')}
        description={colleagues.length > 0 && i18n.t('Use @name to notify colleagues.')}
        maxLength={longestReason}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {colleagues.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: these are no fields of the form
        <div role="group" aria-label={i18n.t('Mention')} className={classes.colleagues}>
          {colleagues.slice(0, mostOffered).map((name) => (
            <Button key={name} variant="default" size="compact-xs" onClick={() => mention(name)}>
              <HazardText text={name} />
            </Button>
          ))}
        </div>
      )}
    </ConfirmForm>
  );
}

/** The other members of the team room and those invited to it, as `@localpart`. */
function useColleagues(): string[] {
  const { connection } = useServer();
  const { room } = useTeam().sync;
  if (room.is !== 'open') return [];
  return [...room.room.memberships].flatMap(([userId, membership]) =>
    (membership === 'join' || membership === 'invite') &&
    userId !== connection.userId &&
    room.room.administrators.has(userId)
      ? userId.slice(0, userId.indexOf(':'))
      : [],
  );
}
