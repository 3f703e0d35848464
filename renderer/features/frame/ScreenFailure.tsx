import { i18n } from '@lingui/core';
import { Button, Loader, Text } from '@mantine/core';
import { IconMapOff, IconMoodConfuzed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Type } from 'typebox';
import { jobsOf } from '../../actions/jobs/job-store.ts';
import { LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { useConsole } from '../../console-context.ts';
import type { DeviceStorage } from '../../persisted.ts';

/** Messages of browsers and Vite if a script or stylesheet can't be loaded. */
const scriptFailure = /imported module|module script|preload CSS/;

const Reload = () => <Button onClick={() => location.reload()}>{i18n.t('Retry')}</Button>;

/** Shown for a screen that crashed, or whose script couldn't be loaded. */
export function ScreenFailure({ error }: { error: unknown }) {
  const message = `${error}`;
  return scriptFailure.test(message) ? <ScriptMissing message={message} /> : <ScreenCrashed />;
}

function ScreenCrashed() {
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMoodConfuzed size={26} stroke={1.5} />}
      title={i18n.t('This screen crashed')}
      description={i18n.t(
        "Console error; nothing was changed. If this recurs, report it with this page's address.",
      )}
    >
      <Reload />
    </StateMessage>
  );
}

function ScriptMissing({ message }: { message: string }) {
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMapOff size={26} stroke={1.5} />}
      title={i18n.t("Couldn't load this screen")}
      description={i18n.t('Server not responding, or console version changed. Nothing is lost.')}
    >
      <ReloadWhenAvailable message={message} />
    </StateMessage>
  );
}

/** Shown for an unknown address. */
export function NoSuchPage() {
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMapOff size={26} stroke={1.5} />}
      title={i18n.t('Screen not found')}
      description={i18n.t('The address may be mistyped or from another console version.')}
    >
      <Button renderRoot={(props) => <Link to="/reports" {...props} />}>{i18n.t('Go to reports')}</Button>
    </StateMessage>
  );
}

const retryMs = 15_000;

/** The failure that this tab's last automatic reload was for. */
const reloadedFor = (deviceStorage: DeviceStorage) =>
  deviceStorage.open('gatehouse.missing-script', Type.String(), '', 'session');

/** Reloads the page on click, or once the server responds: browsers don't retry a failed module script in the same page. */
function ReloadWhenAvailable({ message }: { message: string }) {
  const { servers, deviceStorage } = useConsole();
  const failure = reloadedFor(deviceStorage);
  const { mutate, isError, isPending } = useMutation({
    async mutationFn(isClick?: unknown) {
      await checkPage();
      if (!isClick) {
        // Reloads only once for the same failure.
        const isBusy = servers.all().some((server) => jobsOf(server).isRunning());
        if (isBusy || failure.read() === message) return;
        failure.write(message);
        if (!failure.isKept()) return;
      }
      location.reload();
    },
    // The server is away: reload when it's back.
    onError: () => failure.forget(),
  });
  useEffect(() => {
    const timer = setInterval(mutate, retryMs);
    return () => clearInterval(timer);
  }, [mutate]);
  return (
    <>
      {/* Not disabled while pending, so that it keeps the focus. */}
      <Button onClick={mutate} leftSection={isPending && <Loader size={14} color="currentColor" />}>
        {i18n.t('Retry')}
      </Button>
      {isError && <Text size="sm">{i18n.t('Still no response. Retrying automatically…')}</Text>}
    </>
  );
}

/** Throws if the page isn't available: reloading it then would lose it. */
async function checkPage() {
  const { ok } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
  if (!ok) throw new Error('The page is not available');
}

/** Shown while a screen's script loads. */
export const ScreenLoading = () => <LoadingNote text={i18n.t('Loading…')} />;
