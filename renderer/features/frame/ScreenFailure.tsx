import { Button } from '@mantine/core';
import { IconMoodConfuzed } from '@tabler/icons-react';
import { StateMessage } from '../../components/StateMessage.tsx';

/** For an address that leads nowhere, and for a fault of the console's own. */
export function ScreenFailure({ error }: { error?: unknown }) {
  return (
    <StateMessage
      role="alert"
      icon={<IconMoodConfuzed size={26} stroke={1.5} />}
      title={error ? 'This screen stopped working' : 'There is no such screen'}
      description={
        error
          ? 'A fault in the console, not in your server: nothing was changed. Load it again; if it comes back, report it with the address of this page.'
          : 'The address may be mistyped or from another version of the console.'
      }
    >
      {error ? (
        <Button onClick={() => location.reload()}>Load again</Button>
      ) : (
        <Button component="a" href="/console/reports">
          Go to the reports
        </Button>
      )}
    </StateMessage>
  );
}
