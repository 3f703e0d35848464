import { i18n } from '@lingui/core';
import '@mantine/core/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './fonts.css';
import './global.css';
import { I18nProvider } from '@lingui/react';
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { provideClipboard } from './clipboard.ts';
import { makeConsole } from './console/make-console.ts';
import { applyDensity, chosenDensity } from './density.ts';
import { takeEntry } from './features/connect/login-link.ts';
import { preloadOtherScreens, preloadScreen } from './router.ts';
import { consoleTheme, cssVariables } from './theme.ts';
import { browserHost } from './transport/browser.ts';
import { activateLanguage, chosenLanguage } from './words/languages.ts';

// Avoids a flash of the other color scheme while the console loads.
const scheme = localStorageColorSchemeManager().get('auto');
if (scheme !== 'auto') document.documentElement.dataset.mantineColorScheme = scheme;

// The token must not stay in the address while anything else loads.
const entry = takeEntry();
provideClipboard();

const host = window.gatehouse
  ? (await import('./transport/bridge.ts')).bridgeHost(window.gatehouse)
  : browserHost(sessionStorage);
const { deviceStorage, queryClient, router, enter } = makeConsole(host);
preloadScreen(router);
applyDensity(deviceStorage);
chosenDensity(deviceStorage).subscribe(() => applyDensity(deviceStorage));
await activateLanguage(deviceStorage);
await enter(entry);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const page = createRoot(root);

/** Rerenders the whole page in another language. */
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
            <QueryClientProvider client={queryClient}>
              <RouterProvider router={router} />
            </QueryClientProvider>
            {/* Portals of overlays render here, in a landmark of their own. */}
            <section data-mantine-shared-portal-node aria-label={i18n.t('Menus and dialogs')} />
          </MantineProvider>
        </DirectionProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

chosenLanguage(deviceStorage).subscribe(() => void activateLanguage(deviceStorage).then(render));
render();
preloadOtherScreens(router);
