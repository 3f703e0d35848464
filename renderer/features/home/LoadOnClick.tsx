import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './Home.module.css';

/** The figures that were requested. */
const requestedFigures = () => new Set<string>();

type Props = {
  /** Identifies the figure. */
  name: string;
  /** The cost for the server. */
  costNote: string;
  children: ReactNode;
};

/** Loads expensive figures on click only, unless the server keeps running totals. */
export function LoadOnClick({ name, costNote, children }: Props) {
  const server = useServer();
  const software = useQuery(serverSoftwareQuery(server));
  const requested = server.state(requestedFigures);
  const [isRequested, setRequested] = useState(() => requested.has(name));
  if (isRequested || keepsRunningTotals(software.data)) return children;
  if (software.isPending) return null;
  if (software.isError) {
    return (
      <>
        <p className={classes.dim}>{failureSentence(software.error)}</p>
        <Button variant="default" loading={software.isFetching} onClick={() => software.refetch()}>
          {i18n.t('Retry')}
        </Button>
      </>
    );
  }
  return (
    <>
      <p className={classes.dim}>
        {software.data === null ? i18n.t('Unknown server software. May scan a whole table.') : costNote}
      </p>
      <Button
        variant="default"
        onClick={() => {
          requested.add(name);
          setRequested(true);
        }}
      >
        {i18n.t('Load')}
      </Button>
    </>
  );
}
