import type { Note } from '#management/core';

/** Notes that schedules are stored but do not run, because no process of this version runs them. */
export function scheduleNotes(schedules: readonly unknown[] | null | undefined): Note[] {
  if (!schedules || schedules.length === 0) return [];
  return [
    {
      instance: 'schedules-not-run',
      message: 'scheduled_operations are stored, but do not run',
      detail: 'This version does not run operations on a schedule.',
      pointer: '/scheduled_operations',
    },
  ];
}
