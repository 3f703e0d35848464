import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { keepsRunningTotals, serverSoftwareQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import classes from './Home.module.css';

/** Lasts until the page closes. */
const agreed = new Set<string>();

type Props = {
  /** Identifies the figure. */
  what: string;
  /** The cost for the server. */
  why: string;
  children: ReactNode;
};

/** Loads expensive figures on click only, unless the server keeps running totals. */
export function AskFirst({ what, why, children }: Props) {
  const server = useServer();
  const software = useQuery(serverSoftwareQuery(server));
  const key = `${server.id} ${what}`;
  const [isAgreed, setAgreed] = useState(() => agreed.has(key));
  if (isAgreed || keepsRunningTotals(software.data)) return children;
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
        {software.data === null ? i18n.t('Unknown server software. May scan a whole table.') : why}
      </p>
      <Button
        variant="default"
        onClick={() => {
          agreed.add(key);
          setAgreed(true);
        }}
      >
        {i18n.t('Load')}
      </Button>
    </>
  );
}
