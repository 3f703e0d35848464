import { createContext } from 'react';

/** Tells the page whether something is selected in a list on it; undefined where the list is the whole screen. */
export const TellSelecting = createContext<((isSelecting: boolean) => void) | undefined>(undefined);

/** Whether what is done with a selection has the keys now, and what is done with the page's own subject has none. */
export const KeysAreElsewhere = createContext(false);
