import type { Generated } from 'kysely';

export type SyncTables = {
  /** What clients asked to be shown, by an identifier that is made of the filter itself. */
  filters: {
    user_id: string;
    filter_id: string;
    /** JSON. */
    filter: string;
  };
  /** Up to where a client's connection of sliding sync has come: the last few of each. */
  sliding_positions: {
    position: Generated<number>;
    user_id: string;
    device_id: string;
    /** What the client calls the connection; often empty. */
    connection_id: string;
    /** JSON: which rooms were sent, and how. */
    state: string;
    used_ts: number;
  };
};
