import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { AskingForm } from '../../components/AskingForm.tsx';
import { failureSentence } from '../../transport/failure-sentence.ts';
import type { LocalProgram } from '../../transport/local-host.ts';
import { serverName } from '../../transport/server-name.ts';
import type { Workbench } from '../../transport/workbench.ts';
import classes from './LocalServer.module.css';
import { useReplacing } from './use-replacing.ts';

type Props = { bench: Workbench; program: LocalProgram; onClose: () => void };

/** Begins anew with an empty server; what was there is kept beside it. Its name has to be typed. */
export function ResetServer({ bench, program, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const name = serverName(bench.connection);

  const reset = useReplacing(bench, 'reset', program.reset);

  return (
    <section className={classes.panel} aria-label={i18n.t('Reset server')}>
      <AskingForm
        label={i18n.t('Reset server')}
        failure={reset.error ? failureSentence(reset.error) : undefined}
        busy={reset.isPending}
        disabled={typed !== name}
        onSend={() => reset.mutate(undefined, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <p>
          {i18n.t(
            'Deletes all users, rooms, messages, reports and sessions. Keeps the configuration and a copy of the data.',
          )}
        </p>
        <TextInput
          data-autofocus
          label={i18n.t('Type {name} to confirm', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </AskingForm>
    </section>
  );
}
