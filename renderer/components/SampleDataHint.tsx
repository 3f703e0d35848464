import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useConsole } from '../console-context.ts';

/** How to get something to look at, where a server has nothing yet. */
export function SampleDataHint() {
  const { host } = useConsole();
  if (host.shell) {
    return i18n.t('To try the console out, choose “Add sample data to the local server” in the menu.');
  }
  return (
    <Trans
      id="To try the console out, fill a local server with <0>npx gatehouse sample-data</0>."
      components={{ 0: <code /> }}
    />
  );
}
