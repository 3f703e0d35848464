/** What a background update is to the code that runs it. Interface: "Upgrade rules" 2. */

import type { JsonObject } from '../../shared/api/common.ts';
import type { Tx } from '../database/transaction.ts';

/** What one piece of an update did; without `progress` it was the last one. */
export type UpdatePiece = { items: number; progress?: JsonObject };

/**
 * Does one piece of an update, some milliseconds of work, from where the last one ended. The piece and the
 * progress are committed together: none is lost, and none is done twice.
 */
export type BackgroundUpdate = (tx: Tx, progress: JsonObject) => Promise<UpdatePiece>;
