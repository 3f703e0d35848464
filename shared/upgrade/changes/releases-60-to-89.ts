/** Interface: "Changes by release", v1.60.0 to v1.89.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases60To89: readonly Note[] = [
  note('1.60.0', 'state-group-edges', {
    touches: ['database'],
    kind: 'added',
    text: /*i18n*/ 'The table state_group_edges gets a unique index, which fails with duplicate rows.',
    action:
      /*i18n*/ 'Check the log after upgrading. Remove duplicates reported in state_group_edges and rerun the update.',
  }),
  note('1.60.0', 'check-event-for-spam', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'The spam-checker callback check_event_for_spam returns NOT_SPAM or an error code instead of a boolean.',
    action: /*i18n*/ 'Update spam-checker modules.',
  }),

  note('1.61.0', 'groups', {
    touches: ['clients'],
    kind: 'removed',
    text: /*i18n*/ 'The group (community) endpoints were removed.',
    action: /*i18n*/ 'Use spaces in clients and tools, and remove group settings.',
  }),

  note('1.62.0', 'spam-checker-callbacks', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'These spam-checker callbacks return NOT_SPAM or an error code instead of a boolean: user_may_join_room, user_may_invite, user_may_send_3pid_invite, user_may_create_room, user_may_create_room_alias, user_may_publish_room and check_media_file_for_spam.',
    action: /*i18n*/ 'Update spam-checker modules.',
  }),

  note('1.66.0', 'email-delegation', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['account_threepid_delegates.email'],
    text: /*i18n*/ 'Email verification through an identity server was removed. Configuring it prevents startup.',
    action: /*i18n*/ 'Remove account_threepid_delegates.email, and let the server send its own email.',
  }),

  note('1.67.0', 'tcp-replication', {
    touches: ['workers', 'configuration'],
    kind: 'removed',
    settings: ['redis.enabled', 'listeners[].type', 'worker_replication_port'],
    text: /*i18n*/ 'Workers no longer replicate over direct TCP; Redis is required.',
    action:
      /*i18n*/ "Before upgrading, install Redis, set redis.enabled to true and remove the workers' TCP replication listener.",
  }),
  note('1.67.0', 'poetry', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Source installations require Poetry 1.2+.',
    action: /*i18n*/ 'Upgrade Poetry first for source installations.',
  }),

  note('1.68.0', 'sqlite', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires SQLite 3.27.0+.',
    action: /*i18n*/ 'Upgrade SQLite first if used.',
  }),
  note('1.68.0', 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Source builds require a recent Rust compiler.',
    action: /*i18n*/ 'Install one first for source builds.',
  }),

  note('1.71.0', 'short-term-login-token', {
    touches: ['modules'],
    kind: 'removed',
    text: /*i18n*/ 'create_login_token replaces the module API method generate_short_term_login_token. Tokens expire after 2 minutes by default.',
    action: /*i18n*/ 'Update modules that sign users in.',
  }),
  note('1.71.0', 'appservice-user-namespaces', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ 'Application service user namespaces match only local users.',
    action: /*i18n*/ 'Check for bridges that rely on seeing remote users by user namespace.',
  }),
  note('1.71.0', 'legacy-metric-names', {
    touches: ['metrics', 'configuration'],
    kind: 'default changed',
    settings: ['enable_legacy_metrics'],
    text: /*i18n*/ 'Legacy Prometheus metric names are off by default, and removed in v1.73.0.',
    action: /*i18n*/ 'Use the new names in dashboards and alerts.',
  }),

  note('1.72.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires PostgreSQL 11+.',
    action: /*i18n*/ 'Upgrade PostgreSQL first if used.',
  }),

  note('1.73.0', 'legacy-metrics', {
    touches: ['metrics', 'configuration'],
    kind: 'removed',
    settings: ['enable_legacy_metrics'],
    text: /*i18n*/ 'Legacy Prometheus metric names and enable_legacy_metrics were removed.',
    action: /*i18n*/ 'Use the new names in dashboards and alerts, and remove enable_legacy_metrics.',
  }),

  note('1.74.0', 'unicode-user-search', {
    touches: ['packaging', 'clients'],
    kind: 'added',
    text: /*i18n*/ 'With the ICU library, user search handles Unicode better.',
    action: /*i18n*/ 'Optionally, install the ICU library and its package extra.',
  }),
  note('1.74.0', 'user-directory-rebuild', {
    touches: ['database'],
    kind: 'default changed',
    text: /*i18n*/ 'The user directory is rebuilt in the background. Searches are incomplete until then.',
    action: /*i18n*/ 'Inform users and wait for the background update.',
  }),

  note('1.76.0', 'faster-joins', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['experimental.faster_joins'],
    text: /*i18n*/ 'Rooms are partially joined first; remaining state follows.',
    action: /*i18n*/ 'Optional: set experimental.faster_joins to false to disable it.',
  }),
  note('1.76.0', 'poetry', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Source installations require Poetry 1.3.2+.',
    action: /*i18n*/ 'Upgrade Poetry first for source installations.',
  }),

  note('1.78.0', 'media-delete', {
    touches: ['clients', 'media'],
    kind: 'moved',
    endpoints: ['POST /_service/admin/v1/media/<server_name>/delete', 'POST /_service/admin/v1/media/delete'],
    text: /*i18n*/ 'The media deletion path no longer contains a server name. The old path is deprecated.',
    action: /*i18n*/ 'Use POST /_service/admin/v1/media/delete in scripts and tools.',
  }),

  note('1.79.0', 'on-threepid-bind', {
    touches: ['modules'],
    kind: 'deprecated',
    text: /*i18n*/ 'The module callback on_threepid_bind is deprecated. Use on_add_user_third_party_identifier.',
    action: /*i18n*/ 'Update modules that use it.',
  }),
  note('1.79.0', 'on-remove-third-party-identifier', {
    touches: ['modules'],
    kind: 'added',
    text: /*i18n*/ 'The module callback on_remove_user_third_party_identifier reports removed third-party identifiers.',
    action: /*i18n*/ 'No action needed.',
  }),

  note('1.80.0', 'report-inaccessible-event', {
    touches: ['clients'],
    kind: 'default changed',
    endpoints: ['POST /_chat/client/v3/rooms/{roomId}/report/{eventId}'],
    text: /*i18n*/ 'Reporting an inaccessible event returns 404 instead of 403.',
    action: /*i18n*/ 'Expect 404 in your own clients and tools.',
  }),

  note('1.81.0', 'appservice-paths', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ 'Application services are called on versioned paths first, then on legacy ones.',
    action: /*i18n*/ 'Update application services (including bridges) to serve the versioned paths.',
  }),
  note('1.81.0', 'appservice-query-token', {
    touches: ['clients'],
    kind: 'deprecated',
    text: /*i18n*/ 'Application service tokens in the query parameter are deprecated. The Authorization header also contains them.',
    action: /*i18n*/ 'Update application services (including bridges) to read the header.',
  }),

  note('1.84.0', 'worker-replication-settings', {
    touches: ['workers', 'configuration'],
    kind: 'deprecated',
    settings: [
      'worker_replication_host',
      'worker_replication_http_port',
      'worker_replication_http_tls',
      'instance_map',
    ],
    text: /*i18n*/ 'The worker_replication_* settings are deprecated. Entries in instance_map contain host, port and optionally tls.',
    action: /*i18n*/ 'Add main to the shared instance_map and remove the settings from worker files.',
  }),

  note('1.85.0', 'register-user-property', {
    touches: ['clients'],
    kind: 'deprecated',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'The legacy user property for registration is deprecated.',
    action: /*i18n*/ 'Update application services to send username.',
  }),

  note('1.86.0', 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Source builds require Rust 1.60.0+.',
    action: /*i18n*/ 'Upgrade Rust first for source builds.',
  }),

  note('1.88.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires Python 3.8+.',
    action: /*i18n*/ 'Upgrade Python first, unless images or packages include it.',
  }),
  note('1.88.0', 'worker-replication-settings', {
    touches: ['workers', 'configuration'],
    kind: 'removed',
    settings: [
      'worker_replication_host',
      'worker_replication_http_port',
      'worker_replication_http_tls',
      'instance_map.main',
    ],
    text: /*i18n*/ 'The worker_replication_* settings were removed. Workers find the main process as main in instance_map.',
    action:
      /*i18n*/ 'Before upgrading, add main to the shared instance_map and remove the settings from worker files.',
  }),

  note('1.89.0', 'register-user-property', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'Registration no longer reads the legacy user property.',
    action: /*i18n*/ 'Update application services to send username.',
  }),
];
