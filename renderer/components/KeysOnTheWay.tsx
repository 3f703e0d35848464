import { useContext, useEffect } from 'react';
import { useConsole } from '../console-context.ts';
import { KeysAreElsewhere } from './page-selection.ts';

/** Among what stands in place of actions while their script is on its way: their keys wait for it. */
export function KeysOnTheWay() {
  const { commands } = useConsole();
  const areKeysElsewhere = useContext(KeysAreElsewhere);
  useEffect(
    () => (areKeysElsewhere ? undefined : commands.provideScriptOnTheWay()),
    [commands, areKeysElsewhere],
  );
  return null;
}
