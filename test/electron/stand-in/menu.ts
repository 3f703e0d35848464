/** `Menu`: items that users and tests can choose. */
import type { MenuItemConstructorOptions } from 'electron';
import { loud } from './loud.ts';

export type MenuItem = {
  id?: string;
  label?: string;
  role?: string;
  click?: () => void;
  enabled?: boolean;
  submenu?: MenuItem[];
};

const roles = new Set(
  'about services hide hideOthers unhide quit close reload toggleDevTools resetZoom zoomIn zoomOut togglefullscreen appMenu fileMenu editMenu windowMenu help undo redo cut copy paste selectAll minimize zoom front'.split(
    ' ',
  ),
);

let applicationMenu: MenuItem[] = [];

function build(template: MenuItemConstructorOptions[]): MenuItem[] {
  return template.map(({ type, id, label, role, click, submenu, enabled, accelerator, icon, ...unknown }) => {
    if (Object.keys(unknown).length > 0) {
      throw new Error(`The stand-in does not know the menu options ${Object.keys(unknown)}`);
    }
    if (role && !roles.has(role)) throw new Error(`The stand-in does not know the menu role '${role}'`);
    if (!role && !label && type !== 'separator') throw new Error('A menu item needs a label or a role');
    return {
      ...(id && { id }),
      ...(label && { label }),
      ...(role && { role }),
      ...(click && { click: click as () => void }),
      ...(enabled !== undefined && { enabled }),
      ...(Array.isArray(submenu) && { submenu: build(submenu) }),
    };
  });
}

export const Menu = loud('Menu', {
  buildFromTemplate: build,
  setApplicationMenu(menu: MenuItem[]) {
    applicationMenu = menu;
  },
});

/** Returns all items of the menu, including submenus. */
export function menuItems(items = applicationMenu): MenuItem[] {
  return items.flatMap((item) => [item, ...menuItems(item.submenu ?? [])]);
}
