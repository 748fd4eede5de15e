const choices = ['all', 'open', 'approved', 'rejected'] as const;

/** Which questions a list shows. */
export type Shown = (typeof choices)[number];

/** What an address says; all of them when it says nothing that is known. */
export const readShown = (word: string | null): Shown => choices.find((one) => one === word) ?? 'all';

const labels: Readonly<Record<Shown, string>> = {
  all: 'All',
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** The choices with their labels. @param open how many are open */
export const shownChoices = (open: number): readonly { readonly value: Shown; readonly label: string }[] =>
  choices.map((value) => ({
    value,
    label: value === 'open' && open > 0 ? `Open (${open.toLocaleString('en')})` : labels[value],
  }));

/** What stands where none is. */
export const noneWords: Readonly<Record<Exclude<Shown, 'all'>, string>> = {
  open: 'No open approvals',
  approved: 'No approved requests',
  rejected: 'No rejected requests',
};
