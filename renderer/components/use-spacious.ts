import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is large enough for longer lists and open sections. */
export const useIsSpacious = () =>
  useMediaQuery('(min-width: 120rem) and (min-height: 60rem)', undefined, { getInitialValueInEffect: false });
