/** Incompatible changes of replication streams. */
import { parseVersion, type Version } from './version.ts';

export type StreamBoundary = {
  release: Version;
  /** The streams whose format changed. */
  streams: readonly string[];
  /** The change, as a clause. */
  change: string;
};

/** Oldest first. Interface: "Upgrade rules", 4. */
export const streamBoundaries: readonly StreamBoundary[] = [
  { release: parseVersion('1.64.0'), streams: ['events'], change: /*i18n*/ 'events have an outlier flag' },
  {
    release: parseVersion('1.69.0'),
    streams: ['receipts'],
    change: /*i18n*/ 'receipts have a thread indicator',
  },
  {
    release: parseVersion('1.76.0'),
    streams: ['account data', 'devices'],
    change: /*i18n*/ 'account data and device formats changed',
  },
];
