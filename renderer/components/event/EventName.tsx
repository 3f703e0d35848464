import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import classes from './EventView.module.css';
import { eventIdIn } from './read-json.ts';
import { Said } from './Said.tsx';

type Known = {
  /** What the event is called: reactions, votes and edits then say in words what they are about. */
  nameOf: (eventId: string) => string | undefined;
  eventOf: (eventId: string) => JsonObject | undefined;
  /** The colleague who had an event removed, by the team's log. */
  removerOf?: (event: JsonObject) => string | undefined;
};

/** The events around the one that is shown. */
export const KnownEvents = createContext<Known>({ nameOf: () => undefined, eventOf: () => undefined });

/** An event that another one is about: its beginning, or a link to it. */
export function EventName({ id, roomId }: { id: string | undefined; roomId: unknown }) {
  const { nameOf } = useContext(KnownEvents);
  const known = id === undefined ? i18n.t('an unknown event') : nameOf(id);
  return known === undefined ? (
    <EventLink id={id} roomId={roomId}>
      {i18n.t('a message')}
    </EventLink>
  ) : (
    <Said text={known} />
  );
}

/** A link to an event among the messages of its room. */
export function EventLink({
  id,
  roomId,
  children,
}: {
  id: string | undefined;
  roomId: unknown;
  children: ReactNode;
}) {
  if (typeof roomId !== 'string' || eventIdIn(id) === undefined) return <span title={id}>{children}</span>;
  return (
    <Link
      to="/rooms/$roomId"
      params={{ roomId }}
      search={({ server }) => ({ server, part: 'messages', event: id })}
      className={classes.eventLink}
      title={id}
    >
      {children}
    </Link>
  );
}
