import { Type } from 'typebox';
import { Dictionary } from '../../shared/api/common.ts';
import { persisted } from '../persisted.ts';
import type { Server } from '../transport/server.ts';

/** Which steps of an action were chosen last on this server, by the step's `id`. */
export const chosenSteps = (server: Server) =>
  persisted(`gatehouse.actions.steps.${server.id}`, Dictionary(Type.Boolean()), {});
