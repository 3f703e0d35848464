import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** Of which nothing is said before their screen is opened: their words load with it (`renderer/words/languages.ts`). */
const upgrade = ['<rootDir>/renderer/features/upgrade', '<rootDir>/shared/upgrade'];
const administration = [
  'background-updates',
  'federation',
  'tasks',
  'tokens',
  'users/making',
  'users/look-alikes',
  'reports/statistics',
  'rooms/messages',
  'settings',
].map((folder) => `<rootDir>/renderer/features/${folder}`);
const ofLocalServer = ['<rootDir>/electron/homeserver/throwaway-process.ts'];
const localServer = ['<rootDir>/renderer/features/local-server', '<rootDir>/server/administration/host'];

/** What the shell says in windows of the system's own, and never on a page. */
const native = [
  'window/menu',
  'homeserver/ask-local-host',
  'homeserver/ask-sample-data',
  'connections/ask-to-connect',
  'fault',
  'window/leaving',
  'profile-file',
  'vault/silent-keychain',
  'updates/updates',
  'updates/update-dialogs',
  'notifications/badge',
  'window/links',
  'notifications/report-notifications',
  'window/sandbox',
  'notifications/tray',
].map((file) => `<rootDir>/electron/${file}.ts`);

/** The console's words: English as they stand in the code, and each language in a file of its own. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [
    {
      path: '<rootDir>/renderer/words/{locale}',
      include: ['<rootDir>/renderer', '<rootDir>/shared', '<rootDir>/electron'],
      exclude: [
        ...[...upgrade, ...administration, ...localServer].map((folder) => `${folder}/**`),
        ...ofLocalServer,
        ...native,
      ],
    },
    { path: '<rootDir>/renderer/words/upgrade/{locale}', include: upgrade },
    { path: '<rootDir>/renderer/words/administration/{locale}', include: administration },
    { path: '<rootDir>/renderer/words/local-server/{locale}', include: [...localServer, ...ofLocalServer] },
    // The shell says some of its sentences itself, before there is a page.
    { path: '<rootDir>/electron/words/{locale}', include: ['<rootDir>/electron'] },
  ],
  // Without line numbers: they would change with every edit.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false, explicitIdAsDefault: true }),
  orderBy: 'messageId',
});
