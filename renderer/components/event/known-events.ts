import { createContext } from 'react';

/** What an event is called where it is known: reactions, votes and edits then say what they are about in words. */
export const KnownEvents = createContext<(eventId: string | undefined) => string | undefined>(() => undefined);
