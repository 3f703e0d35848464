import { i18n } from '@lingui/core';
import { Button, Modal } from '@mantine/core';
import type { Connection } from '../../shared/connection.ts';
import classes from './SignOutQuestion.module.css';
import { useSignOut } from './use-sign-out.ts';

type Props = {
  connection: Connection;
  /** What the server is called. */
  label: string | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Asks before a session is ended, wherever that is chosen. */
export function SignOutQuestion({ connection, label, opened, onClose }: Props) {
  const signOut = useSignOut();
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Sign out of {name}', { name: label })} size="sm">
      <p className={classes.text}>
        {i18n.t(
          'Signs out {userId} and removes its server data from this device. Unshared statuses and notes stay.',
          { userId: connection.userId },
        )}
      </p>
      <div className={classes.buttons}>
        <Button
          data-autofocus
          loading={signOut.isPending}
          onClick={() => signOut.mutate(connection, { onSettled: onClose })}
        >
          {i18n.t('Sign out')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Cancel')}
        </Button>
      </div>
    </Modal>
  );
}
