import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconMapOff, IconMoodConfuzed } from '@tabler/icons-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { StateMessage } from '../../components/StateMessage.tsx';
import { soon } from '../../components/soon.ts';
import { useWindowTitle } from '../../components/use-window-title.ts';
import classes from './ScreenFailure.module.css';

/** What browsers, and what loads styles, say where a script can't be had. */
const aboutScripts = /imported module|module script|preload CSS/;

const Reload = () => <Button onClick={() => location.reload()}>{i18n.t('Load again')}</Button>;

const loadLoadAgain = () => import('./LoadAgain.tsx').catch(() => ({ default: Reload }));
const LoadAgain = lazy<ComponentType<{ missing: string }>>(loadLoadAgain);
// When it is wanted, it can not be had.
soon(loadLoadAgain);

/** In the place of a screen that failed: a fault of the console's own, or a part of it that can't be had. */
export function ScreenFailure({ error }: { error: unknown }) {
  const said = `${error}`;
  return aboutScripts.test(said) ? <ScreenMissing missing={said} /> : <ScreenFault />;
}

function ScreenFault() {
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMoodConfuzed size={26} stroke={1.5} />}
      title={i18n.t('This screen stopped working')}
      description={i18n.t(
        'A fault in the console, not in your server: nothing was changed. Load it again; if it comes back, report it with the address of this page.',
      )}
    >
      <Reload />
    </StateMessage>
  );
}

function ScreenMissing({ missing }: { missing: string }) {
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMapOff size={26} stroke={1.5} />}
      title={i18n.t('This part of the console could not be loaded')}
      description={i18n.t(
        'Its server does not answer, or has another version of the console by now. Nothing is lost.',
      )}
    >
      <Suspense>
        <LoadAgain missing={missing} />
      </Suspense>
    </StateMessage>
  );
}

/** For an address that leads nowhere, within the frame. */
export function NoSuchPage() {
  useWindowTitle(`${i18n.t('There is no such screen')} · Gatehouse`);
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMapOff size={26} stroke={1.5} />}
      title={i18n.t('There is no such screen')}
      description={i18n.t('The address may be mistyped or from another version of the console.')}
    >
      <Button component="a" href="/console/reports">
        {i18n.t('Go to the reports')}
      </Button>
    </StateMessage>
  );
}

/** The same where nothing is around it. */
export function NoSuchScreen() {
  return (
    <main className={classes.noScreen}>
      <NoSuchPage />
    </main>
  );
}
