import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findShell } from '../../../scripts/find-shell.ts';

/**
 * Runs those of Electron's own specs that touch what this app uses, from a checkout of its `spec` folder: `npm run
 * electron-specs -- FOLDER [FILE…]`. Each file has a process of its own. Ends with 1 when a test fails unexpectedly or
 * passes unexpectedly, with 2 when the specs cannot run.
 */
interface Specs {
  /** Files, and parts of files that do run, of which nothing runs, by reason. */
  readonly leftOut: Readonly<Record<string, readonly string[]>>;
  /** The files, and how the full titles of their tests begin. */
  readonly run: Readonly<Record<string, readonly string[]>>;
  /** Full titles of tests that fail on a runtime, by reason. */
  readonly fails: Readonly<Record<'electron' | 'host', Readonly<Record<string, readonly string[]>>>>;
}
const specs = JSON.parse(readFileSync(new URL('./specs.json', import.meta.url), 'utf8')) as Specs;
const main = fileURLToPath(new URL('./main.cjs', import.meta.url));
const longest = 15 * 60_000;

const [given, ...chosen] = process.argv.slice(2);
if (given === undefined) stop('usage: npm run electron-specs -- FOLDER [FILE…]');
const folder = resolve(given);
if (!existsSync(join(folder, 'api-app-spec.ts'))) stop(`${folder} is not the spec folder of a checkout of Electron`);
const beside = createRequire(join(folder, 'package.json'));
const missing = ['mocha', 'chai', 'chai-as-promised', 'dirty-chai', 'typescript', 'uuid'].filter((name) => {
  try {
    return !beside.resolve(name);
  } catch {
    return true;
  }
});
if (missing.length > 0) stop(`not installed in ${folder} or in a folder above it: ${missing.join(', ')}`);

const shell = findShell();
const failing = new Set(Object.values(specs.fails[shell.kind]).flat());
const wrong: string[] = [];
const seen = new Set<string>();
const files = Object.keys(specs.run).filter((file) => chosen.length === 0 || chosen.includes(file));
for (const file of files) {
  for (const [title, error] of Object.entries(await runFile(file))) {
    seen.add(title);
    if (error === false) continue;
    if (error !== null && !failing.has(title)) wrong.push(`failed: ${title}\n    ${error}`);
    if (error === null && failing.has(title)) wrong.push(`passed, but is listed as failing: ${title}`);
  }
}
if (chosen.length === 0) {
  for (const title of failing) if (!seen.has(title)) wrong.push(`listed as failing, but not there: ${title}`);
  const decided = new Set([...files, ...Object.values(specs.leftOut).flat()]);
  for (const name of readdirSync(folder))
    if (/^api-.*-spec[.]ts$/.test(name) && !decided.has(name)) wrong.push(`neither run nor left out: ${name}`);
}
for (const line of wrong) console.log(line);
console.log(
  `${seen.size} tests on ${shell.kind}, ${failing.size} of them known to fail, ${wrong.length} not as expected`,
);
process.exitCode = wrong.length > 0 ? 1 : 0;

function stop(why: string): never {
  console.error(why);
  process.exit(2);
}

/** What each test of a file ended with: null, an error's text, or false if it was skipped. */
async function runFile(file: string): Promise<Record<string, string | null | false>> {
  const app = mkdtempSync(join(tmpdir(), 'electron-specs-'));
  const report = join(app, 'report.json');
  const { name, productName, version } = beside('./package.json') as Record<string, string>;
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name, productName, version, main: 'main.cjs' }));
  writeFileSync(join(app, 'main.cjs'), `require(${JSON.stringify(main)})`);
  const task = { file: join(folder, file), run: specs.run[file], failing: [...failing], report };
  const child = spawn(shell.executable, [...(process.platform === 'linux' ? ['--no-sandbox'] : []), app], {
    cwd: folder,
    env: { ...process.env, ELECTRON_SPECS: JSON.stringify(task) },
    stdio: 'inherit',
    shell: process.platform === 'win32',
    timeout: longest,
  });
  await new Promise((ended) => child.once('exit', ended).once('error', ended));
  try {
    if (!existsSync(report)) stop(`${file} did not come to its end`);
    return JSON.parse(readFileSync(report, 'utf8')) as Record<string, string | null | false>;
  } finally {
    rmSync(app, { recursive: true, force: true, maxRetries: 3 });
  }
}
