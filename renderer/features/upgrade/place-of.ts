import type { Finding } from '../../../shared/api/upgrade-plan.ts';

/** `homeserver.yaml:12`, or the file alone for what isn't set in it. */
export const placeOf = ({ file, line }: Finding) => (line === null ? file : `${file}:${line}`);
