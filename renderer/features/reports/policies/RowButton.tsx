import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = {
  /** Names the row, which the visible text doesn't. */
  label: string;
  /** Used less often than the others. */
  minor?: boolean;
  onClick: () => void;
  children: ReactNode;
};

/** A button in a row of policies, rules or word lists. */
export const RowButton = ({ label, minor = false, onClick, children }: Props) => (
  <Button
    variant={minor ? 'subtle' : 'default'}
    color={minor ? 'gray' : undefined}
    size="compact-xs"
    aria-label={label}
    onClick={onClick}
  >
    {children}
  </Button>
);
