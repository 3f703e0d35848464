import { Code } from '@mantine/core';
import { useConsole } from '../console-context.ts';

/** How to get something to look at, where a server has nothing yet. */
export function SampleDataHint() {
  const { host } = useConsole();
  return host.shell ? (
    <>To try the console out, choose “Add sample data to the local server” in the menu.</>
  ) : (
    <>
      To try the console out, fill a local server with <Code>npx gatehouse sample-data</Code>.
    </>
  );
}
