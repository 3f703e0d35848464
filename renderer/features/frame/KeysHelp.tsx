import { i18n } from '@lingui/core';
import { Kbd, Modal } from '@mantine/core';
import { useConsole } from '../../console-context.ts';
import classes from './KeysHelp.module.css';
import { keyLabel } from './key-label.ts';

/** The keys that work on the screen that is open. */
export default function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { commands } = useConsole();
  const withKeys = opened ? commands.all().filter(({ keys }) => keys?.length) : [];
  const groups = [...Map.groupBy(withKeys, ({ group }) => group)];
  return (
    <Modal opened={opened} onClose={onClose} title={i18n.t('Keys that work here')} size="lg">
      <div className={classes.groups}>
        {groups.map(([group, members]) => (
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
