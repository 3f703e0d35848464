import { i18n } from '@lingui/core';
import { createContext, useContext } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import classes from './EventView.module.css';
import { Said } from './Said.tsx';

type Known = {
  /** What the event is called: reactions, votes and edits then say in words what they are about. */
  nameOf: (eventId: string) => string | undefined;
  eventOf: (eventId: string) => JsonObject | undefined;
};

/** The events around the one that is shown. */
export const KnownEvents = createContext<Known>({ nameOf: () => undefined, eventOf: () => undefined });

/** An event that another one is about. */
export function EventName({ id }: { id: string | undefined }) {
  const { nameOf } = useContext(KnownEvents);
  const known = id === undefined ? i18n.t('an event that it does not name') : nameOf(id);
  if (known !== undefined) return <Said text={known} />;
  return (
    <code className={classes.id}>
      <Said text={id ?? ''} />
    </code>
  );
}
