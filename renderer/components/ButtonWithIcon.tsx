import { Button, type ButtonProps, type PolymorphicComponentProps } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

type Props = PolymorphicComponentProps<'button', ButtonProps> & { icon: Icon };

/** Renders a button with an icon before its label. */
export const ButtonWithIcon = ({ icon: Icon, ...props }: Props) => (
  <Button {...props} leftSection={<Icon size={14} stroke={1.7} aria-hidden />} />
);
