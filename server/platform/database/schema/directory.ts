import type { Generated } from 'kysely';
import type { Flag } from './column-types.ts';

export type DirectoryTables = {
  /** How many rooms there are of each kind, so that a total is a small sum. */
  room_totals: { is_public: Flag; is_empty: Flag; part: number; total: number };
  /** What clients keep for their users. */
  account_data: {
    user_id: string;
    /** Empty for what concerns no room. */
    room_id: string;
    type: string;
    /** JSON. */
    content: string;
    /** The change that set it. */
    stream_id: Generated<number>;
  };
  /** Work on the data that goes on beside the running server, after a migration has asked for it. */
  background_updates: {
    name: string;
    /** They run one after the other, the lowest first. */
    ordering: number;
    /** JSON: where to go on. */
    progress: string;
    total_item_count: number;
    total_duration_ms: number;
  };
};
