import { i18n } from '@lingui/core';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArchive,
  IconHistory,
  IconMenu2,
  IconPlaylistX,
  IconRobot,
  IconScale,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { Hint } from '../../components/Hint.tsx';

/** Links to the team's log, policies, rules and policy lists. */
export const ModerationMenu = memo(function ModerationMenu() {
  const label = i18n.t('Log and policies');
  return (
    <ButtonMenu
      position="bottom-end"
      button={
        <Hint label={label}>
          <ActionIcon size={22} aria-label={label}>
            <IconMenu2 size={14} stroke={1.7} />
          </ActionIcon>
        </Hint>
      }
    >
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconHistory size={14} />}
          renderRoot={(attributes) => (
            <Link to="/reports/log" search={({ server }) => ({ server })} {...attributes} />
          )}
        >
          {i18n.t('Moderation log')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconScale size={14} />}
          renderRoot={(attributes) => (
            <Link to="/reports/policies" search={({ server }) => ({ server })} {...attributes} />
          )}
        >
          {i18n.t('Policies')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconRobot size={14} />}
          renderRoot={(attributes) => (
            <Link to="/reports/rules" search={({ server }) => ({ server })} {...attributes} />
          )}
        >
          {i18n.t('Automatic rules')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArchive size={14} />}
          renderRoot={(attributes) => (
            <Link to="/reports/evidence" search={({ server }) => ({ server })} {...attributes} />
          )}
        >
          {i18n.t('Evidence')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPlaylistX size={14} />}
          renderRoot={(attributes) => (
            <Link to="/reports/lists" search={({ server }) => ({ server })} {...attributes} />
          )}
        >
          {i18n.t('Policy lists')}
        </Menu.Item>
      </Menu.Dropdown>
    </ButtonMenu>
  );
});
