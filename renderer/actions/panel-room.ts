import type { PopoverProps } from '@mantine/core';

/** As high as there is room for, on the side where there is more of it. */
export const fitting: PopoverProps['middlewares'] = {
  flip: true,
  shift: true,
  size: {
    padding: 8,
    apply({ availableHeight, elements }) {
      elements.floating.style.setProperty('--gh-room', `${Math.floor(availableHeight)}px`);
    },
  },
};
