/** Longest spans of the calendars of runs and of schedules, in days. */
export const maxCalendarDays = { runs: 400, schedules: 35 } as const;
