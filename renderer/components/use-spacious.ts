import { useMediaQuery } from '@mantine/hooks';

/** Whether the window is so large that lists can show more, and be open at once. */
export const useIsSpacious = () =>
  useMediaQuery('(min-width: 120rem) and (min-height: 60rem)', undefined, { getInitialValueInEffect: false });
