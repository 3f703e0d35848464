import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { Connection } from '../../../shared/connection.ts';
import { useSignOut } from '../../team/use-sign-out.ts';
import { serverLabel, serverName } from '../../transport/server-name.ts';
import classes from './ConnectionRow.module.css';

export function ConnectionRow({ connection, all }: { connection: Connection; all: readonly Connection[] }) {
  const signOut = useSignOut();
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <strong>{serverName(connection)}</strong>
        {connection.local && ` (${i18n.t('local server')})`}
        <div className={classes.detail}>
          {connection.userId} · {connection.baseUrl} · {connection.dialect}
        </div>
      </div>
      <Button
        variant="default"
        loading={signOut.isPending}
        onClick={() => signOut.mutate(connection)}
        aria-label={i18n.t('Sign out of {name}', { name: serverLabel(connection, all) })}
      >
        {i18n.t('Sign out')}
      </Button>
    </div>
  );
}
