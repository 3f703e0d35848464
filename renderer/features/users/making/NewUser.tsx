import { i18n } from '@lingui/core';
import { Modal, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { OneUser } from './OneUser.tsx';
import { SeveralUsers } from './SeveralUsers.tsx';

type Props = { opened: boolean; onClose: () => void };

/** Makes accounts: one with all that it can have, or several from a list of names. */
export function NewUser({ opened, onClose }: Props) {
  const [how, setHow] = useState('one');
  // Kept while the dialog is closed: Escape must not lose a pasted list.
  const [text, setText] = useState('');
  const [isAtWork, setAtWork] = useState(false);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={i18n.t('Create user')}
      closeOnClickOutside={false}
      // What was made is shown once: a key that went wrong isn't to lose it.
      closeOnEscape={!isAtWork}
      withCloseButton={!isAtWork}
      size={how === 'one' ? 'md' : 'xl'}
    >
      {!isAtWork && (
        <SegmentedControl
          mb="sm"
          aria-label={i18n.t('Count')}
          value={how}
          onChange={setHow}
          data={[
            { value: 'one', label: i18n.t('One') },
            { value: 'several', label: i18n.t('Several') },
          ]}
        />
      )}
      {how === 'one' ? (
        <OneUser onClose={onClose} />
      ) : (
        <SeveralUsers text={text} onText={setText} onClose={onClose} onAtWork={setAtWork} />
      )}
    </Modal>
  );
}
