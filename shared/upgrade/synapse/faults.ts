/** Bugs of Synapse releases that affect a stop, from the release notes. */
import type { InstallMethod } from '../choices.ts';
import { parseVersion, type Version } from '../version.ts';
import { releaseNotes } from './source.ts';

export type FaultRow = {
  /** The first release that has it. */
  first: Version;
  /** The first release with the fix. */
  fixed: Version;
  text: string;
  /** The only affected installations; undefined for all. */
  only: InstallMethod | undefined;
  source: string;
};

const row = (first: string, fixed: string, text: string, only?: InstallMethod): FaultRow => ({
  first: parseVersion(first),
  fixed: parseVersion(fixed),
  text,
  only,
  source: releaseNotes(fixed),
});

/** In order of the fix. */
export const faultRows: readonly FaultRow[] = [
  row(
    '1.45.0',
    '1.45.1',
    /*i18n*/ 'Deactivated users are counted differently towards the limit of monthly active users.',
  ),
  row('1.44.0', '1.46.0', /*i18n*/ 'Slower, notably sending to other servers.'),
  row('1.49.0', '1.49.2', /*i18n*/ 'Syncs of users in many rooms can take very long.'),
  row('1.50.0', '1.50.1', /*i18n*/ "Clients can't connect if a listener has the webclient resource."),
  row(
    '1.40.0',
    '1.50.2',
    /*i18n*/ 'Can stop processing incoming federation after many events in a room of version 1.',
  ),
  row(
    '1.0.0',
    '1.55.2',
    /*i18n*/ "Installed with pip, it won't start with Jinja 3.1 or later. Install jinja2<3.1.",
    'pip',
  ),
  row(
    '1.58.0',
    '1.58.1',
    /*i18n*/ "The Debian package won't start with logging to the systemd journal.",
    'debian',
  ),
  row('1.63.0', '1.63.1', /*i18n*/ 'Slow with many application services.'),
  row('1.69.0', '1.70.1', /*i18n*/ 'Room creation is rate-limited too early.'),
  row('1.70.0', '1.70.1', /*i18n*/ 'Application services get a malformed access token in the header.'),
  row(
    '1.69.0',
    '1.77.0',
    /*i18n*/ 'An interrupted database migration can corrupt an SQLite database. Let the first start finish.',
  ),
  row('1.76.0', '1.78.0', /*i18n*/ "Workers won't start with a health listener."),
  row('1.84.0', '1.84.1', /*i18n*/ "Workers won't start without instance_map."),
  row('1.85.0', '1.85.1', /*i18n*/ 'The database migration fails on some servers.'),
  row('1.85.0', '1.85.2', /*i18n*/ 'Replication between workers fails with TLS.'),
  row(
    '1.0.0',
    '1.90.0',
    /*i18n*/ 'With workers, purging history while a client loads it can corrupt the database.',
  ),
  row('1.91.0', '1.91.1', /*i18n*/ 'CPU use grows with every event that is stored.'),
  row('1.95.0', '1.96.0', /*i18n*/ 'The background update set_device_id_for_pushers fails.'),
  row('1.135.0', '1.135.2', /*i18n*/ "A database cache isn't invalidated."),
  row('1.135.2', '1.136.0', /*i18n*/ 'Make room admin ignores the power of creators in rooms of version 12.'),
  row('1.138.3', '1.138.4', /*i18n*/ 'Key uploads with empty device keys fail.'),
  row('1.139.1', '1.139.2', /*i18n*/ 'Key uploads with empty device keys fail.'),
  row('1.136.0', '1.141.0', /*i18n*/ "Can't be reloaded more than once under systemd."),
  row('1.142.0', '1.142.1', /*i18n*/ "An authentication service whose URL has a path isn't reached."),
  row('1.140.0', '1.147.0', /*i18n*/ 'Leaks memory.'),
  row('1.145.0', '1.152.0', /*i18n*/ 'Users can download remote media that is quarantined.'),
  row('1.150.0', '1.157.0', /*i18n*/ "Reactivated accounts that were erased can't sign in."),
  row(
    '1.152.0',
    '1.157.0',
    /*i18n*/ 'The background update flag_existing_quarantined_media skips some media.',
  ),
  row(
    '1.156.0',
    '1.157.0',
    /*i18n*/ 'Application services that registered for ephemeral events by the old flag get none.',
  ),
  row('1.157.0', '1.157.1', /*i18n*/ "Won't start with empty experimental_features."),
  row(
    '1.152.0',
    '1.159.0',
    /*i18n*/ 'Quarantine changes are not replicated if a worker writes quarantined_media_changes.',
  ),
];
