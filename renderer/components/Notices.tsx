import { Notifications } from '@mantine/notifications';

/** The lines that say what was done, over whatever screen is shown; those of before it was there wait for it. */
export default function Notices() {
  return <Notifications position="bottom-left" limit={6} containerWidth={380} />;
}
