import { i18n } from '@lingui/core';
import { Checkbox, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createPolicyList } from '../../api/policy-lists/policy-lists.ts';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { useServer } from '../../console-context.ts';
import { policyListKind } from '../../team/policy-lists.ts';
import { useTeam } from '../../team/use-team.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import classes from './PolicyLists.module.css';

type Props = { onCreated: (roomId: string) => void; onClose: () => void };

/** Creates a list for the team's own rules. */
export function CreateListDialog({ onCreated, onClose }: Props) {
  const server = useServer();
  const team = useTeam();
  const [name, setName] = useState('');
  const [alias, setAlias] = useState('');
  const [isPublic, setPublic] = useState(false);
  const isValid = name.trim() !== '' && /^[a-z0-9._=-]{1,60}$/.test(alias);
  const create = useMutation({
    mutationFn: () => createPolicyList(server, { name: name.trim(), alias, isPublic }),
    onSuccess(roomId) {
      team.putDocument(policyListKind, roomId, { name: name.trim(), publish: true });
      team.record({
        action: 'create-policy-list',
        subject: { kind: 'room', roomId },
        reports: [],
        outcome: 'done',
      });
      onCreated(roomId);
    },
  });
  return (
    <Modal opened onClose={onClose} title={i18n.t('Create policy list')}>
      <ConfirmForm
        label={i18n.t('Create list')}
        failure={create.error ? failureSentence(create.error) : undefined}
        busy={create.isPending}
        disabled={!isValid}
        onSubmit={() => create.mutate()}
        onCancel={onClose}
      >
        <TextInput
          size="xs"
          label={i18n.t('Name')}
          data-autofocus
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="off"
        />
        <TextInput
          size="xs"
          label={i18n.t('Shortcode')}
          description={i18n.t('Names the list in tools such as Draupnir. Lower-case letters and digits.')}
          value={alias}
          onChange={(event) => setAlias(event.currentTarget.value.toLowerCase())}
          autoComplete="off"
          spellCheck={false}
        />
        <Checkbox
          size="xs"
          label={i18n.t('Public')}
          description={
            isPublic
              ? i18n.t('Anyone can join and read it as {alias}.', {
                  alias: `#${alias || '…'}:${serverName(server.connection)}`,
                })
              : i18n.t('Only invited users can read it.')
          }
          checked={isPublic}
          onChange={(event) => setPublic(event.currentTarget.checked)}
        />
        <p className={classes.note}>{i18n.t('Server admins of your team can publish rules in it.')}</p>
      </ConfirmForm>
    </Modal>
  );
}
