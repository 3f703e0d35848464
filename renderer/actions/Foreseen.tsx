import { i18n } from '@lingui/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { failureSentence } from '../components/FailureMessage.tsx';
import { useServer } from '../console-context.ts';
import classes from './ActionPanel.module.css';
import type { Action, Answers } from './action.ts';
import { type Item, keyOf } from './subject.ts';

type Props = { action: Action; item: Item; fields: Answers['fields'] };

/** What an action will do, as far as the server tells beforehand. It can be done without waiting for that. */
export default function Foreseen({ action, item, fields: typed }: Props) {
  const server = useServer();
  const [fields] = useDebouncedValue(typed, 300);
  const query = useQuery({
    queryKey: [server.id, 'foreseen', action.id, keyOf(item), fields],
    queryFn: ({ signal }) => action.foresee?.(server, item, { reason: '', fields }, signal) ?? [],
    staleTime: 10_000,
    retry: false,
  });
  return (
    <div className={classes.note} role="status">
      {query.error
        ? i18n.t('What it will do is not known beforehand: {why}', { why: failureSentence(query.error) })
        : query.data === undefined
          ? i18n.t('Asking the server what it will do…')
          : query.data.map((sentence) => <div key={sentence}>{sentence}</div>)}
    </div>
  );
}
