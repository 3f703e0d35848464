import { i18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import classes from './EventView.module.css';
import { Said } from './Said.tsx';

/** What an event is called where it is known: reactions, votes and edits then say in words what they are about. */
export const KnownEvents = createContext<(eventId: string) => string | undefined>(() => undefined);

/** An event that another one is about. */
export function EventName({ id }: { id: string | undefined }) {
  const nameOf = useContext(KnownEvents);
  const known = id === undefined ? i18n.t('an event that it does not name') : nameOf(id);
  if (known !== undefined) return known;
  return (
    <code className={classes.id}>
      <Said text={id ?? ''} />
    </code>
  );
}
