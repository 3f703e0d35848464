import { i18n } from '@lingui/core';
import { Modal } from '@mantine/core';
import { JsonViewer } from './json/JsonViewer.tsx';

type Props = { title: string; source: unknown; onClose: () => void };

export function UnexpectedEntryDialog({ title, source, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <JsonViewer value={source ?? null} label={i18n.t('Source')} />
    </Modal>
  );
}
