import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const noted = new Set<string>();

/** The folder of the package that a module is in; null for our own and those that the bundler made. */
function packageFolder(id: string): string | null {
  const at = id.replaceAll('\\', '/').lastIndexOf('/node_modules/');
  if (at < 0 || id.startsWith('\0')) return null;
  const [scope = '', name = ''] = id.slice(at + 14).split(/[\\/]/);
  return join(id.slice(0, at), 'node_modules', scope, ...(scope.startsWith('@') ? [name] : []));
}

/** Lists the packages that go into a build, workers and data too, in a file beside its folder. */
export function notePackages(): Plugin {
  let base = root;
  return {
    name: 'note-packages',
    configResolved: (config) => {
      base = config.root;
    },
    generateBundle(_options, bundle) {
      for (const part of Object.values(bundle)) {
        const ids = part.type === 'chunk' ? part.moduleIds : part.originalFileNames.map((name) => resolve(base, name));
        for (const folder of ids.map(packageFolder)) if (folder !== null) noted.add(folder);
      }
    },
    writeBundle: ({ dir }) => {
      if (dir !== undefined) writeFileSync(`${dir}-packages.json`, JSON.stringify([...noted]));
    },
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

const ownLicence = readFileSync(join(root, 'LICENSE'), 'utf8').trim();

interface Correction {
  readonly license?: string;
  readonly holder?: string;
  /** Files with the words of the licence; of a script only its first comment. */
  readonly texts?: readonly string[];
}

const microsoft = { holder: 'Microsoft Corporation' };
/** What packages say wrongly or not at all. */
const corrections: Readonly<Record<string, Correction>> = {
  '@bufbuild/protobuf': { texts: ['../../@grpc/grpc-js/LICENSE', 'dist/esm/wire/varint.js'] },
  '@jitsi/rnnoise-wasm': { license: 'Apache-2.0' },
  'onnxruntime-common': microsoft,
  'onnxruntime-web': microsoft,
};

const wordsOf = (path: string): string => {
  const text = readFileSync(path, 'utf8').trim();
  return path.endsWith('.js') ? (/^(?:\/\/.*\n)+/.exec(text)?.[0].replaceAll(/^\/\/ ?/gm, '') ?? '') : text;
};

/** Throws for a package without the words of its licence, unless that is the MIT licence or needs none. */
function licenceOf(folder: string): readonly [title: string, text: string] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, author } = manifest;
  const correction = corrections[name] ?? {};
  const license = correction.license ?? manifest.license ?? 'unknown';
  const title = `${name} ${version} (${license})`;
  const files = correction.texts ?? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (files.length > 0) return [title, files.map((file) => wordsOf(join(folder, file))).join('\n\n')];
  if (license === 'Unlicense') return [title, 'Its authors put it into the public domain; it needs no licence.'];
  if (license !== 'MIT') throw new Error(`${name} brings no licence`);
  const holder = correction.holder ?? (typeof author === 'string' ? author : author?.name);
  return [title, ownLicence.replace(/^Copyright.*$/m, `Copyright (c) ${holder ?? `the authors of ${name}`}`)];
}

/** Writes `dist/LICENSES.txt`: the licence of each package and font that the package of the app holds. */
export function writeLicences(builds: readonly string[]): void {
  const folders = new Set([join(root, 'node_modules', 'keytar')]);
  for (const build of builds) {
    const list = readFileSync(join(root, 'dist', `${build}-packages.json`), 'utf8');
    for (const folder of JSON.parse(list) as string[]) folders.add(folder);
  }
  const packages = [...folders].map(licenceOf);
  const fonts = readdirSync(join(root, 'assets', 'fonts'))
    .filter((file) => file.endsWith('-OFL.txt'))
    .map(
      (file) =>
        [`Font ${file.slice(0, -8)} (OFL-1.1)`, readFileSync(join(root, 'assets', 'fonts', file), 'utf8')] as const,
    );
  const parts = [...packages, ...fonts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const line = '='.repeat(80);
  const texts = [['Ovoz Studio (MIT)', ownLicence] as const, ...parts].map(
    ([title, text]) => `${title}\n\n${text.trim()}\n`,
  );
  writeFileSync(join(root, 'dist', 'LICENSES.txt'), texts.join(`\n${line}\n\n`));
}
