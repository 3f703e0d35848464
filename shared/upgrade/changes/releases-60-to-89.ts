/** Interface: "Changes by release", v1.60.0 to v1.89.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases60To89: readonly Note[] = [
  note('1.60.0', 'state-group-edges', {
    touches: ['database'],
    kind: 'added',
    text: /*i18n*/ 'The table state_group_edges is given a unique index. Making it fails where the table holds duplicate rows.',
    action:
      /*i18n*/ 'Look at the log after the upgrade. If it reports duplicates in state_group_edges, remove them and let the update run again.',
  }),
  note('1.60.0', 'check-event-for-spam', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'The spam-checker callback check_event_for_spam returns NOT_SPAM or an error code, no longer a boolean.',
    action: /*i18n*/ 'Update spam-checker modules.',
  }),

  note('1.61.0', 'groups', {
    touches: ['clients'],
    kind: 'removed',
    text: /*i18n*/ 'The endpoints of groups (communities) are gone.',
    action: /*i18n*/ 'Have clients and tools use spaces, and remove the settings of groups.',
  }),

  note('1.62.0', 'spam-checker-callbacks', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'The spam-checker callbacks user_may_join_room, user_may_invite, user_may_send_3pid_invite, user_may_create_room, user_may_create_room_alias, user_may_publish_room and check_media_file_for_spam return NOT_SPAM or an error code, no longer a boolean.',
    action: /*i18n*/ 'Update spam-checker modules.',
  }),

  note('1.66.0', 'email-delegation', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['account_threepid_delegates.email'],
    text: /*i18n*/ 'Email addresses can no longer be verified through an identity server. The server refuses to start where the setting asks for it.',
    action: /*i18n*/ 'Remove account_threepid_delegates.email, and let the server send its own mail.',
  }),

  note('1.67.0', 'tcp-replication', {
    touches: ['workers', 'configuration'],
    kind: 'removed',
    settings: ['redis.enabled', 'listeners[].type', 'worker_replication_port'],
    text: /*i18n*/ 'Workers no longer replicate over direct TCP connections; Redis is needed.',
    action:
      /*i18n*/ 'Before the upgrade, install Redis, set redis.enabled to true, and remove the TCP replication listener and its port from the workers.',
  }),
  note('1.67.0', 'poetry', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Installing from source needs Poetry 1.2 or later.',
    action: /*i18n*/ 'Upgrade Poetry first, if you install from source.',
  }),

  note('1.68.0', 'sqlite', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'SQLite 3.27.0 or later is needed.',
    action: /*i18n*/ 'Upgrade SQLite first, if the server keeps its data in it.',
  }),
  note('1.68.0', 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Building from source needs a recent Rust compiler.',
    action: /*i18n*/ 'Install one first, if you build from source.',
  }),

  note('1.71.0', 'short-term-login-token', {
    touches: ['modules'],
    kind: 'removed',
    text: /*i18n*/ 'The module API method generate_short_term_login_token is gone; create_login_token takes its place, whose tokens live 2 minutes by default.',
    action: /*i18n*/ 'Update modules that sign users in.',
  }),
  note('1.71.0', 'appservice-user-namespaces', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ "User namespaces of application services match this server's own users only.",
    action:
      /*i18n*/ 'Look for bridges that count on seeing users of other servers through their user namespace.',
  }),
  note('1.71.0', 'legacy-metric-names', {
    touches: ['metrics', 'configuration'],
    kind: 'default changed',
    settings: ['enable_legacy_metrics'],
    text: /*i18n*/ 'The legacy names of Prometheus metrics are no longer sent by default; they go for good in v1.73.0.',
    action: /*i18n*/ 'Move dashboards and alerts to the new names.',
  }),

  note('1.72.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'PostgreSQL 11 or later is needed.',
    action: /*i18n*/ 'Upgrade PostgreSQL first, if the server keeps its data in it.',
  }),

  note('1.73.0', 'legacy-metrics', {
    touches: ['metrics', 'configuration'],
    kind: 'removed',
    settings: ['enable_legacy_metrics'],
    text: /*i18n*/ 'The legacy names of Prometheus metrics are gone, and enable_legacy_metrics with them.',
    action: /*i18n*/ 'Move dashboards and alerts to the new names, and remove enable_legacy_metrics.',
  }),

  note('1.74.0', 'unicode-user-search', {
    touches: ['packaging', 'clients'],
    kind: 'added',
    text: /*i18n*/ 'Searching for users can handle Unicode better, where the ICU library is installed.',
    action:
      /*i18n*/ 'Install the ICU library and the package extra for it if you want that; nothing has to be done otherwise.',
  }),
  note('1.74.0', 'user-directory-rebuild', {
    touches: ['database'],
    kind: 'default changed',
    text: /*i18n*/ 'The user directory is rebuilt in the background, and finds only some users until that is done.',
    action: /*i18n*/ 'Tell users, and wait for the background update to finish.',
  }),

  note('1.76.0', 'faster-joins', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['experimental.faster_joins'],
    text: /*i18n*/ 'Rooms are joined in part first, and the rest of their state follows.',
    action: /*i18n*/ 'Nothing has to be done; experimental.faster_joins: false switches it off.',
  }),
  note('1.76.0', 'poetry', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Installing from source needs Poetry 1.3.2 or later.',
    action: /*i18n*/ 'Upgrade Poetry first, if you install from source.',
  }),

  note('1.78.0', 'media-delete', {
    touches: ['clients', 'media'],
    kind: 'moved',
    endpoints: ['POST /_service/admin/v1/media/<server_name>/delete', 'POST /_service/admin/v1/media/delete'],
    text: /*i18n*/ 'The admin endpoint that deletes media has no server name in its path any more; the old path is deprecated.',
    action: /*i18n*/ 'Have scripts and tools call POST /_service/admin/v1/media/delete.',
  }),

  note('1.79.0', 'on-threepid-bind', {
    touches: ['modules'],
    kind: 'deprecated',
    text: /*i18n*/ 'The module callback on_threepid_bind is on its way out; on_add_user_third_party_identifier takes its place.',
    action: /*i18n*/ 'Update modules that use it.',
  }),
  note('1.79.0', 'on-remove-third-party-identifier', {
    touches: ['modules'],
    kind: 'added',
    text: /*i18n*/ 'Modules can be told of a removed third-party identifier, by on_remove_user_third_party_identifier.',
    action: /*i18n*/ 'Nothing has to be done.',
  }),

  note('1.80.0', 'report-inaccessible-event', {
    touches: ['clients'],
    kind: 'default changed',
    endpoints: ['POST /_chat/client/v3/rooms/{roomId}/report/{eventId}'],
    text: /*i18n*/ 'Reporting an event that the reporter has no access to is answered with 404, no longer with 403.',
    action: /*i18n*/ 'Have clients and tools of your own expect 404.',
  }),

  note('1.81.0', 'appservice-paths', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ 'The server calls application services on their versioned paths first, and on the legacy ones after that.',
    action:
      /*i18n*/ 'Update bridges and other application services to versions that serve the versioned paths.',
  }),
  note('1.81.0', 'appservice-query-token', {
    touches: ['clients'],
    kind: 'deprecated',
    text: /*i18n*/ 'Sending the token to application services as a query parameter is on its way out; it is sent in the Authorization header too.',
    action: /*i18n*/ 'Update bridges and other application services to versions that read the header.',
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
    text: /*i18n*/ 'The worker_replication_* settings are on their way out. Entries of instance_map hold host, port and, where wanted, tls.',
    action:
      /*i18n*/ 'List the main process as main in instance_map of the shared configuration, and remove the settings from every worker file.',
  }),

  note('1.85.0', 'register-user-property', {
    touches: ['clients'],
    kind: 'deprecated',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'Naming the user to register in the legacy property user is on its way out.',
    action: /*i18n*/ 'Update application services to versions that send username.',
  }),

  note('1.86.0', 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Building from source needs Rust 1.60.0 or later.',
    action: /*i18n*/ 'Upgrade Rust first, if you build from source.',
  }),

  note('1.88.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Python 3.8 or later is needed.',
    action: /*i18n*/ 'Upgrade Python first, unless you run container images or packages that bring it.',
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
    text: /*i18n*/ 'The worker_replication_* settings are gone; workers find the main process as main in instance_map.',
    action:
      /*i18n*/ 'Before the upgrade, list the main process as main in instance_map of the shared configuration, and remove the settings from every worker file.',
  }),

  note('1.89.0', 'register-user-property', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'Registration no longer reads the legacy property user.',
    action: /*i18n*/ 'Update application services to versions that send username.',
  }),
];
