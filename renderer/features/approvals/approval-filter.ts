const choices = ['all', 'open', 'approved', 'rejected'] as const;

/** Which approvals the list shows. */
export type ApprovalFilterValue = (typeof choices)[number];

/** Reads the choice from the address; all approvals for an unknown value. */
export const readApprovalFilter = (word: string | null): ApprovalFilterValue =>
  choices.find((one) => one === word) ?? 'all';

const labels: Readonly<Record<ApprovalFilterValue, string>> = {
  all: 'All',
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
};

/** Returns the choices with their labels. @param open number of open approvals */
export const approvalFilterOptions = (
  open: number,
): readonly { readonly value: ApprovalFilterValue; readonly label: string }[] =>
  choices.map((value) => ({
    value,
    label: value === 'open' && open > 0 ? `Open (${open.toLocaleString('en')})` : labels[value],
  }));

/** Texts of the empty list. */
export const emptyListLabels: Readonly<Record<Exclude<ApprovalFilterValue, 'all'>, string>> = {
  open: 'No open approvals',
  approved: 'No approved requests',
  rejected: 'No rejected requests',
};
