import { basename } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

/** A published file of a release. */
export interface ReleaseFile {
  readonly url: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

const { version, license, homepage } = manifest;
const summary = 'Workflow engine for your own machine: DAGs in YAML';

/** Returns the Homebrew formula, which installs the npm package. */
export const buildFormula = ({ url, sha256 }: ReleaseFile): string => `class Stepwright < Formula
  desc "${summary}"
  homepage "${homepage}"
  url "${url}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    generate_completions_from_executable(bin/"engine", "completion")
  end

  service do
    run [opt_bin/"engine", "start-all"]
    keep_alive true
  end

  test do
    ENV["ENGINE_HOME"] = testpath/"home"
    (testpath/"hello.yaml").write <<~YAML
      steps:
        - name: hello
          command: echo hello
    YAML
    assert_match "succeeded", shell_output("#{bin}/engine run hello.yaml 2>&1")
  end
end
`;

const wingetId = 'Stepwright.Stepwright';
const wingetVersion = '1.10.0';

/** Returns the winget manifests by file name, which install what the Windows installer of \`npm run package\` does. */
export function buildWingetManifests({ url, sha256 }: ReleaseFile): ReadonlyMap<string, string> {
  const format = (type: string, fields: readonly (readonly [key: string, value: string])[]): string => {
    const all = [
      ['PackageIdentifier', wingetId],
      ['PackageVersion', version],
      ...fields,
      ['ManifestType', type],
      ['ManifestVersion', wingetVersion],
    ];
    const comment = `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${type}.${wingetVersion}.schema.json`;
    return [comment, ...all.map(([key, value]) => `${key}: ${value}`), ''].join('\n');
  };
  const installer = [
    '',
    '- Architecture: x64',
    '  InstallerType: nullsoft',
    '  Scope: user',
    `  InstallerUrl: ${url}`,
    `  InstallerSha256: ${sha256.toUpperCase()}`,
  ];
  return new Map([
    [`${wingetId}.yaml`, format('version', [['DefaultLocale', 'en-US']])],
    [`${wingetId}.installer.yaml`, format('installer', [['Installers', installer.join('\n')]])],
    [
      `${wingetId}.locale.en-US.yaml`,
      format('defaultLocale', [
        ['PackageLocale', 'en-US'],
        ['Publisher', 'Stepwright contributors'],
        ['PackageName', 'Stepwright'],
        ['PackageUrl', homepage],
        ['License', license],
        ['ShortDescription', `"${summary}"`],
      ]),
    ],
  ]);
}

/** Returns the address of a file of this release. @param base without the file name */
export const releaseUrl = (base: string, file: string): string => `${base}/${basename(file)}`;

/** Fields of `DEBIAN/control`. */
interface ControlFields {
  readonly architecture: string;
  /** Of all files. */
  readonly kibibytes: number;
  readonly maintainer: string;
}

/**
 * Returns `DEBIAN/control` of the package \`stepwright-cli\`: the commands without the desktop app, whose package is
 * \`stepwright\`. It has its own Node, because Debian's may be too old.
 */
export const buildDebianControl = ({ architecture, kibibytes, maintainer }: ControlFields): string =>
  [
    'Package: stepwright-cli',
    `Version: ${version}-1`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${kibibytes}`,
    'Depends: libc6 (>= 2.28), libstdc++6',
    'Conflicts: stepwright',
    'Section: devel',
    'Priority: optional',
    `Homepage: ${homepage}`,
    'Description: workflow engine for your own machine',
    ' Runs workflows (DAGs in YAML): schedules, retries, queues, logs and a web',
    ' interface, on the command line or as a server.',
    '',
  ].join('\n');
