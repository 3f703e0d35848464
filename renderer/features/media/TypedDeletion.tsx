import { i18n } from '@lingui/core';
import { TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { actionById } from '../../actions/catalogue/catalogue.ts';
import { startJob } from '../../actions/jobs/run-job.ts';
import { SubmitButton } from '../../components/ConfirmForm.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { serverName } from '../../transport/server-name.ts';
import classes from './CleanUp.module.css';

/** Starts a clean-up job, which continues in the tray. */
export function useCleanUp(id: 'delete-unused-media' | 'purge-media-copies') {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const [isBegun, setBegun] = useState(false);
  return {
    isBegun,
    begin(fields: Record<string, number | boolean>) {
      const action = actionById(id);
      if (!action) return;
      const { connection } = server;
      const items = [{ kind: 'server', name: serverName(connection), actor: connection.userId }] as const;
      startJob({ server, queryClient, deletedReports }, { action, items, answers: { reason: '', fields } });
      setBegun(true);
    },
  };
}

type Props = {
  label: string;
  /** What is lost for good. */
  lost: string;
  onDelete: () => void;
};

/** Renders a deletion that needs the server's name typed. */
export function TypedDeletion({ label, lost, onDelete }: Props) {
  const wanted = serverName(useServer().connection);
  const [typed, setTyped] = useState('');
  const [missing, setMissing] = useState(false);

  function go(event: FormEvent) {
    event.preventDefault();
    setMissing(typed.trim() !== wanted);
    if (typed.trim() === wanted) onDelete();
  }
  return (
    <form className={classes.deletion} onSubmit={go} noValidate>
      <p className={classes.lost}>
        <IconAlertTriangle size={14} stroke={1.7} aria-hidden />
        {lost}
      </p>
      <TextInput
        label={i18n.t('Type {wanted} to confirm', { wanted })}
        value={typed}
        error={missing && i18n.t("Doesn't match yet")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setMissing(false);
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
