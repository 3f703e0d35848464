import { Fragment } from 'react';

/** What stands in a panel in place of a part whose script could not be loaded: the panel does without. */
export const nothingInstead = { default: () => <Fragment /> };
