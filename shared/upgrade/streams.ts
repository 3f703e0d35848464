/** Where replication streams changed so that workers on the two sides don't understand each other. */
import { parseVersion, type Version } from './version.ts';

export type StreamBoundary = {
  release: Version;
  /** The streams whose format changed. */
  streams: readonly string[];
  /** What changed in them, in a part of a sentence. */
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
