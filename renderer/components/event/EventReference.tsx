import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { ellipsize } from '../../words/clip.ts';
import { HazardText } from '../HazardText.tsx';
import { identifierWarning } from '../text-hazards.ts';
import { Warning } from '../Warning.tsx';
import classes from './EventView.module.css';
import { eventIdIn } from './read-json.ts';

/** Renders clipped untrusted text within a sentence. */
export function QuotedText({ text }: { text: string }) {
  return <HazardText text={ellipsize(text)} />;
}

/** Renders a whole user ID within a sentence, because a name can be anyone's. */
export function UserMention({ id }: { id: string }) {
  const warning = identifierWarning(id);
  return (
    <span className={classes.who}>
      <QuotedText text={id} />
      {warning && <Warning reason={warning} />}
    </span>
  );
}

type EventLookup = {
  /** An event's name, for reactions, votes and edits that refer to it. */
  nameOf: (eventId: string) => string | undefined;
  eventOf: (eventId: string) => JsonObject | undefined;
  /** The admin who had the event redacted, from the team's log. */
  removerOf?: (event: JsonObject) => string | undefined;
};

/** Provides the events around the shown one. */
export const EventLookupContext = createContext<EventLookup>({
  nameOf: () => undefined,
  eventOf: () => undefined,
});

/** Renders an event that another one refers to: an excerpt, or a link. */
export function EventName({ id, roomId }: { id: string | undefined; roomId: unknown }) {
  const { nameOf } = useContext(EventLookupContext);
  const name = id === undefined ? i18n.t('an unknown event') : nameOf(id);
  return name === undefined ? (
    <EventLink id={id} roomId={roomId}>
      {i18n.t('a message')}
    </EventLink>
  ) : (
    <QuotedText text={name} />
  );
}

/** Links to an event in its room's timeline. */
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
      search={{ part: 'messages', event: id }}
      className={classes.eventLink}
      title={id}
    >
      {children}
    </Link>
  );
}
