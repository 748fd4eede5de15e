import type { Page } from 'playwright';

/** How a person does it. */
export interface Manner {
  /** Between two characters, in milliseconds; 0 puts texts in at once. */
  readonly typingMs: number;
  /** When the workflow is to start: an expression of cron. */
  readonly schedule: string;
}

/**
 * What a person does who wants a workflow of their own to run by itself: begins a new one, gives it a step and a
 * time, saves it, and looks whether the first run that the schedule has started succeeds. Rejects where the pages do
 * not let them.
 * @param page on the dashboard
 */
export async function scheduleOwnWorkflow(page: Page, { typingMs, schedule }: Manner): Promise<void> {
  const write = async (label: string, text: string): Promise<void> => {
    const field = page.getByRole('textbox', { name: label, exact: true });
    await field.fill('');
    await field.pressSequentially(text, { delay: typingMs });
  };
  await page.getByRole('link', { name: 'Workflows', exact: true }).click();
  await page.getByRole('button', { name: 'New workflow' }).first().click();
  await write('Name', 'disk-report');
  await write('First step', 'measure');
  await write('Command', 'df -h .');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'disk-report' }).waitFor();
  await page.getByRole('button', { name: 'Open inspector' }).click();
  await page.getByRole('button', { name: 'Add a start' }).click();
  await write('Start 1', schedule);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const review = page.getByRole('dialog', { name: 'Review changes' });
  await review.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page
    .getByRole('row', { name: /Succeeded disk-report .* Schedule/ })
    .first()
    .waitFor();
}
