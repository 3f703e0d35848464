/** Work on the data that goes on after a migration. The reference homeserver's "Background Updates API". */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures } from './common.ts';

/** By database; this server has one, `master`, and lists it while an update is running or waiting in it. */
export const BackgroundUpdateStatus = Type.Object({
  enabled: Type.Boolean(),
  current_updates: Dictionary(
    Type.Object({
      name: Type.String(),
      total_item_count: Type.Integer(),
      total_duration_ms: Type.Number(),
      average_items_per_ms: Type.Number(),
    }),
  ),
});
export type BackgroundUpdateStatus = Static<typeof BackgroundUpdateStatus>;
export const getBackgroundUpdateStatus = { response: { 200: BackgroundUpdateStatus, ...failures } };

const Enabled = Type.Object({ enabled: Type.Boolean() });
export const getBackgroundUpdatesEnabled = { response: { 200: Enabled, ...failures } };
export const postBackgroundUpdatesEnabled = {
  body: Type.Object({ enabled: Type.Boolean() }, { additionalProperties: true }),
  response: { 200: Enabled, ...failures },
};

export const startBackgroundJob = {
  body: Type.Object({ job_name: Type.String() }, { additionalProperties: true }),
  response: { 200: EmptyObject, ...failures },
};
