/** Interface: "Changes by release", v1.90.0 to v1.129.0, oldest first. */
import type { Note } from '../../api/upgrade-plan.ts';
import { note } from './note.ts';

const rust = (release: string, text: string) =>
  note(release, 'rust', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text,
    action: /*i18n*/ 'Upgrade Rust first for source builds.',
  });

export const releases90To129: readonly Note[] = [
  note('1.90.0', 'appservice-query-token', {
    touches: ['configuration', 'clients'],
    kind: 'default changed',
    settings: ['use_appservice_legacy_authorization'],
    text: /*i18n*/ 'By default, application services receive the token only in the Authorization header.',
    action:
      /*i18n*/ 'Update application services that read the query parameter. Until then, set use_appservice_legacy_authorization to true (insecure).',
  }),

  rust('1.93.0', /*i18n*/ 'Source builds require Rust 1.61.0+.'),
  rust('1.100.0', /*i18n*/ 'Source builds require Rust 1.65.0+.'),
  rust('1.106.0', /*i18n*/ 'Source builds require Rust 1.66.0+.'),

  note('1.111.0', 'media-worker-endpoints', {
    touches: ['workers', 'media'],
    kind: 'added',
    endpoints: ['^/_chat/client/v1/media/.*$', '^/_chat/federation/v1/media/.*$'],
    text: /*i18n*/ 'Media workers can serve two more endpoint groups.',
    action: /*i18n*/ 'If you have a media worker, route both to it.',
  }),

  note('1.119.0', 'python', {
    touches: ['packaging'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires Python 3.9+.',
    action: /*i18n*/ 'Upgrade Python first, unless images or packages include it.',
  }),

  note('1.120.0', 'authenticated-media', {
    touches: ['media', 'configuration', 'clients'],
    kind: 'default changed',
    settings: ['enable_authenticated_media'],
    text: /*i18n*/ "By default, media requires an access token. Media stored earlier doesn't.",
    action:
      /*i18n*/ 'Update clients, bridges and tools that fetch media without a token. Until then, set enable_authenticated_media to false.',
  }),
  note('1.120.0', 'msc3886-endpoint', {
    touches: ['configuration'],
    kind: 'removed',
    settings: ['experimental_features.msc3886_endpoint'],
    text: /*i18n*/ 'The experimental option msc3886_endpoint was removed.',
    action: /*i18n*/ 'Remove it.',
  }),

  note('1.122.0', 'postgresql', {
    touches: ['database'],
    kind: 'requirement raised',
    text: /*i18n*/ 'Requires PostgreSQL 13+.',
    action: /*i18n*/ 'Upgrade PostgreSQL first if used.',
  }),

  note('1.126.0', 'room-list-publication', {
    touches: ['configuration'],
    kind: 'default changed',
    settings: ['room_list_publication_rules'],
    text: /*i18n*/ 'By default, only admins can publish rooms in the room directory.',
    action: /*i18n*/ 'To let users publish rooms, allow it in room_list_publication_rules.',
  }),
];
