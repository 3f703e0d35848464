import { Type } from 'typebox';
import type { Server } from '../transport/server.ts';

/** Event IDs of opened and dismissed mentions. */
export const readMentions = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.mentions.${id}`, Type.Array(Type.String()), []);
