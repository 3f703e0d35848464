import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { actionById } from '../../actions/catalogue/catalogue.ts';
import { startJob } from '../../actions/jobs/run-job.ts';
import { SubmitButton } from '../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { useRoleLimit } from '../../team/use-role.ts';
import { serverName } from '../../transport/server-name.ts';
import classes from './CleanUp.module.css';

/** Starts a clean-up job, which continues in the tray. */
export function useCleanUp(id: 'delete-unused-media' | 'purge-media-copies') {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const [isStarted, setStarted] = useState(false);
  return {
    isStarted,
    start(fields: Record<string, number | boolean>) {
      const action = actionById(id);
      if (!action) return;
      const { connection } = server;
      const items = [{ kind: 'server', name: serverName(connection), actor: connection.userId }] as const;
      startJob({ server, queryClient, deletedReports }, { action, items, answers: { reason: '', fields } });
      setStarted(true);
    },
  };
}

type Props = {
  label: string;
  /** Describes the permanent loss. */
  consequences: string;
  onDelete: () => void;
};

/** Renders a deletion that needs the server's name typed. */
export function TypedDeletion({ label, consequences, onDelete }: Props) {
  const expected = serverName(useServer().connection);
  const [typed, setTyped] = useState('');
  const [isMismatch, setMismatch] = useState(false);
  const limit = useRoleLimit('lead');
  if (limit) return <p>{limit}</p>;

  function submit(event: FormEvent) {
    event.preventDefault();
    setMismatch(typed.trim() !== expected);
    if (typed.trim() === expected) onDelete();
  }
  return (
    <form className={classes.deletion} onSubmit={submit} noValidate>
      <p className={classes.lost}>
        <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
        {consequences}
      </p>
      <TextInput
        label={i18n.t('Type {wanted} to confirm', { wanted: expected })}
        value={typed}
        error={isMismatch && i18n.t("Doesn't match yet")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMismatch(false);
        }}
        autoComplete="off"
        spellCheck={false}
      />
      <div className={classes.buttons}>
        <SubmitButton className={classes.destructive}>{label}</SubmitButton>
      </div>
    </form>
  );
}
