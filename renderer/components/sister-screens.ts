/** Screens that share a place on the rail with another one, in order. */
import type { Endpoint } from '../api/offered.ts';

export type Sister = {
  path: '/reports' | '/reports/users' | '/reports/rooms' | '/tasks' | '/tasks/background-updates';
  /** Beside the others. */
  label: string;
  /** By itself, in the palette and in the title; the first of them has its own on the rail. */
  name?: string;
  /** Shown only where the server has one of these. */
  needs?: readonly Endpoint[];
};

export const sisterScreens = {
  reports: [
    { path: '/reports', label: /*i18n*/ 'Event reports' },
    {
      path: '/reports/users',
      label: /*i18n*/ 'User reports',
      name: /*i18n*/ 'User reports',
      needs: ['userReports'],
    },
    {
      path: '/reports/rooms',
      label: /*i18n*/ 'Room reports',
      name: /*i18n*/ 'Room reports',
      // Where room reports are accepted but not listed, the screen says so.
      needs: ['roomReports', 'reportRoom'],
    },
  ],
  tasks: [
    { path: '/tasks', label: /*i18n*/ 'Tasks' },
    {
      path: '/tasks/background-updates',
      label: /*i18n*/ 'Background updates',
      name: /*i18n*/ 'Background updates',
      needs: ['backgroundUpdates'],
    },
  ],
} satisfies Record<string, Sister[]>;

/** Every screen that has no place of its own on the rail. */
export const screensOffRail: Sister[] = Object.values(sisterScreens).flat();
