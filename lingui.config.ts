import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

/** Files with texts of native menus, dialogs and notifications, which pages don't show. */
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

/** English is in the code. Each language has a catalog for the console and one for the shell. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [
    {
      path: '<rootDir>/renderer/words/{locale}',
      include: ['renderer', 'shared', 'electron', 'server/administration/host'].map(
        (folder) => `<rootDir>/${folder}`,
      ),
      exclude: native,
    },
    { path: '<rootDir>/electron/words/{locale}', include: ['<rootDir>/electron'] },
  ],
  // Without line numbers: they would change with every edit.
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false, explicitIdAsDefault: true }),
  orderBy: 'messageId',
});
