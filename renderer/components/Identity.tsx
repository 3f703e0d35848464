import { i18n } from '@lingui/core';
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconArrowUpRight, IconChevronDown, IconCopy, IconFilter } from '@tabler/icons-react';
import { clipped } from '../words/beginning.ts';
import { ButtonMenu } from './ButtonMenu.tsx';
import { HazardText } from './HazardText.tsx';
import classes from './Identity.module.css';
import { identifierWarning, nameWarning } from './text-hazards.ts';
import { Warning } from './Warning.tsx';

/** So much of a name is enough to know it by; whoever gives one can give it thousands of characters. */
export const mostOfName = 256;

/** Who or what it is: its name, where it has one, its whole identifier, and what is odd about either. */
export function Identity({ id, name }: { id: string; name?: string | null | undefined }) {
  const warning = identifierWarning(id) ?? (name ? nameWarning(name) : undefined);
  return (
    <>
      {name && (
        <span className={classes.name}>
          <HazardText text={clipped(name, mostOfName)} />
        </span>
      )}
      <span className={classes.id}>
        <HazardText text={id} />
      </span>
      {warning && <Warning reason={warning} />}
    </>
  );
}

/** A name that a person chose, in a place that can cut it off: what is odd about it stands before it. */
export function GivenName({ name }: { name: string }) {
  const warning = nameWarning(name);
  return (
    <>
      {warning && <Warning reason={warning} />} <HazardText text={name} />
    </>
  );
}

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
