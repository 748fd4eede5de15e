import { paths } from '../../app/paths.ts';

/** One place that the tour shows. */
export interface TourStop {
  readonly title: string;
  readonly text: string;
  /** The link of the navigation that it stands beside; in the middle of the window when there is none. */
  readonly href?: string;
}

export const stops: readonly TourStop[] = [
  {
    title: 'Workflows are files',
    text: 'Each is a YAML file in one folder, and yours. Draw them or write them: both change the same text.',
    href: paths.workflows,
  },
  {
    title: 'Every run is kept',
    text: 'See what runs, why something waits, and the log of each attempt. A failed run goes on from where it failed.',
    href: paths.runs,
  },
  {
    title: 'They start by themselves',
    text: 'The calendar shows what comes next, and what was missed while the machine slept.',
    href: paths.schedule,
  },
  {
    title: 'Find anything, do anything',
    text: 'Press Ctrl+K on any page and type the name of a workflow, a run or a command. Press ? for all keys.',
  },
];
