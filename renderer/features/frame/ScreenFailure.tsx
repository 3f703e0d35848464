import { i18n } from '@lingui/core';
import { Button, Loader, Text } from '@mantine/core';
import { IconMapOff, IconMoodConfuzed } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { isPageBusy } from '../../components/page-work.ts';
import { useWindowTitle } from '../../components/use-window-title.ts';
import classes from './ScreenFailure.module.css';

/** What browsers, and what loads styles, say where a script can't be had. */
const aboutScripts = /imported module|module script|preload CSS/;

const Reload = () => <Button onClick={() => location.reload()}>{i18n.t('Retry')}</Button>;

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
      title={i18n.t('This screen crashed')}
      description={i18n.t(
        "Console error; nothing was changed. Retry. If this recurs, report it with this page's address.",
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
      title={i18n.t("Couldn't load this screen")}
      description={i18n.t('Server not responding, or console version changed. Nothing is lost.')}
    >
      <LoadAgain missing={missing} />
    </StateMessage>
  );
}

/** For an address that leads nowhere, within the frame. */
export function NoSuchPage() {
  useWindowTitle(`${i18n.t('Screen not found')} · Gatehouse`);
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconMapOff size={26} stroke={1.5} />}
      title={i18n.t('Screen not found')}
      description={i18n.t('The address may be mistyped or from another console version.')}
    >
      <Button component="a" href={reportsOf(location.search)}>
        {i18n.t('Go to reports')}
      </Button>
    </StateMessage>
  );
}

/** Returns the reports' address, on the server that an address' query names. */
function reportsOf(query: string): string {
  const server = new URLSearchParams(query).get('server');
  return `/console/reports${server ? `?${new URLSearchParams({ server })}` : ''}`;
}

/** The same where nothing is around it. */
export function NoSuchScreen() {
  return (
    <main className={classes.noScreen}>
      <NoSuchPage />
    </main>
  );
}

const looksEvery = 15_000;

/** What was missing when the page was loaded anew by itself. */
const tried = 'gatehouse.missing-script';

/**
 * The page loaded anew, by a click and, when its server is back, by itself: browsers remember which scripts of a page
 * could not be had.
 */
function LoadAgain({ missing }: { missing: string }) {
  const { mutate, isError, isPending } = useMutation({
    async mutationFn(isWanted?: unknown) {
      await askForPage();
      if (!isWanted) {
        // What is still missing in a page that is new is not looked for without end.
        if (isPageBusy() || sessionStorage.getItem(tried) === missing) return;
        sessionStorage.setItem(tried, missing);
      }
      location.reload();
    },
    // It was away: when it is back, the script may be.
    onError: () => sessionStorage.removeItem(tried),
  });
  useEffect(() => {
    const timer = setInterval(mutate, looksEvery);
    return () => clearInterval(timer);
  }, [mutate]);
  return (
    <>
      {/* Not disabled meanwhile, which would take the keyboard away from it. */}
      <Button onClick={mutate} leftSection={isPending && <Loader size={14} color="currentColor" />}>
        {i18n.t('Retry')}
      </Button>
      {isError && <Text size="sm">{i18n.t('Still no response. Retrying automatically…')}</Text>}
    </>
  );
}

/** A page that is loaded from a server that is away would be lost. */
async function askForPage() {
  const { ok } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
  if (!ok) throw new Error('Only what is in front of the server answers');
}

/** In the place of a screen whose script takes long: it comes from the server, where there is no app around it. */
export const ScreenOnItsWay = () => <LoadingNote text={i18n.t('Loading…')} />;
