import { Plus } from 'lucide-react';
import { expect, it } from 'vitest';
import { arrange, type PaletteEntry } from './arrange.ts';

const entry = (id: string, group: PaletteEntry['group'], title: string): PaletteEntry => ({
  id,
  group,
  title,
  otherTitles: [],
  icon: Plus,
  shortcut: null,
  run: () => undefined,
});
const entries = [
  entry('add', 'actions', 'Add files'),
  entry('export', 'actions', 'Export'),
  entry('settings', 'goto', 'Settings'),
  ...Array.from({ length: 8 }, (_, index) => entry(`t${String(index)}`, 'transcripts', `Expedition ${String(index)}`)),
  entry('cancel', 'jobs', 'Cancel: expert.wav'),
];
const shape = (query: string, recent: readonly string[] = []) =>
  arrange(entries, query, recent).groups.map(({ name, shown }) => [name, shown.map(({ entry: { id } }) => id)]);

it('without a query the last actions come first and only once; unavailable ones are left out', () => {
  expect(shape('', ['export', 'gone'])).toEqual([
    ['recent', ['export']],
    ['transcripts', ['t0', 't1', 't2', 't3', 't4']],
    ['actions', ['add']],
    ['goto', ['settings']],
  ]);
});

it('a query searches everything, the group of the best match first', () => {
  expect(shape('expor')).toEqual([['actions', ['export']]]);
  expect(shape('expe').map(([name]) => name)).toEqual(['transcripts', 'jobs']);
  expect(shape('qqq')).toEqual([]);
});

it('a fallback that matches every query never comes before a real match', () => {
  const anything = (query: string): PaletteEntry => ({
    ...entry('search', 'goto', `Search the library for “${query}”`),
    isLastResort: true,
  });
  const ids = (query: string) =>
    arrange([anything(query), ...entries], query, []).groups.flatMap(({ shown }) => shown.map((one) => one.entry.id));
  expect(ids('setings')).toEqual(['settings', 'search']);
  expect(ids('files add')).toEqual(['add', 'search']);
  expect(ids('export')[0]).toBe('export');
  expect(ids('qqq')).toEqual(['search']);
});

it('a leading > asks for actions only', () => {
  expect(shape('> exp')).toEqual([['actions', ['export']]]);
  expect(shape('>').map(([name]) => name)).toEqual(['actions', 'goto']);
});

it('if there are more than can be shown, it says how many', () => {
  const many = Array.from({ length: 214 }, (_, at) => entry(`c${String(at)}`, 'jobs', `Cancel: ${String(at)}.wav`));
  const { groups, moreCount } = arrange([...entries, ...many], 'cancel', []);
  expect([groups.flatMap(({ shown }) => shown).length, moreCount]).toEqual([30, 185]);
  expect(arrange([...entries, ...many], 'cancel 213', []).moreCount).toBe(0);
  expect(arrange([...entries, ...many], '', []).moreCount).toBe(0);
});
