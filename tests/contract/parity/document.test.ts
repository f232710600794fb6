import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DocumentRow } from './document-row.ts';
import { documentRows } from './document.ts';

const place = process.env['OVOZ_SERVICE_DOCUMENT'];
const text = place === undefined ? '' : readFileSync(place, 'utf8');
const namesOf = (kind: DocumentRow['kind']): readonly string[] =>
  documentRows.filter((row) => row.kind === kind).map(({ name }) => name);

/** From one heading to the next of the same level. */
function section(number: string): string {
  const heading = new RegExp(String.raw`^(#+) ${number.replaceAll('.', String.raw`\.`)}[ .]`, 'm').exec(text);
  if (heading === null) throw new Error(`there is no section ${number}`);
  const [opening, level = ''] = heading;
  const rest = text.slice(heading.index + opening.length);
  const end = rest.search(new RegExp(`^#{2,${level.length}} `, 'm'));
  return end === -1 ? rest : rest.slice(0, end);
}
const cellsOf = (part: string): readonly (readonly string[])[] =>
  part
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
const codesIn = (part: string): readonly string[] =>
  [...part.matchAll(/`([a-z]+(?:_[a-z]+)+|busy|overloaded|timeout)`/g)].map(([, one = '']) => one);

describe.skipIf(place === undefined)(
  'the rows against the document itself (skipped unless OVOZ_SERVICE_DOCUMENT names its file)',
  () => {
    test('every address of section 4 is a row', () => {
      const known = new Set(namesOf('route').map((name) => name.slice(name.indexOf(' ') + 1)));
      const addresses = [...section('4').matchAll(/(?<=[ |`}])\/(?:api\/)?v[12]\/[\w/{}-]+/g)]
        .map(([address]) => address)
        .filter((address) => !/\/(?:api\/v1\/account|v1)\/?$/.test(address));
      expect(addresses.length).toBeGreaterThan(50);
      expect([...new Set(addresses)].filter((address) => !known.has(address))).toEqual([]);
    });

    test('every code of section 7 and of live dictation is a row', () => {
      const known = new Set(namesOf('code').map((name) => name.slice(name.indexOf(' ') + 1)));
      const table = section('7').slice(section('7').indexOf('Codes by area'));
      const live = /Error codes: ([^.]+)\./.exec(section('4.10'))?.[1] ?? '';
      const codes = [...cellsOf(table).flatMap((cells) => codesIn(cells[2] ?? '')), ...codesIn(live)];
      expect(new Set(codes).size).toBeGreaterThan(45);
      expect([...new Set(codes)].filter((code) => !known.has(code))).toEqual([]);
    });

    test('every permission, scope, tool and event is a row, with what belongs to it', () => {
      const tools = cellsOf(section('4.13')).slice(1);
      expect(tools).toHaveLength(22);
      const inputs = (cell = ''): string =>
        cell
          .replaceAll(/\([^)]*\)/g, '')
          .replaceAll(/[ ,]+/g, ' ')
          .trim();
      const tool = ([name = '', cell]: readonly string[]) => `${name} ${inputs(cell)}`.replace(' none', '').trim();
      expect(tools.map(tool)).toEqual(namesOf('tool'));

      const permissions = cellsOf(section('2.2'))
        .slice(1)
        .map(([name]) => name);
      expect(permissions).toEqual(namesOf('permission').map((name) => name.split(':')[0]));
      const scopes = cellsOf(section('2.3'))
        .slice(1)
        .map(([scope, grant]) => `${scope} = ${grant}`);
      expect(scopes).toEqual(namesOf('scope'));
      const events = cellsOf(section('6.1'))
        .slice(1)
        .map(([type]) => type ?? '');
      expect(namesOf('event').filter((name) => events.some((type) => name.startsWith(`${type}:`)))).toHaveLength(5);
    });

    test('every state that a table of section 3 moves to is a row', () => {
      const words = new Set(namesOf('state').map((name) => name.slice(name.indexOf(': ') + 2)));
      const moved = cellsOf(section('3.3'))
        .slice(1)
        .flatMap((cells) => (cells[3] ?? '').split(', '));
      expect(moved.length).toBeGreaterThan(5);
      expect(moved.filter((word) => !words.has(word) && word !== 'unchanged' && !word.startsWith('queued'))).toEqual(
        [],
      );
      const named = [...section('3').matchAll(/`((?:PENDING|SUCCESS|FAILED)|[a-z]+_(?:review|pending))`/g)];
      expect(
        named.map(([, word = '']) => word).filter((word) => !words.has(word) && word !== 'llm_usage_pending'),
      ).toEqual([]);
    });
  },
);
