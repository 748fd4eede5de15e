import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup/run-command.mjs';
import { drawIcon, iconFiles, withPage } from './build/icon-files.ts';

/** `npm run icons`: renders every image in `resources/icons/` from `icon.svg`. */
const folder = path.join(ROOT, 'resources/icons');

await withPage(async (page) => {
  for (const file of iconFiles(readFileSync(path.join(folder, 'icon.svg'), 'utf8')))
    writeFileSync(path.join(folder, file.name), await drawIcon(page, file));
});
