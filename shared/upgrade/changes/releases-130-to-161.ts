/** Interface: "Changes by release", v1.130.0 to v1.161.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases130To161: readonly Note[] = [
  note('1.130.0', 'federation-version', {
    touches: ['workers'],
    kind: 'added',
    endpoints: ['^/_chat/federation/v1/version$'],
    text: /*i18n*/ 'A federation worker can serve the federation version endpoint.',
    action: /*i18n*/ 'Optional: route it to a federation worker.',
  }),

  note('1.134.0', 'icu', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ "The ICU library is bundled and needn't be installed.",
    action: /*i18n*/ 'Optional: remove the native library if unused elsewhere.',
  }),

  note('1.135.0', 'on-user-registration', {
    touches: ['modules', 'workers'],
    kind: 'default changed',
    text: /*i18n*/ 'The module callback on_user_registration can run on any worker.',
    action: /*i18n*/ 'Configure modules using it on every worker, without state in one process.',
  }),

  note('1.136.0', 'run-as-background-process', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'The method ModuleApi.run_as_background_process replaces the function run_as_background_process for modules.',
    action: /*i18n*/ 'Update modules that use it.',
  }),
  note('1.136.0', 'metric-labels', {
    touches: ['metrics'],
    kind: 'moved',
    text: /*i18n*/ 'Two metrics have new labels: synapse_federation_last_received_pdu_time (origin_server_name) and synapse_federation_last_sent_pdu_time (destination_server_name).',
    action: /*i18n*/ 'Update dashboards and alerts with the old labels.',
  }),
  note('1.136.0', 'external-authentication-service', {
    touches: ['configuration'],
    kind: 'moved',
    settings: [
      'experimental_features.msc3861',
      'external_authentication_service.enabled',
      'external_authentication_service.endpoint',
      'external_authentication_service.secret',
    ],
    text: /*i18n*/ 'A stable configuration section replaces the experimental one for external authentication services. It requires service version 0.20.0+.',
    action:
      /*i18n*/ 'Upgrade the service, then move experimental_features.msc3861 settings to external_authentication_service: enabled, endpoint and secret.',
  }),

  note('1.139.0', 'appservice-inhibit-login', {
    touches: ['clients'],
    kind: 'requirement raised',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'With an external authentication service, application services must register users with inhibit_login=true. Otherwise: IO.VENDOR.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED.',
    action:
      /*i18n*/ 'With an external authentication service, update application services (including bridges).',
  }),

  note('1.140.0', 's3-storage-provider', {
    touches: ['media', 'packaging'],
    kind: 'requirement raised',
    settings: ['media_storage_providers[].module'],
    text: /*i18n*/ 'The S3 storage provider module must be v1.6.0+.',
    action: /*i18n*/ 'Upgrade the module with the server if used.',
  }),

  note('1.141.0', 'container-images', {
    touches: ['packaging'],
    kind: 'moved',
    text: /*i18n*/ 'Container images use a newer base distribution with Python 3.13.',
    action: /*i18n*/ 'Test derived images and modules installed in them with Python 3.13.',
  }),

  note('1.142.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires Python 3.10+.',
    action: /*i18n*/ 'Upgrade Python first, unless images or packages include it.',
  }),
  note('1.142.0', 'sqlite', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires SQLite 3.40.0+.',
    action: /*i18n*/ 'Upgrade SQLite first if used.',
  }),

  note('1.143.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires PostgreSQL 14+.',
    action: /*i18n*/ 'Upgrade PostgreSQL first if used.',
  }),

  note('1.144.0', 'delayed-events-restart', {
    touches: ['workers'],
    kind: 'added',
    text: /*i18n*/ 'Workers can serve the unstable endpoint that restarts delayed_events.',
    action: /*i18n*/ 'Optional: route it to a worker.',
  }),
  note('1.144.0', 'mutual-rooms', {
    touches: ['configuration', 'clients'],
    kind: 'default changed',
    settings: ['experimental_features.msc2666_enabled'],
    text: /*i18n*/ 'The unstable mutual rooms endpoint is off by default.',
    action: /*i18n*/ 'If clients use it, set experimental_features.msc2666_enabled to true.',
  }),

  note('1.146.0', 'dehydrated-devices', {
    touches: ['clients'],
    kind: 'removed',
    text: /*i18n*/ 'The MSC2697 dehydrated device endpoints were removed.',
    action: /*i18n*/ 'Stop using them in your own clients.',
  }),

  note('1.150.0', 'systemd-extra', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ 'The pip extra systemd was removed.',
    action:
      /*i18n*/ 'Omit it when installing with pip. For journal logging, install its contents separately.',
  }),
  note('1.150.0', 'set-displayname-deactivation', {
    touches: ['modules'],
    kind: 'deprecated',
    text: /*i18n*/ 'The deactivation parameter of module API method set_displayname is deprecated; removal is planned for 2027.',
    action: /*i18n*/ 'Update modules that pass it.',
  }),
  note('1.150.0', 'request-log', {
    touches: ['metrics'],
    kind: 'added',
    text: /*i18n*/ 'Request log lines have new groups: ru=(...) and db=(...).',
    action: /*i18n*/ 'Adapt log parsers.',
  }),

  note('1.152.0', 'quarantined-media-changes', {
    touches: ['workers', 'configuration', 'media'],
    kind: 'added',
    settings: ['stream_writers.quarantined_media_changes'],
    text: /*i18n*/ 'New stream writer: quarantined_media_changes.',
    action:
      /*i18n*/ 'List every worker serving quarantine_media endpoints in stream_writers.quarantined_media_changes.',
  }),

  note('1.157.0', 'msc3861', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['experimental_features.msc3861', 'external_authentication_service'],
    text: /*i18n*/ 'Delegated authentication through experimental_features.msc3861 was removed.',
    action: /*i18n*/ 'Before upgrading, move its settings to external_authentication_service.',
  }),

  note('1.158.0', 'ubuntu-dropped', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ 'Packages for one Ubuntu release are discontinued.',
    action: /*i18n*/ 'If you use Ubuntu packages, check that your release is supported.',
  }),
  note('1.158.0', 'ubuntu-added', {
    touches: ['packaging'],
    kind: 'added',
    text: /*i18n*/ 'Packages for the next Ubuntu release are available.',
    action: /*i18n*/ 'No action needed.',
  }),

  note('1.159.0', 'repository-key', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'The package signing key has a new expiry.',
    action: /*i18n*/ 'If you use packages, refresh the keyring before upgrading.',
  }),

  note('1.161.0', 'call-transport-service-url', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['matrix_rtc.transports[].livekit_service_url'],
    text: /*i18n*/ "The real-time call transport's service URL is deprecated. Keep it for older clients.",
    action: /*i18n*/ 'Keep it.',
  }),
  note('1.161.0', 'call-transport-url', {
    touches: ['configuration'],
    kind: 'added',
    settings: ['matrix_rtc.transports[].url'],
    text: /*i18n*/ "A real-time call transport's url is the media forwarding unit's WebSocket URL.",
    action: /*i18n*/ 'Add it to every transport, next to the service URL.',
  }),
];
