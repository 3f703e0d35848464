import { i18n } from '@lingui/core';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './global.css';
import { I18nProvider } from '@lingui/react';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { deletedReports } from './api/deleted-reports.ts';
import { connectionsQuery, followLocalServer } from './api/shell.ts';
import { provideClipboard } from './clipboard.ts';
import { commandRegistry, keyWorks } from './components/commands.ts';
import { Notices } from './components/notice.tsx';
import type { ConsoleContext } from './console-context.ts';
import { entryFailureOf, takeLoginToken, takeSignInResponse } from './features/connect/login-link.ts';
import { followExternalNavigation } from './features/frame/external-navigation.ts';
import { consoleQueryClient } from './query-client.ts';
import { consoleRouter, preloadOtherScreens, preloadScreen } from './router.ts';
import { consoleTheme, cssVariables } from './theme.ts';
import { bridgeHost } from './transport/bridge.ts';
import { browserHost } from './transport/browser.ts';
import { reachabilityStore } from './transport/reachability.ts';
import { connectedServers } from './transport/servers.ts';
import { activateLanguage, chosenLanguage } from './words/languages.ts';

// First of all: it must not stay in the address while anything else loads.
const loginToken = takeLoginToken();
const signInAnswer = takeSignInResponse();
provideClipboard();

let isShown = false;

const queryClient = consoleQueryClient();
const host = window.gatehouse ? bridgeHost(window.gatehouse) : browserHost(sessionStorage);
const reachability = reachabilityStore();
const context: ConsoleContext = {
  host,
  queryClient,
  reachability,
  servers: connectedServers(host, reachability),
  commands: commandRegistry(keyWorks),
  // Closing the page sends what can no longer be undone.
  deletedReports: deletedReports(),
  entryFailure: undefined,
};
const router = consoleRouter(context);
preloadScreen(router);
await activateLanguage();

try {
  await host.enter({ loginToken, answer: signInAnswer }, () => void connectionsChanged());
} catch (error) {
  context.entryFailure = entryFailureOf(error, loginToken !== undefined);
}

/** Before there is a page, there is nothing to bring up to date. */
async function connectionsChanged() {
  if (!isShown) return;
  await queryClient.invalidateQueries(connectionsQuery(host));
  await router.invalidate();
}

if (host.shell) followLocalServer(host.shell, queryClient, connectionsChanged);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const page = createRoot(root);

/** The whole page anew, since every word on it may be another. */
function render() {
  page.render(
    <StrictMode key={i18n.locale}>
      <I18nProvider i18n={i18n}>
        <DirectionProvider initialDirection={document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'}>
          <MantineProvider
            theme={consoleTheme()}
            cssVariablesResolver={cssVariables}
            defaultColorScheme="auto"
          >
            <Notices />
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
            {/* What opens over the screen opens in here, where it belongs to a landmark of its own. */}
            <section data-mantine-shared-portal-node aria-label={i18n.t('Menus and notifications')} />
          </MantineProvider>
        </DirectionProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

isShown = true;
if (host.shell) {
  const { shell } = host;
  followExternalNavigation(shell, router);
}
chosenLanguage().subscribe(() => void activateLanguage().then(render));
render();
preloadOtherScreens(router);
