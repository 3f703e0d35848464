/** Interface: "Changes by release", v1.90.0 to v1.129.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

const rust = (release: string, text: string) =>
  note(release, 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text,
    action: /*i18n*/ 'Upgrade Rust first, if you build from source.',
  });

export const releases90To129: readonly Note[] = [
  note('1.90.0', 'appservice-query-token', {
    touches: ['configuration', 'clients'],
    kind: 'default changed',
    settings: ['use_appservice_legacy_authorization'],
    text: /*i18n*/ 'The token is sent to application services in the Authorization header only, unless the setting asks for the query parameter too.',
    action:
      /*i18n*/ 'Update application services that read the query parameter; until then, set use_appservice_legacy_authorization to true, which is insecure.',
  }),

  rust('1.93.0', /*i18n*/ 'Building from source needs Rust 1.61.0 or later.'),
  rust('1.100.0', /*i18n*/ 'Building from source needs Rust 1.65.0 or later.'),
  rust('1.106.0', /*i18n*/ 'Building from source needs Rust 1.66.0 or later.'),

  note('1.111.0', 'media-worker-endpoints', {
    touches: ['workers', 'media'],
    kind: 'added',
    endpoints: ['^/_chat/client/v1/media/.*$', '^/_chat/federation/v1/media/.*$'],
    text: /*i18n*/ 'Media workers can serve two more groups of endpoints.',
    action: /*i18n*/ 'Route both to the media worker in the reverse proxy, if you have one.',
  }),

  note('1.119.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Python 3.9 or later is needed.',
    action: /*i18n*/ 'Upgrade Python first, unless you run container images or packages that bring it.',
  }),

  note('1.120.0', 'authenticated-media', {
    touches: ['media', 'configuration', 'clients'],
    kind: 'default changed',
    settings: ['enable_authenticated_media'],
    text: /*i18n*/ 'Media can be had only with an access token, unless the setting says otherwise. What was stored before stays reachable without one.',
    action:
      /*i18n*/ 'Update clients, bridges and tools that fetch media without a token; until then, set enable_authenticated_media to false.',
  }),
  note('1.120.0', 'msc3886-endpoint', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['experimental_features.msc3886_endpoint'],
    text: /*i18n*/ 'The experimental option msc3886_endpoint is gone.',
    action: /*i18n*/ 'Remove it.',
  }),

  note('1.122.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'PostgreSQL 13 or later is needed.',
    action: /*i18n*/ 'Upgrade PostgreSQL first, if the server keeps its data in it.',
  }),

  note('1.126.0', 'room-list-publication', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['room_list_publication_rules'],
    text: /*i18n*/ 'Only administrators can publish rooms in the room directory, unless the rules say otherwise.',
    action: /*i18n*/ 'If users are meant to publish rooms, allow it in room_list_publication_rules.',
  }),
];
