/** Interface: "Changes by release", v1.32.0 to v1.59.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases32To59: readonly Note[] = [
  note('1.32.0', 'user-list-v1', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['GET /_service/admin/v1/users/<user_id>', 'GET /_service/admin/v2/users'],
    text: /*i18n*/ 'The v1 listing of accounts is gone.',
    action: /*i18n*/ 'Have scripts and tools list accounts with GET /_service/admin/v2/users.',
  }),
  note('1.32.0', 'appservice-registration-type', {
    touches: ['clients'],
    kind: 'requirement raised',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'Application services that register users have to say so with the type m.login.application_service.',
    action: /*i18n*/ 'Update bridges and other application services to versions that send this type.',
  }),

  note('1.41.0', 'forward-proxy', {
    touches: ['configuration'],
    kind: 'default changed',
    text: /*i18n*/ 'Outbound federation, downloads of remote media and fetching of keys go through the forward proxy where one is configured.',
    action:
      /*i18n*/ 'If a forward proxy is configured, make sure that it lets the server reach other homeservers, or exempt them from it.',
  }),
  note('1.41.0', 'template-dir', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['template_dir', 'templates.custom_template_directory'],
    text: /*i18n*/ 'The template_dir settings are on their way out; one directory holds all custom templates.',
    action:
      /*i18n*/ 'Move the templates into one directory, name it in templates.custom_template_directory and remove every template_dir.',
  }),

  note('1.42.0', 'purge-room-shutdown-room', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_service/admin/v1/purge_room', 'POST /_service/admin/v1/shutdown_room/<room_id>'],
    text: /*i18n*/ 'The admin endpoints purge_room and shutdown_room are gone.',
    action: /*i18n*/ 'Have scripts and tools use the delete-room API.',
  }),
  note('1.42.0', 'fallback-templates', {
    touches: ['configuration', 'clients'],
    kind: 'added',
    text: /*i18n*/ 'Templates of the fallback pages are given an error variable.',
    action: /*i18n*/ 'If you have custom fallback templates, show the error variable in them.',
  }),

  note('1.44.0', 'url-preview-cache', {
    touches: ['media'],
    kind: 'removed',
    text: /*i18n*/ 'The cache of URL previews is no longer copied to media storage providers.',
    action:
      /*i18n*/ 'Nothing has to be done. Copies of it that lie in a storage provider are no longer read and can be deleted.',
  }),

  note('1.47.0', 'delete-room-v1', {
    touches: ['clients'],
    kind: 'removed',
    endpoints: ['POST /_service/admin/v1/<room_id>/delete'],
    text: /*i18n*/ 'The older endpoint that deletes a room is gone.',
    action: /*i18n*/ 'Have scripts and tools use the delete-room API.',
  }),

  note('1.50.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Python 3.7 or later is needed.',
    action: /*i18n*/ 'Upgrade Python first, unless you run container images or packages that bring it.',
  }),
  note('1.50.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'PostgreSQL 10 or later is needed.',
    action: /*i18n*/ 'Upgrade PostgreSQL first, if the server keeps its data in it.',
  }),

  note('1.53.0', 'webclient-listeners', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['listeners[].type', 'web_client_location'],
    text: /*i18n*/ 'Listeners of type webclient are gone. The server refuses to start with one, or with a web_client_location that is not an HTTP(S) address.',
    action:
      /*i18n*/ 'Remove the listener and serve the web client with a web server of its own; write web_client_location as an HTTP(S) address or remove it.',
  }),
  note('1.53.0', 'registration-token-validity', {
    touches: ['clients', 'workers'],
    kind: 'moved',
    endpoints: ['GET /_chat/client/v1/register/m.login.registration_token/validity'],
    text: /*i18n*/ 'The check whether a registration token is valid has its stable path.',
    action: /*i18n*/ 'Route the stable path as you routed the unstable one, and have clients call it.',
  }),
  note('1.53.0', 'cache-expiry', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['caches.expire_caches', 'caches.cache_entry_ttl'],
    text: /*i18n*/ 'Cache entries that nobody asked for in 30 minutes are dropped by default.',
    action:
      /*i18n*/ 'To have them live longer or for good, set caches.cache_entry_ttl or caches.expire_caches.',
  }),
  // From "Limits".
  note('1.53.0', 'cache-expiry-time', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['caches.expiry_time', 'caches.expire_caches', 'caches.cache_entry_ttl'],
    text: /*i18n*/ 'caches.expiry_time is on its way out, and still works.',
    action: /*i18n*/ 'Replace it by caches.expire_caches and caches.cache_entry_ttl.',
  }),
  note('1.53.0', 'profile-capabilities', {
    touches: ['clients'],
    kind: 'moved',
    text: /*i18n*/ 'The capabilities m.set_displayname, m.set_avatar_url and m.3pid_changes replace the prefixed ones of MSC3283.',
    action: /*i18n*/ 'Have clients of your own read the new names.',
  }),

  note('1.54.0', 'structured-logging', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['structured'],
    text: /*i18n*/ 'Logging configuration of the old form, marked by structured: true, is no longer read.',
    action: /*i18n*/ "Rewrite the logging configuration in the form of Python's own logging configuration.",
  }),

  note('1.55.0', 'synctl', {
    touches: ['packaging'],
    kind: 'moved',
    text: /*i18n*/ 'synctl is installed as a command on the PATH.',
    action:
      /*i18n*/ 'Call synctl without a path in scripts and service files, and in the environment of the server.',
  }),

  note('1.56.0', 'open-registration', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['enable_registration', 'enable_registration_without_verification'],
    text: /*i18n*/ 'The server refuses to start with registration that is open to everyone without email, captcha or token.',
    action:
      /*i18n*/ 'Turn registration off or ask for a verification; if it really is meant to be open, set enable_registration_without_verification to true.',
  }),
  note('1.56.0', 'unsafe-locale', {
    touches: ['database', 'configuration'],
    kind: 'default changed',
    settings: ['database.allow_unsafe_locale'],
    text: /*i18n*/ 'The server refuses to start on a PostgreSQL database whose COLLATE or CTYPE is not C.',
    action:
      /*i18n*/ 'Look at the locale of the database. Move the data to one with locale C, or set database.allow_unsafe_locale to true and accept the risk of broken indexes.',
  }),

  note('1.57.0', 'appservice-transactions', {
    touches: ['workers', 'database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Ids of transactions to application services are kept differently.',
    action:
      /*i18n*/ 'Stop the worker that sends to application services before the upgrade, and start it only when the database is upgraded.',
  }),

  note('1.58.0', 'groups-disabled', {
    touches: ['clients'],
    kind: 'default changed',
    text: /*i18n*/ 'Groups (communities) are switched off by default; they go for good in v1.61.0.',
    action: /*i18n*/ 'Tell users of groups, and move them to spaces.',
  }),

  note('1.59.0', 'device-names-over-federation', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['allow_device_name_lookup_over_federation'],
    text: /*i18n*/ 'Other servers are no longer told the names of devices, unless the setting says so.',
    action:
      /*i18n*/ 'If other servers are meant to see them, set allow_device_name_lookup_over_federation to true.',
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
    text: /*i18n*/ 'The worker types synapse.app.appservice and synapse.app.user_dir are on their way out.',
    action:
      /*i18n*/ 'Make each a generic worker, and name it in notify_appservices_from_worker or update_user_directory_from_worker in the shared configuration.',
  }),
];
