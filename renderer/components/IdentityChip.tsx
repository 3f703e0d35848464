import { i18n } from '@lingui/core';
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconArrowUpRight, IconChevronDown, IconCopy, IconFilter } from '@tabler/icons-react';
import { ButtonMenu } from './ButtonMenu.tsx';
import { Identity } from './Identity.tsx';
import classes from './IdentityChip.module.css';

type Way = { label: string; apply: () => void };

type Props = {
  /** What it is, for example `Sender`. */
  kind: string;
  id: string;
  /** A name that people gave it, shown before the id. */
  name?: string | null;
  /** The way to its own page. */
  open?: Way;
  filters: Way[];
  /** Without a frame, where many stand among text. */
  quiet?: boolean;
};

/** A person or a room: the whole id on sight, to copy or to filter by. */
export function IdentityChip({ kind, id, name, open, filters, quiet }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <ButtonMenu
      position="bottom-start"
      button={
        <UnstyledButton className={classes.chip} data-quiet={quiet || undefined}>
          <span className={classes.text}>
            <VisuallyHidden>{kind}: </VisuallyHidden>
            <Identity id={id} name={name} />
          </span>
          <IconChevronDown size={12} className={classes.chevron} aria-hidden />
        </UnstyledButton>
      }
    >
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCopy size={14} />}
          closeMenuOnClick={false}
          onClick={() => clipboard.copy(id)}
        >
          {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy full ID')}
        </Menu.Item>
        {open && (
          <Menu.Item leftSection={<IconArrowUpRight size={14} />} onClick={open.apply}>
            {open.label}
          </Menu.Item>
        )}
        {filters.map(({ label, apply }) => (
          <Menu.Item key={label} leftSection={<IconFilter size={14} />} onClick={apply}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
