import type { Page } from 'playwright';

/** Pace of the simulated user. */
export interface TypingPace {
  /** Milliseconds between two characters; 0 inserts texts at once. */
  readonly typingMs: number;
  /** Cron expression of the workflow's schedule. */
  readonly schedule: string;
}

/**
 * Creates and schedules a workflow as a user would: adds a step and a schedule, saves, and waits until the
 * first scheduled run has succeeded. Rejects if a page does not work.
 * @param page on the dashboard
 */
export async function createScheduledWorkflow(page: Page, { typingMs, schedule }: TypingPace): Promise<void> {
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
