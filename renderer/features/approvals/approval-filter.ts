const choices = ['all', 'open', 'approved', 'rejected'] as const;

/** Which approvals the list shows. */
export type ApprovalChoice = (typeof choices)[number];

/** Reads the choice from the address; all approvals for an unknown value. */
export const readShown = (word: string | null): ApprovalChoice =>
  choices.find((one) => one === word) ?? 'all';

const labels: Readonly<Record<ApprovalChoice, string>> = {
  all: 'All',
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** Returns the choices with their labels. @param open number of open approvals */
export const shownChoices = (
  open: number,
): readonly { readonly value: ApprovalChoice; readonly label: string }[] =>
  choices.map((value) => ({
    value,
    label: value === 'open' && open > 0 ? `Open (${open.toLocaleString('en')})` : labels[value],
  }));

/** Texts of the empty list. */
export const noneLabels: Readonly<Record<Exclude<ApprovalChoice, 'all'>, string>> = {
  open: 'No open approvals',
  approved: 'No approved requests',
  rejected: 'No rejected requests',
};
