import type { Generated } from 'kysely';

export type SyncTables = {
  /** Sync filters, by an ID derived from the filter. */
  filters: {
    user_id: string;
    filter_id: string;
    /** JSON. */
    filter: string;
  };
  /** The last positions of each sliding sync connection. */
  sliding_positions: {
    position: Generated<number>;
    user_id: string;
    device_id: string;
    /** The client's connection ID; often empty. */
    connection_id: string;
    /** JSON: the rooms that were sent, with their lists and state. */
    state: string;
    used_ts: number;
  };
};
