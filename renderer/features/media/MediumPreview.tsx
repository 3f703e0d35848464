import { i18n } from '@lingui/core';
import type { Medium } from '../../api/media.ts';
import { byteSize } from '../../components/byte-size.ts';
import { RemoteImage } from '../../components/event/RemoteImage.tsx';
import cells from '../../components/table/cells.module.css';
import { clipped } from '../../words/beginning.ts';

/** The picture behind a click, or why there is none to be seen here. */
export function MediumPreview({ uri, medium }: { uri: string; medium: Medium }) {
  const { media_type: type, media_length: length, quarantined_by: quarantined } = medium;
  if (type && !/^image\/(png|jpeg|gif|webp)$/.test(type)) {
    return <p className={cells.quiet}>{i18n.t('No preview. Supported formats: PNG, JPEG, GIF and WebP.')}</p>;
  }
  return (
    <div>
      {quarantined && (
        <p className={cells.quiet}>{i18n.t('Quarantined: visible to admins only, on click.')}</p>
      )}
      <RemoteImage
        key={String(quarantined)}
        quarantined={Boolean(quarantined)}
        uri={uri}
        name={clipped(medium.upload_name || medium.media_id, 200)}
        {...(typeof length === 'number' && { facts: byteSize(length) })}
      />
    </div>
  );
}
