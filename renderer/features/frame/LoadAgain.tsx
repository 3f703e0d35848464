import { i18n } from '@lingui/core';
import { Button, Loader, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isPageAtWork } from '../../components/work-of-the-page.ts';

const looksEvery = 15_000;

/** What was missing when the page was loaded anew by itself. */
const tried = 'gatehouse.missing-script';

/**
 * The page loaded anew, by a click and, when its server is back, by itself: browsers remember which scripts of a page
 * could not be had.
 */
export function LoadAgain({ missing }: { missing: string }) {
  const { mutate, isError, isPending } = useMutation({
    async mutationFn(isWanted?: unknown) {
      await askForPage();
      if (!isWanted) {
        // What is still missing in a page that is new is not looked for without end.
        if (isPageAtWork() || sessionStorage.getItem(tried) === missing) return;
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
