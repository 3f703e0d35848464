import type { ChangeKind, Note, Touch } from '../../api/upgrade-plan.ts';

type Change = {
  touches: [Touch, ...Touch[]];
  kind: ChangeKind;
  settings?: string[];
  endpoints?: string[];
  workerTypes?: string[];
  text: string;
  action: string;
};

/** A row of the data. Its paths are the interface's own, `/_service` and `/_chat`. */
export const note = (release: string, name: string, change: Change): Note => ({
  id: `${release}/${name}`,
  release,
  touches: change.touches,
  kind: change.kind,
  settings: change.settings ?? [],
  endpoints: change.endpoints ?? [],
  worker_types: change.workerTypes ?? [],
  text: change.text,
  action: change.action,
});
