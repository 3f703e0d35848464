import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { countsAtOnce, serverSoftwareQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';
import classes from './Home.module.css';

/** The figures that were requested. */
const requestedFigures = () => new Set<string>();

type Props = {
  /** Identifies the figure. */
  name: string;
  /** The number of accounts. */
  accounts: number;
  /** The cost for the server. */
  costNote: string;
  children: ReactNode;
};

/** Loads figures that scan tables on click only on a large server, unless it keeps running totals. */
export function LoadOnClick({ name, accounts, costNote, children }: Props) {
  const server = useServer();
  const { data: software } = useQuery(serverSoftwareQuery(server));
  const requested = server.state(requestedFigures);
  const [isRequested, setRequested] = useState(() => requested.has(name));
  if (isRequested || countsAtOnce(software, accounts)) return children;
  return (
    <div className={classes.onRequest}>
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => {
          requested.add(name);
          setRequested(true);
        }}
      >
        {i18n.t('Load')}
      </Button>
      <span className={classes.dim}>{costNote}</span>
    </div>
  );
}
