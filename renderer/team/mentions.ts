import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';

/** Event IDs of opened and dismissed mentions. */
export const readMentions = ({ id, kept }: Server) =>
  kept.open(`gatehouse.mentions.${id}`, Type.Array(Type.String()), []);
