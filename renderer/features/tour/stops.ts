import { paths } from '../../app/paths.ts';

/** A stop of the tour. */
export interface TourStop {
  readonly title: string;
  readonly text: string;
  /** The navigation link to attach to. Default: centered in the window. */
  readonly href?: string;
}

export const stops: readonly TourStop[] = [
  {
    title: 'Workflows are files',
    text: 'Each workflow is a YAML file you own. Edit it on the canvas or as code.',
    href: paths.workflows,
  },
  {
    title: 'Run history and logs',
    text: 'See active and past runs with the log of each attempt. Retry a failed run from where it failed.',
    href: paths.runs,
  },
  {
    title: 'Schedules',
    text: 'The calendar shows upcoming runs, and runs missed while the machine was asleep.',
    href: paths.schedule,
  },
  {
    title: 'Command palette',
    text: 'Press Ctrl+K on any page and type the name of a workflow, run or command. Press ? for all keyboard shortcuts.',
  },
];
