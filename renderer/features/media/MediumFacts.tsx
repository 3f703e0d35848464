import { i18n } from '@lingui/core';
import type { Medium } from '../../api/media.ts';
import { byteSize } from '../../components/byte-size.ts';
import { FoldedText } from '../../components/FoldedText.tsx';
import { HazardText } from '../../components/HazardText.tsx';
import { RelativeTime } from '../../components/RelativeTime.tsx';
import cells from '../../components/table/cells.module.css';
import { PersonChip } from '../../subjects/chips.tsx';
import { Fact, Facts } from '../../subjects/Facts.tsx';
import { number } from '../../words/format.ts';

/** What the server knows of an upload. */
export function MediumFacts({ medium, origin }: { medium: Medium; origin: string }) {
  const { user_id, media_type, media_length, upload_name, created_ts, last_access_ts } = medium;
  return (
    <Facts>
      <Fact name={i18n.t('Uploader')}>
        {user_id && <PersonChip kind={i18n.t('Uploader')} id={user_id} />}
      </Fact>
      <Fact name={i18n.t('Server')}>
        <HazardText text={origin} />
      </Fact>
      <Fact name={i18n.t('File name')}>
        {upload_name && <FoldedText text={upload_name}>{(shown) => <HazardText text={shown} />}</FoldedText>}
      </Fact>
      <Fact name={i18n.t('Type')}>{media_type && <HazardText text={media_type} />}</Fact>
      <Fact name={i18n.t('Size')}>
        {typeof media_length === 'number' &&
          (media_length < 1000
            ? byteSize(media_length)
            : i18n.t('{size} ({bytes} bytes)', {
                size: byteSize(media_length),
                bytes: number(media_length),
              }))}
      </Fact>
      <Fact name={i18n.t('Uploaded')}>{created_ts && <RelativeTime timestamp={created_ts} long />}</Fact>
      <Fact name={i18n.t('Last accessed')}>
        {last_access_ts ? <RelativeTime timestamp={last_access_ts} long /> : created_ts && i18n.t('Never')}
      </Fact>
      <Fact name={i18n.t('Access')}>
        {typeof medium.authenticated === 'boolean' || typeof medium.authenticated === 'number'
          ? medium.authenticated
            ? i18n.t('Signed-in users')
            : i18n.t('Anyone with the link')
          : undefined}
      </Fact>
      <Fact name="SHA-256">
        {medium.sha256 && (
          <span className={cells.mono}>
            <HazardText text={medium.sha256} />
          </span>
        )}
      </Fact>
    </Facts>
  );
}
