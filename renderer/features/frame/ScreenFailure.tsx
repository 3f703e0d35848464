import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconMapOff, IconMoodConfuzed } from '@tabler/icons-react';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useWindowTitle } from '../../components/use-window-title.ts';
import classes from './ScreenFailure.module.css';

/** For a fault of the console's own. */
export function ScreenFailure() {
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
      <Button onClick={() => location.reload()}>{i18n.t('Load again')}</Button>
    </StateMessage>
  );
}

/** For an address that leads nowhere. */
export function NoSuchScreen() {
  useWindowTitle(`${i18n.t('There is no such screen')} · Gatehouse`);
  return (
    <main className={classes.noScreen}>
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
    </main>
  );
}
