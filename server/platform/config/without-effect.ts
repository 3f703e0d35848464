/**
 * Settings without effect, some values of which Synapse refuses. Further settings of Synapse are in
 * `shared/upgrade/known-settings.ts`.
 */
import { type Static, type TObject, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

const settings = {
  account_threepid_delegates: Type.Record(Type.String(), Type.Unknown(), { default: {} }),
  web_client_location: Type.Optional(
    Type.String({
      pattern: '^https?://',
      title: 'an HTTP or HTTPS address',
      examples: ['https://chat.example.org/'],
    }),
  ),
  notify_appservices: Type.Optional(Type.Boolean()),
  notify_appservices_from_worker: Type.Optional(Type.String()),
  update_user_directory: Type.Optional(Type.Boolean()),
  update_user_directory_from_worker: Type.Optional(Type.String()),
};
type Settings = Static<TObject<typeof settings>>;

/** Settings that are only declared to refuse values. */
export const settingsWithoutEffect: ReadonlySet<string> = new Set([
  ...Object.keys(settings),
  'registrations_require_3pid',
]);

export const withoutEffect = section(settings, (written) => {
  if (written.account_threepid_delegates.email !== undefined) {
    throw new ConfigurationError(
      'account_threepid_delegates.email',
      'verifying email addresses through an identity server is no longer supported',
      'remove it',
    );
  }
  refuseContradiction(written, 'notify_appservices');
  refuseContradiction(written, 'update_user_directory');
  return {};
});

/** The old setting is whether the main process does a job, the new one which worker does. */
function refuseContradiction(
  written: Settings,
  oldName: 'notify_appservices' | 'update_user_directory',
): void {
  const newName = `${oldName}_from_worker` as const;
  const [mainProcessDoesIt, worker] = [written[oldName], written[newName]];
  if (mainProcessDoesIt === undefined || worker === undefined) return;
  if (mainProcessDoesIt === (worker === 'main')) return;
  throw new ConfigurationError(
    oldName,
    `contradicts ${newName}`,
    `remove it; ${newName} alone sets the worker`,
  );
}
