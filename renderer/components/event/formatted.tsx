/**
 * What formatted messages take, in a script of its own: most messages are plain, and the sanitizer is large. It
 * is on its way as soon as anything is that shows events.
 */
import { lazy } from 'react';

const loadBody = () => import('./FormattedBody.tsx');
const loadOtherForm = () => import('./OtherForm.tsx');

export const FormattedBody = lazy(async () => ({ default: (await loadBody()).FormattedBody }));
export const OtherForm = lazy(async () => ({ default: (await loadOtherForm()).OtherForm }));

loadBody().catch(() => {});
loadOtherForm().catch(() => {});
