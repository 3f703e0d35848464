import { i18n } from '@lingui/core';
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconArrowUpRight, IconChevronDown, IconCopy, IconFilter } from '@tabler/icons-react';
import { ellipsize } from '../words/clip.ts';
import { Avatar } from './Avatar.tsx';
import { ButtonMenu } from './ButtonMenu.tsx';
import { HazardText } from './HazardText.tsx';
import classes from './Identity.module.css';
import { identifierWarning, nameWarning } from './text-hazards.ts';
import { Warning } from './Warning.tsx';

/** Display names are clipped to this many characters; users can set thousands. */
export const maxNameLength = 256;

/** Renders a name, the whole ID, and a warning if either is deceptive. */
export function Identity({ id, name }: { id: string; name?: string | null | undefined }) {
  const warning = identifierWarning(id) ?? (name ? nameWarning(name) : undefined);
  return (
    <>
      {name && (
        <span className={classes.name}>
          <HazardText text={ellipsize(name, maxNameLength)} />
        </span>
      )}
      <span className={classes.idLine}>
        <span className={classes.id}>
          <BreakableId id={id} />
        </span>
        {warning && <Warning reason={warning} />}
      </span>
    </>
  );
}

/** Renders an ID that breaks before the server name, if it doesn't fit on a line. */
function BreakableId({ id }: { id: string }) {
  const [local = id] = id.split(':', 1);
  return (
    <>
      <HazardText text={local} />
      {local !== id && (
        <>
          <wbr />
          <HazardText text={id.slice(local.length)} />
        </>
      )}
    </>
  );
}

/** Renders a user-chosen name; the warning comes first because the name may be cut off. */
export function DisplayName({ name }: { name: string }) {
  const warning = nameWarning(name);
  return (
    <>
      {warning && <Warning reason={warning} />} <HazardText text={name} />
    </>
  );
}

type MenuAction = { label: string; apply: () => void };

type Props = {
  /** Names the role, for example `Sender`. */
  kind: string;
  id: string;
  name?: string | null;
  /** Opens the user's or room's page. */
  open?: MenuAction;
  filters: MenuAction[];
  /** Without a border, for use within text. */
  quiet?: boolean;
  /** As a heading: a larger avatar, the ID below the name. */
  large?: boolean;
  /** Cut rather than broken, the ID first. */
  oneLine?: boolean;
};

/** Renders a user or a room with a menu: copy the ID, open its page, filter by it. */
export function IdentityChip({ kind, id, name, open, filters, quiet, large, oneLine }: Props) {
  const clipboard = useClipboard({ timeout: 1500 });
  return (
    <ButtonMenu
      position="bottom-start"
      button={
        <UnstyledButton
          className={classes.chip}
          data-quiet={quiet || large || undefined}
          data-large={large || undefined}
          // Its name identifies it: the ID is cut rather than broken. The menu copies all of it.
          data-named-room={(id.startsWith('!') && Boolean(name)) || undefined}
          data-one-line={oneLine || undefined}
          title={oneLine && name ? `${ellipsize(name, maxNameLength)}\n${id}` : id}
        >
          <Avatar id={id} name={name} size={large ? 36 : 18} />
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
