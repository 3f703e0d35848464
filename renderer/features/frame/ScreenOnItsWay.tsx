import { i18n } from '@lingui/core';
import { LoadingNote } from '../../components/LoadingNote.tsx';

/** In the place of a screen whose script takes long: it comes from the server, where there is no app around it. */
export const ScreenOnItsWay = () => <LoadingNote text={i18n.t('Loading…')} />;
