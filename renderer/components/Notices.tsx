import { Notifications } from '@mantine/notifications';

/**
 * The lines that say what was done, over whatever screen is shown; those of before it was there wait for it. They
 * stand at the right, since what one goes on with is in a list at the left.
 */
export function Notices() {
  return <Notifications position="bottom-right" limit={6} containerWidth={380} />;
}
