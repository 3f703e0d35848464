import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Connection } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { SignOutQuestion } from '../../actions/SignOutQuestion.tsx';
import { serverLabel, serverName } from '../../transport/server-name.ts';
import classes from './ConnectionRow.module.css';

export function ConnectionRow({ connection, all }: { connection: Connection; all: readonly Connection[] }) {
  const [asks, setAsks] = useState(false);
  const label = serverLabel(connection, all);
  return (
    <div className={classes.row}>
      <div className={classes.text}>
        <strong>{serverName(connection)}</strong>
        {connection.local && ` (${i18n.t('local server')})`}
        <div className={classes.detail}>
          {connection.userId} · {connection.baseUrl} · {dialects[connection.dialect].administration}
        </div>
      </div>
      <Button
        variant="default"
        onClick={() => setAsks(true)}
        aria-label={i18n.t('Sign out of {name}', { name: label })}
      >
        {i18n.t('Sign out')}
      </Button>
      <SignOutQuestion connection={connection} label={label} opened={asks} onClose={() => setAsks(false)} />
    </div>
  );
}
