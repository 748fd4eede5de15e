import type { Page } from 'playwright';
import type { FrameRecorder } from './camera.ts';

/** The demo: creates a workflow from a template, edits it on the canvas, runs it, and opens the run. */
export async function recordDemo(page: Page, camera: FrameRecorder): Promise<void> {
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  await camera.hold(1_200);
  await camera.press(page.getByRole('link', { name: 'New workflow' }).or(button('New workflow')).first());
  await camera.press(page.getByRole('tab', { name: 'Template' }));
  await camera.press(page.getByRole('option', { name: /^Parallel and retry/ }), 700);
  await camera.press(page.getByRole('radio', { name: 'Graph' }), 300);
  await page.getByRole('button', { name: /^step join,/ }).waitFor();
  await camera.hold(1_200);
  await camera.press(button('Create'), 200);

  const canvas = page.locator('[data-canvas]');
  await page.getByRole('radio', { name: 'Canvas' }).waitFor();
  await camera.press(page.getByRole('radio', { name: 'Canvas' }), 300);
  await canvas.getByRole('button', { name: /^step join,/ }).waitFor();
  await camera.hold(800);
  await camera.point(canvas.getByRole('button', { name: /^step join,/ }));
  await camera.press(button('Add a step after join'), 400);
  const picker = page.getByRole('dialog', { name: 'Add step' });
  await camera.press(picker.getByRole('option', { name: /^Command/ }).first(), 500);
  const form = page.getByRole('textbox', { name: 'Command', exact: true });
  await camera.press(form, 300);
  await page.keyboard.press('Control+a');
  await camera.type('echo "everything is done"');
  await camera.hold(700);

  await camera.press(button('Save'), 500);
  await page.getByRole('dialog', { name: 'Review changes' }).waitFor();
  await camera.hold(1_200);
  await camera.press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }), 400);
  await camera.press(button('Run'), 300);
  const bar = page.getByRole('region', { name: 'Run', exact: true });
  await camera.press(bar.getByRole('link', { name: 'Open run' }), 300);

  await page.getByRole('group', { name: /^Graph of/ }).waitFor();
  await camera.press(page.getByRole('button', { name: /^step quick part,/ }), 200);
  await camera.watch(page.getByRole('banner').or(page.locator('header')).getByText('Succeeded').first(), 450);
  await camera.hold(900);
  await camera.press(page.getByRole('tab', { name: 'Timeline' }), 1_500);
  await camera.press(page.getByRole('treeitem', { name: /^shaky part/ }), 200);
  await page.getByText('attempt 3 succeeded').first().waitFor();
  await camera.hold(2_300);
}
