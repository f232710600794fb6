import { expect, it } from 'vitest';
import { practiceArguments } from '../../electron/services/practice/practice-supervisor.ts';
import { appSources, filesWith as filesOfAll, textOf } from './app-sources.ts';

/** The practice service is a program of its own that never receives a key; what it starts and asks is not the app's. */
const isOfPractice = (file: string) => /^electron\/(practice\/|entries\/practice\.ts)/.test(file);
const filesWith = (pattern: RegExp) => filesOfAll(pattern).filter((file) => !isOfPractice(file));

it('a child is started for the practice service, for converting audio, printing and pasting, and none gets a key (S-27)', () => {
  expect(filesWith(/from 'node:child_process'|require\(['"](node:)?child_process/)).toEqual([
    'electron/platform/node/practice-child.ts',
    'electron/platform/node/print-by-browser.ts',
    'electron/platform/node/x11-target.ts',
    'electron/platform/node/audio/converter.ts',
  ]);
  const converter = textOf('electron/platform/node/audio/converter.ts');
  expect(converter).toMatch(/env: smallEnvironment\(\),\s+shell: false/);
  expect(converter).toMatch(/'-protocol_whitelist',\s+'file,pipe',\s+'-f',\s+reader,/);
  expect(converter).not.toMatch(/reveal\(|Secret\b/);
  for (const name of ['print-by-browser', 'x11-target']) {
    const text = textOf(`electron/platform/node/${name}.ts`);
    expect(text).toMatch(/env(?:: | = \{ \.\.\.)smallEnvironment\(/);
    expect(text).not.toMatch(/reveal\(|Secret\b/);
  }
  const starters = filesWith(/\b(utilityProcess\.)?fork\(/);
  expect(starters.toSorted()).toEqual([
    'electron/platform/electron/practice-utility.ts',
    'electron/platform/node/practice-child.ts',
  ]);
  for (const file of starters) {
    const text = textOf(file);
    expect(text).toMatch(/fork\(script, practiceArguments\(options\), \{\s*env/);
    expect(text).not.toMatch(/reveal\(|Secret\b/);
  }
  // Folders alone are among their arguments.
  const folders = { stateDir: '/s', models: { kept: '/k', chosen: '/c' } };
  expect(practiceArguments(folders)).toEqual(['--state-dir', '/s', '--models', '/k', '--model', '/c']);
});

it('SQL never gets a value by a template: the only numbers in it are ours (S-41)', () => {
  const templates = [...appSources].flatMap(([file, source]) =>
    isOfPractice(file)
      ? []
      : [...source.matchAll(/\.(?:exec|prepare)\(\s*`([^`]*\$\{[^`]*)`/g)].map(
          ([, text]) => `${file}: ${text?.trim().replaceAll(/\s+/g, ' ')}`,
        ),
  );
  const constants =
    /\$\{(?:\w*[cC]olumns|column|report|jobColumnNames|isKeptCopy|remoteIdHere|orderedFrom|factsColumns\('t.remote_id'\)|wholeTranscripts)\}/;
  expect(templates.filter((template) => !constants.test(template)).toSorted()).toEqual([
    'electron/storage/sqlite-database.ts: PRAGMA user_version = ${index + 1}',
  ]);
  // Lists of column names that are constants.
  const columnLists = templates.filter((template) => /\$\{(?:columns|jobColumnNames)\}/.test(template));
  for (const template of columnLists) {
    expect(template.match(/\$\{/g)).toHaveLength(1);
    const name = /\$\{(\w+)\}/.exec(template)?.[1] ?? '';
    expect(filesWith(new RegExp(`^(?:export )?const ${name} =\\s+(?:'[\\w, ]+'|\\[)`, 'm')).length).toBeGreaterThan(0);
  }
});
