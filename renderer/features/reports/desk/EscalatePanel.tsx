import { i18n } from '@lingui/core';
import { Button, Modal, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { maxReasonLength, type ReportKind } from '../../../../shared/team/entries.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { useColleagues } from '../../../team/use-colleagues.ts';
import { AlsoViewing } from '../../../team/Viewers.tsx';
import classes from './EscalatePanel.module.css';

type Escalation = {
  reportIds: readonly number[];
  /** Colleagues who are viewing one of them are named. */
  viewed?: readonly { of: ReportKind; id: number }[];
  opened: boolean;
  onEscalate: (reason: string) => void;
  onClose: () => void;
};

/** Asks for the reason of an escalation, and the users to notify; both are optional. */
export function EscalatePanel({ reportIds, viewed = [], opened, onEscalate, onClose }: Escalation) {
  const [id = 0, ...others] = reportIds;
  const title =
    others.length === 0
      ? i18n.t('Escalate report {id}', { id })
      : i18n.t('Escalate {count} reports', { count: reportIds.length });
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="sm">
      <AlsoViewing reports={viewed} />
      <Reason onEscalate={onEscalate} onClose={onClose} />
    </Modal>
  );
}

/** Further colleagues can be typed. */
const maxSuggestions = 8;

function Reason({ onEscalate, onClose }: Pick<Escalation, 'onEscalate' | 'onClose'>) {
  const [reason, setReason] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const colleagues = useColleagues().map((userId) => userId.slice(0, userId.indexOf(':')));

  function mention(name: string) {
    setReason((now) => `${now}${now === '' || now.endsWith(' ') ? '' : ' '}${name} `);
    field.current?.focus();
  }
  return (
    <ConfirmForm label={i18n.t('Escalate')} onSubmit={() => onEscalate(reason.trim())} onCancel={onClose}>
      <TextInput
        ref={field}
        data-autofocus
        label={i18n.t('Reason (optional)')}
        description={colleagues.length > 0 && i18n.t('Use @name to notify colleagues.')}
        maxLength={maxReasonLength}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {colleagues.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: these aren't fields of the form
        <div role="group" aria-label={i18n.t('Mention')} className={classes.colleagues}>
          {colleagues.slice(0, maxSuggestions).map((name) => (
            <Button key={name} variant="default" size="compact-xs" onClick={() => mention(name)}>
              <HazardText text={name} />
            </Button>
          ))}
        </div>
      )}
    </ConfirmForm>
  );
}
