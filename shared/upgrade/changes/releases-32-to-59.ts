/** Interface: "Changes by release", v1.32.0 to v1.59.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases32To59: readonly Note[] = [
  note('1.32.0', 'user-list-v1', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['GET /_service/admin/v1/users/<user_id>', 'GET /_service/admin/v2/users'],
    text: /*i18n*/ 'The v1 account list was removed.',
    action: /*i18n*/ 'Use GET /_service/admin/v2/users in scripts and tools.',
  }),
  note('1.32.0', 'appservice-registration-type', {
    touches: ['clients'],
    kind: 'requirement raised',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'Application services must register users with the type m.login.application_service.',
    action: /*i18n*/ 'Update application services (including bridges) to send this type.',
  }),

  note('1.41.0', 'forward-proxy', {
    touches: ['configuration'],
    kind: 'default changed',
    text: /*i18n*/ 'Outbound federation, remote media downloads and key fetching use the configured forward proxy.',
    action: /*i18n*/ 'Let a configured forward proxy reach other homeservers, or exempt them.',
  }),
  note('1.41.0', 'template-dir', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['template_dir', 'templates.custom_template_directory'],
    text: /*i18n*/ 'template_dir settings are deprecated. Use one directory for custom templates.',
    action:
      /*i18n*/ 'Put all templates in templates.custom_template_directory and remove every template_dir.',
  }),

  note('1.42.0', 'purge-room-shutdown-room', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_service/admin/v1/purge_room', 'POST /_service/admin/v1/shutdown_room/<room_id>'],
    text: /*i18n*/ 'The admin endpoints purge_room and shutdown_room were removed.',
    action: /*i18n*/ 'Use the delete-room API in scripts and tools.',
  }),
  note('1.42.0', 'fallback-templates', {
    touches: ['configuration', 'clients'],
    kind: 'added',
    text: /*i18n*/ 'Fallback page templates receive an error variable.',
    action: /*i18n*/ 'Show the error variable in custom fallback templates.',
  }),

  note('1.44.0', 'url-preview-cache', {
    touches: ['media'],
    kind: 'removed',
    text: /*i18n*/ 'The URL preview cache is no longer copied to media storage providers.',
    action: /*i18n*/ 'No action needed. Copies in storage providers are unused and can be deleted.',
  }),

  note('1.47.0', 'delete-room-v1', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_service/admin/v1/<room_id>/delete'],
    text: /*i18n*/ 'The older room deletion endpoint was removed.',
    action: /*i18n*/ 'Use the delete-room API in scripts and tools.',
  }),

  note('1.50.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires Python 3.7+.',
    action: /*i18n*/ 'Upgrade Python first, unless images or packages include it.',
  }),
  note('1.50.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires PostgreSQL 10+.',
    action: /*i18n*/ 'Upgrade PostgreSQL first if used.',
  }),

  note('1.53.0', 'webclient-listeners', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['listeners[].type', 'web_client_location'],
    text: /*i18n*/ "Listeners of type webclient were removed. They prevent startup, as does a web_client_location that isn't an HTTP(S) URL.",
    action:
      /*i18n*/ 'Remove the listener and serve the web client separately. Set web_client_location to an HTTP(S) URL or remove it.',
  }),
  note('1.53.0', 'registration-token-validity', {
    touches: ['clients', 'workers'],
    kind: 'moved',
    endpoints: ['GET /_chat/client/v1/register/m.login.registration_token/validity'],
    text: /*i18n*/ 'The registration token validity check has a stable path.',
    action: /*i18n*/ 'Route the stable path like the unstable one, and update clients.',
  }),
  note('1.53.0', 'cache-expiry', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['caches.expire_caches', 'caches.cache_entry_ttl'],
    text: /*i18n*/ 'By default, cache entries unused for 30 minutes are dropped.',
    action: /*i18n*/ 'To keep them longer or forever, set caches.cache_entry_ttl or caches.expire_caches.',
  }),
  // From "Limits".
  note('1.53.0', 'cache-expiry-time', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['caches.expiry_time', 'caches.expire_caches', 'caches.cache_entry_ttl'],
    text: /*i18n*/ 'caches.expiry_time is deprecated but still works.',
    action: /*i18n*/ 'Use caches.expire_caches and caches.cache_entry_ttl instead.',
  }),
  note('1.53.0', 'profile-capabilities', {
    touches: ['clients'],
    kind: 'moved',
    text: /*i18n*/ 'm.set_displayname, m.set_avatar_url and m.3pid_changes replace the prefixed MSC3283 capabilities.',
    action: /*i18n*/ 'Read the new names in your clients.',
  }),

  note('1.54.0', 'structured-logging', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['structured'],
    text: /*i18n*/ 'Old logging configuration (structured: true) is no longer read.',
    action: /*i18n*/ 'Rewrite it as Python logging configuration.',
  }),

  note('1.55.0', 'synctl', {
    touches: ['packaging'],
    kind: 'moved',
    text: /*i18n*/ 'synctl is installed on the PATH.',
    action: /*i18n*/ 'Call synctl without a path in scripts, service files and the server environment.',
  }),

  note('1.56.0', 'open-registration', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['enable_registration', 'enable_registration_without_verification'],
    text: /*i18n*/ "The server won't start with open registration without email, captcha or token.",
    action:
      /*i18n*/ 'Turn off registration or require verification. To keep it open, set enable_registration_without_verification to true.',
  }),
  note('1.56.0', 'unsafe-locale', {
    touches: ['database', 'configuration'],
    kind: 'default changed',
    settings: ['database.allow_unsafe_locale'],
    text: /*i18n*/ "The server won't start if PostgreSQL's COLLATE or CTYPE isn't C.",
    action:
      /*i18n*/ 'Check the database locale. Move the data to locale C, or set database.allow_unsafe_locale to true and risk broken indexes.',
  }),

  note('1.57.0', 'appservice-transactions', {
    touches: ['workers', 'database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Application service transaction IDs are stored differently.',
    action:
      /*i18n*/ 'Keep the worker that sends to application services stopped until the database is upgraded.',
  }),

  note('1.58.0', 'groups-disabled', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ 'Groups (communities) are off by default, and removed in v1.61.0.',
    action: /*i18n*/ 'Inform group users and move them to spaces.',
  }),

  note('1.59.0', 'device-names-over-federation', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['allow_device_name_lookup_over_federation'],
    text: /*i18n*/ "By default, other servers can't see device names.",
    action:
      /*i18n*/ 'To share them with other servers, set allow_device_name_lookup_over_federation to true.',
  }),
  note('1.59.0', 'dedicated-worker-types', {
    touches: ['workers', 'configuration'],
    kind: 'deprecated',
    settings: [
      'worker_app',
      'notify_appservices',
      'notify_appservices_from_worker',
      'update_user_directory',
      'update_user_directory_from_worker',
    ],
    workerTypes: ['synapse.app.appservice', 'synapse.app.user_dir', 'synapse.app.generic_worker'],
    text: /*i18n*/ 'The worker types synapse.app.appservice and synapse.app.user_dir are deprecated.',
    action:
      /*i18n*/ 'Make each a generic worker, named in notify_appservices_from_worker or update_user_directory_from_worker (shared configuration).',
  }),
];
