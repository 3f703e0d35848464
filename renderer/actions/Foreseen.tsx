import { i18n } from '@lingui/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useServer } from '../console-context.ts';
import { failureSentence } from '../transport/failure-sentence.ts';
import classes from './ActionPanel.module.css';
import type { Action, Answers } from './action.ts';
import { type Item, keyOf } from './subject.ts';

type Props = {
  action: Action;
  item: Item;
  fields: Answers['fields'];
  /** As these fields are, there is nothing to do. */
  onIdle: (fields: Answers['fields']) => void;
};

/** What an action will do, as far as the server tells beforehand. It can be done without waiting for that. */
export function Foreseen({ action, item, fields: typed, onIdle }: Props) {
  const server = useServer();
  const [fields] = useDebouncedValue(typed, 300);
  const query = useQuery({
    queryKey: [server.id, 'foreseen', action.id, keyOf(item), fields],
    queryFn: async ({ signal }) =>
      (await action.foresee?.(server, item, { reason: '', fields }, signal)) ?? { said: [] },
    staleTime: 10_000,
    retry: false,
  });
  const { idle = false, said, taskOf } = query.data ?? {};
  useEffect(() => {
    if (idle) onIdle(fields);
  }, [idle, fields, onIdle]);
  return (
    <div className={classes.note} role="status">
      {query.error
        ? i18n.t('Preview unavailable: {why}', { why: failureSentence(query.error) })
        : said === undefined
          ? i18n.t('Loading preview…')
          : said.map((sentence) => <div key={sentence}>{sentence}</div>)}
      {taskOf !== undefined && (
        <Link to="/tasks" search={({ server }) => ({ server, resource: taskOf })} className={classes.way}>
          {i18n.t('View task')}
        </Link>
      )}
    </div>
  );
}
