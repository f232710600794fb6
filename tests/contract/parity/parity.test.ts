import { expect, test } from 'vitest';
import { endpoints } from '../../../shared/wire/endpoints.ts';
import type { Endpoint } from '../../../shared/wire/endpoint.ts';
import { allows } from '../../../shared/wire/grants.ts';
import { tools, type ToolName } from '../../../shared/wire/tools.ts';
import { failureColumn, wireColumn, type ParityColumn } from './columns.ts';
import { documentRows } from './document.ts';

const columns: readonly ParityColumn[] = [wireColumn, failureColumn];
const sections = [...new Set(documentRows.map(({ section }) => section))];

/** The rows of a section that a column does not cover. */
const missing = (section: string, { names }: ParityColumn): readonly string[] =>
  documentRows
    .filter((row) => row.section === section && names[row.kind]?.has(row.name) === false)
    .map(({ kind, name }) => `${kind} ${name}`);

for (const column of columns) {
  test.each(sections)(`${column.title} knows every row of section %s`, (section) => {
    expect(missing(section, column)).toEqual([]);
  });
}

test('no row of the document is written twice, and an unknown row is noticed', () => {
  const names = documentRows.map(({ kind, section, name }) => `${kind} ${section} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  const without = { ...wireColumn, names: { ...wireColumn.names, route: new Set<string>() } };
  expect(missing('4.8', without)).toEqual(['route GET /v1/voices']);
});

test('the table has no route that the document does not have', () => {
  const known = new Set(documentRows.filter(({ kind }) => kind === 'route').map(({ name }) => name));
  expect([...(wireColumn.names.route ?? [])].filter((name) => !known.has(name))).toEqual([]);
});

test('each route stands in the section that the document gives it', () => {
  const sectionOf = new Map(documentRows.map(({ name, section }) => [name, section]));
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const method = endpoint.transport === 'http' ? endpoint.method : endpoint.transport === 'grpc' ? 'GRPC' : 'WSS';
    const title = endpoint.evidence === 'assumed' ? `not shown: ${name}` : `${method} ${endpoint.path}`;
    expect([name, sectionOf.get(title)]).toEqual([name, endpoint.section]);
  }
});

test('the credential of a route is that of its section', () => {
  const expected: Readonly<Record<string, string>> = {
    '4.1': 'access-token',
    '4.2': 'access-token',
    '4.10': 'ticket',
    '4.14': 'legacy-key',
    '4.15': 'legacy-key',
    '4.16': 'legacy-key',
  };
  for (const [name, { section, credential }] of Object.entries<Endpoint>(endpoints)) {
    const due = name === 'speak.stream' ? 'ticket' : (expected[section] ?? 'api-key');
    expect([name, credential]).toEqual([name, due]);
  }
});

test('there are 22 tools, and the work of each is done by a route that an API key may use', () => {
  expect(Object.keys(tools)).toHaveLength(22);
  for (const name of Object.keys(tools) as ToolName[]) {
    expect([name, endpoints[tools[name].route].credential]).toEqual([name, 'api-key']);
  }
});

test('write does not include read, access includes both, none includes nothing', () => {
  expect([allows('write', 'read'), allows('read', 'write'), allows('none', 'read')]).toEqual([false, false, false]);
  expect([allows('access', 'read'), allows('access', 'write'), allows('read', 'read')]).toEqual([true, true, true]);
});
