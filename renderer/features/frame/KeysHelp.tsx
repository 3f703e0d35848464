import { i18n } from '@lingui/core';
import { Kbd, Modal } from '@mantine/core';
import { useOs } from '@mantine/hooks';
import { keyLabel } from '../../components/commands.ts';
import { useConsole } from '../../console-context.ts';
import classes from './KeysHelp.module.css';

type KeyEntry = { id: string; label: string; keys?: string[] };

/** Lists the keyboard shortcuts of the current screen. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { commands } = useConsole();
  const modifier = useOs({ getValueInEffect: false }) === 'macos' ? '⌘' : keyLabel('Control');
  if (!opened) return null;
  const withKeys = commands.all().filter(({ keys }) => keys?.length);
  const globalKeys = {
    group: i18n.t('Everywhere'),
    members: [
      { id: 'palette', label: i18n.t('Open command palette'), keys: [modifier, 'K'] },
      { id: 'open', label: i18n.t('Open or run focused item'), keys: ['Enter'] },
      { id: 'close', label: i18n.t('Close, or leave field'), keys: ['Escape'] },
    ],
  };
  const groups = [...Map.groupBy(withKeys, ({ group }) => group)]
    .map(([group, members]): { group: string; members: KeyEntry[] } => ({ group, members }))
    .concat(globalKeys);
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Keyboard shortcuts')} size="lg">
      <div className={classes.groups}>
        {groups.map(({ group, members }) => (
          <section key={group}>
            <h3 className={classes.group}>{group}</h3>
            <dl className={classes.list}>
              {members.map(({ id, label, keys = [] }) => (
                <div key={id} className={classes.entry}>
                  <dt>{label}</dt>
                  <dd>
                    {keys.map((key) => (
                      <Kbd key={key} size="xs">
                        {keyLabel(key)}
                      </Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
