/** Interface: "Changes by release", v1.130.0 to v1.161.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

export const releases130To161: readonly Note[] = [
  note('1.130.0', 'federation-version', {
    touches: ['workers'],
    kind: 'added',
    endpoints: ['^/_chat/federation/v1/version$'],
    text: /*i18n*/ 'The federation version endpoint is documented as one that a federation worker can serve.',
    action: /*i18n*/ 'Nothing has to be done; route it to a federation worker if you like.',
  }),

  note('1.134.0', 'icu', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ 'The ICU library comes with the server, and no longer has to be installed.',
    action: /*i18n*/ 'Nothing has to be done; remove the native library if nothing else uses it.',
  }),

  note('1.135.0', 'on-user-registration', {
    touches: ['modules', 'workers'],
    kind: 'default changed',
    text: /*i18n*/ 'The module callback on_user_registration may run on any worker.',
    action:
      /*i18n*/ 'Make sure that modules that use it are configured for every worker, and keep no state in one process.',
  }),

  note('1.136.0', 'run-as-background-process', {
    touches: ['modules'],
    kind: 'moved',
    text: /*i18n*/ 'Modules run background processes with the method ModuleApi.run_as_background_process, no longer with the function run_as_background_process.',
    action: /*i18n*/ 'Update modules that use it.',
  }),
  note('1.136.0', 'metric-labels', {
    touches: ['metrics'],
    kind: 'moved',
    text: /*i18n*/ 'Two metrics have new labels: synapse_federation_last_received_pdu_time has origin_server_name, and synapse_federation_last_sent_pdu_time has destination_server_name.',
    action: /*i18n*/ 'Rewrite dashboards and alerts that use the old labels.',
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
    text: /*i18n*/ 'An external authentication service is configured in a stable section of its own, which replaces the experimental one. It needs version 0.20.0 or later of that service.',
    action:
      /*i18n*/ 'Upgrade that service, then move its settings from experimental_features.msc3861 to external_authentication_service: enabled, endpoint and secret.',
  }),

  note('1.139.0', 'appservice-inhibit-login', {
    touches: ['clients'],
    kind: 'requirement raised',
    endpoints: ['POST /_chat/client/v3/register'],
    text: /*i18n*/ 'With an external authentication service, application services have to send inhibit_login=true when they register users. Otherwise the answer is IO.VENDOR.MSC4190.M_APPSERVICE_LOGIN_UNSUPPORTED.',
    action:
      /*i18n*/ 'Update bridges and other application services, if an external authentication service is in use.',
  }),

  note('1.140.0', 's3-storage-provider', {
    touches: ['media', 'packaging'],
    kind: 'requirement raised',
    settings: ['media_storage_providers[].module'],
    text: /*i18n*/ 'The S3 storage provider module has to be v1.6.0 or later.',
    action: /*i18n*/ 'Upgrade the module together with the server, if you use it.',
  }),

  note('1.141.0', 'container-images', {
    touches: ['packaging'],
    kind: 'moved',
    text: /*i18n*/ 'Container images are built on a newer base distribution, with Python 3.13.',
    action:
      /*i18n*/ 'Try images that you derive from them, and modules that you install in them, with Python 3.13.',
  }),

  note('1.142.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Python 3.10 or later is needed.',
    action: /*i18n*/ 'Upgrade Python first, unless you run container images or packages that bring it.',
  }),
  note('1.142.0', 'sqlite', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'SQLite 3.40.0 or later is needed.',
    action: /*i18n*/ 'Upgrade SQLite first, if the server keeps its data in it.',
  }),

  note('1.143.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'PostgreSQL 14 or later is needed.',
    action: /*i18n*/ 'Upgrade PostgreSQL first, if the server keeps its data in it.',
  }),

  note('1.144.0', 'delayed-events-restart', {
    touches: ['workers'],
    kind: 'added',
    text: /*i18n*/ 'Workers can serve the unstable endpoint that restarts delayed_events.',
    action: /*i18n*/ 'Nothing has to be done; route it to a worker if you like.',
  }),
  note('1.144.0', 'mutual-rooms', {
    touches: ['configuration', 'clients'],
    kind: 'default changed',
    settings: ['experimental_features.msc2666_enabled'],
    text: /*i18n*/ 'The unstable mutual rooms endpoint is off, unless the setting switches it on.',
    action: /*i18n*/ 'If clients use it, set experimental_features.msc2666_enabled to true.',
  }),

  note('1.146.0', 'dehydrated-devices', {
    touches: ['clients'],
    kind: 'removed',
    text: /*i18n*/ 'The endpoints of the dehydrated devices of MSC2697, which was closed, are gone.',
    action: /*i18n*/ 'Have clients of your own do without them.',
  }),

  note('1.150.0', 'systemd-extra', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ 'The pip extra systemd is gone.',
    action:
      /*i18n*/ 'Leave it out when installing with pip, and install what it brought separately if you log to the journal.',
  }),
  note('1.150.0', 'set-displayname-deactivation', {
    touches: ['modules'],
    kind: 'deprecated',
    text: /*i18n*/ 'The parameter deactivation of the module API method set_displayname is on its way out; it is planned to go in 2027.',
    action: /*i18n*/ 'Update modules that pass it.',
  }),
  note('1.150.0', 'request-log', {
    touches: ['metrics'],
    kind: 'added',
    text: /*i18n*/ 'The log line of a request has two more groups, ru=(...) and db=(...).',
    action: /*i18n*/ 'Adapt whatever parses these lines.',
  }),

  note('1.152.0', 'quarantined-media-changes', {
    touches: ['workers', 'configuration', 'media'],
    kind: 'added',
    settings: ['stream_writers.quarantined_media_changes'],
    text: /*i18n*/ 'There is a new stream writer, quarantined_media_changes.',
    action:
      /*i18n*/ 'List every worker that serves the quarantine_media endpoints in stream_writers.quarantined_media_changes.',
  }),

  note('1.157.0', 'msc3861', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['experimental_features.msc3861', 'external_authentication_service'],
    text: /*i18n*/ 'Delegation of authentication through experimental_features.msc3861 is gone.',
    action:
      /*i18n*/ 'Before the upgrade, move its settings to the stable section external_authentication_service.',
  }),

  note('1.158.0', 'ubuntu-dropped', {
    touches: ['packaging'],
    kind: 'removed',
    text: /*i18n*/ 'Packages for one Ubuntu release are no longer made.',
    action: /*i18n*/ 'If you install the packages on Ubuntu, make sure that your release still gets them.',
  }),
  note('1.158.0', 'ubuntu-added', {
    touches: ['packaging'],
    kind: 'added',
    text: /*i18n*/ 'Packages for the next Ubuntu release are made.',
    action: /*i18n*/ 'Nothing has to be done.',
  }),

  note('1.159.0', 'repository-key', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'The key that signs the package repository has a new expiry.',
    action: /*i18n*/ 'Refresh the keyring before the upgrade, if you install the packages.',
  }),

  note('1.161.0', 'call-transport-service-url', {
    touches: ['configuration'],
    kind: 'deprecated',
    settings: ['matrix_rtc.transports[].livekit_service_url'],
    text: /*i18n*/ 'The service URL of a real-time call transport is on its way out. It has to stay listed for older clients.',
    action: /*i18n*/ 'Leave it where it is.',
  }),
  note('1.161.0', 'call-transport-url', {
    touches: ['configuration'],
    kind: 'added',
    settings: ['matrix_rtc.transports[].url'],
    text: /*i18n*/ 'The option url of a real-time call transport holds the WebSocket URL of the media forwarding unit.',
    action: /*i18n*/ 'Add it to every transport, beside the service URL.',
  }),
];
