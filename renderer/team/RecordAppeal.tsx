import { i18n } from '@lingui/core';
import { Modal, Textarea, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { appealAction, canAppeal } from '../../shared/team/appeals.ts';
import { type ActionEntry, maxReasonLength, type TeamEntry } from '../../shared/team/entries.ts';
import { ConfirmForm } from '../components/ConfirmForm.tsx';
import { noticesOf } from '../components/notices.ts';
import { useServer } from '../console-context.ts';
import { newId } from '../new-id.ts';
import classes from './Timeline.module.css';
import { teamOf } from './team-store.ts';
import { useAppeals } from './use-appeals.ts';

/** Offers to record a user's appeal against an action; nothing if there's one already. */
export function RecordAppeal({ entry }: { entry: TeamEntry }) {
  const [isOpen, setOpen] = useState(false);
  const appeals = useAppeals();
  if (entry.type !== 'action' || !canAppeal(entry)) return null;
  const isKnown = appeals.some(
    ({ of, userId }) =>
      entry.subject.kind === 'user' &&
      userId === entry.subject.userId &&
      of.action === entry.action &&
      of.by === entry.by &&
      Math.abs(of.at - entry.at) < 1000,
  );
  if (isKnown) return null;
  return (
    <>
      <UnstyledButton className={classes.more} onClick={() => setOpen(true)}>
        {i18n.t('Record appeal…')}
      </UnstyledButton>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={i18n.t('Record appeal')} size="md">
        <AppealForm entry={entry} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function AppealForm({ entry, onClose }: { entry: ActionEntry; onClose: () => void }) {
  const server = useServer();
  const [text, setText] = useState('');
  function record() {
    const { action, by, at, subject } = entry;
    const appeal = { id: newId(), of: { action, by, at } };
    const write = (outcome: 'done' | 'undone') =>
      teamOf(server)
        .snapshot()
        .record({ action: appealAction, subject, reports: [], outcome, detail: text.trim(), appeal });
    write('done');
    onClose();
    const hide = noticesOf(server).show({
      text: i18n.t('Appeal recorded'),
      undo() {
        hide();
        write('undone');
      },
      undoLabel: i18n.t('Record appeal'),
    });
  }
  return (
    <ConfirmForm
      label={i18n.t('Record appeal')}
      multiline
      disabled={text.trim() === ''}
      onSubmit={record}
      onCancel={onClose}
    >
      <Textarea
        data-autofocus
        label={i18n.t('Text as received')}
        description={i18n.t('Kept in the team room. A moderator other than the one who acted decides.')}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={maxReasonLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ConfirmForm>
  );
}
