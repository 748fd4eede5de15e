import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { completionScripts } from '../../core/cli/completion-scripts.ts';
import manifest from '../../package.json' with { type: 'json' };
import { buildDebianControl } from './recipes.ts';

/** Debian's names of architectures. */
const architectures: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'amd64',
  arm64: 'arm64',
};

/** Folder of the program in the package. */
const programFolder = 'usr/lib/stepwright';

/**
 * Builds a Debian package from an installed npm package.
 * @param installed the folder of the package `stepwright`, with its dependencies
 * @param node the Node binary to include
 * @returns its path
 */
export function buildDebianPackage(options: {
  readonly installed: string;
  readonly node: string;
  readonly output: string;
  readonly maintainer: string;
}): string {
  const architecture = architectures[process.arch];
  if (architecture === undefined) throw new Error(`Debian has no packages for ${process.arch}`);
  const root = mkdtempSync(join(tmpdir(), 'stepwright-deb-'));
  try {
    placeProgram(root, options);
    placeDocuments(root, options.installed, options.maintainer);
    setModes(root);
    const control = { architecture, kibibytes: measure(root), maintainer: options.maintainer };
    write(join(root, 'DEBIAN/control'), buildDebianControl(control));
    const file = join(options.output, `stepwright-cli_${manifest.version}-1_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', root, file], {
      stdio: 'inherit',
    });
    return file;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function write(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** The program, its dependencies for this platform, and Node. */
function placeProgram(root: string, { installed, node }: { installed: string; node: string }): void {
  const program = join(root, programFolder);
  cpSync(installed, program, { recursive: true });
  const sqlite = ['deps', 'src', 'binding.gyp'].map((name) => `better-sqlite3/${name}`);
  for (const unused of ['.bin', '.package-lock.json', 'node-addon-api', ...sqlite])
    rmSync(join(program, 'node_modules', unused), { recursive: true, force: true });
  const prebuilds = join(program, 'node_modules/better-sqlite3/prebuilds');
  for (const name of readdirSync(prebuilds))
    if (name !== `linux-${process.arch}.node`) rmSync(join(prebuilds, name));
  // They are below /usr/share.
  for (const name of ['LICENSE', 'CHANGELOG.md', 'README.md', 'out/man', 'out/THIRD-PARTY-LICENSES.txt'])
    rmSync(join(program, name), { recursive: true, force: true });
  mkdirSync(join(program, 'bin'));
  copyFileSync(node, join(program, 'bin/node'));
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  for (const name of ['engine', 'stepwright']) {
    const command = join(root, 'usr/bin', name);
    const line = `exec /${programFolder}/bin/node /${programFolder}/out/cli/${name}.js "$@"`;
    writeFileSync(command, `#!/bin/sh\n${line}\n`);
  }
}

/** Man page, completion, changelog and copyright. */
function placeDocuments(root: string, installed: string, maintainer: string): void {
  const share = join(root, 'usr/share');
  const documents = join(share, 'doc/stepwright-cli');
  const read = (name: string): string => readFileSync(join(installed, name), 'utf8');
  const compress = (text: string): Buffer => gzipSync(text, { level: 9 });
  const page = compress(read('out/man/engine.1'));
  for (const name of ['engine', 'stepwright']) write(join(share, `man/man1/${name}.1.gz`), page);
  write(join(share, 'bash-completion/completions/engine'), completionScripts.bash);
  write(join(share, 'zsh/vendor-completions/_engine'), completionScripts.zsh);
  write(join(share, 'fish/vendor_completions.d/engine.fish'), completionScripts.fish);
  write(join(documents, 'copyright'), `Stepwright. Others: THIRD-PARTY-LICENSES.txt\n\n${read('LICENSE')}`);
  write(join(documents, 'THIRD-PARTY-LICENSES.txt'), read('out/THIRD-PARTY-LICENSES.txt'));
  // Node and the native modules are those of the npm registry, unchanged.
  const accepted = [
    'embedded-library',
    'hardening-no-pie',
    'script-not-executable',
    'unstripped-binary-or-object',
  ];
  const overrides = [...accepted, 'initial-upload-closes-no-bugs'].map((tag) => `stepwright-cli: ${tag}`);
  write(join(share, 'lintian/overrides/stepwright-cli'), `${overrides.join('\n')}\n`);
  write(join(documents, 'changelog.gz'), compress(read('CHANGELOG.md')));
  const date = statSync(join(installed, 'package.json')).mtime.toUTCString().replace('GMT', '+0000');
  const entry = [
    `stepwright-cli (${manifest.version}-1) unstable; urgency=low`,
    '',
    '  * New release: see changelog.gz.',
    '',
    ` -- ${maintainer}  ${date}`,
    '',
  ];
  write(join(documents, 'changelog.Debian.gz'), compress(entry.join('\n')));
}

/** Files are readable by all; programs can be executed. */
function setModes(root: string): void {
  const programs = /^usr\/(bin|lib\/stepwright\/bin)\//;
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || programs.test(file.slice(root.length + 1));
    chmodSync(file, isProgram ? 0o755 : 0o644);
  }
  chmodSync(root, 0o755);
}

/** Returns the size of all files in kibibytes. */
function measure(root: string): number {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1024);
}
